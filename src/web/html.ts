/** Text that is HTML already. Only `html` and `raw` make it, so that all else is escaped on its way in. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** A template whose parts are escaped unless they are HTML themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  let text = strings[0]!
  for (const [i, part] of parts.entries()) text += written(part) + strings[i + 1]
  return new Html(text)
}

export const raw = (text: string): Html => new Html(text)

const written = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escaped(String(part))
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, mark => entities[mark]!)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
