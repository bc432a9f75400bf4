/** Text that is already HTML. Only `html` and `raw` make it; all other text is escaped. */
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

/** A template that escapes its parts, except those that are HTML. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  let text = strings[0]!
  for (const [i, part] of parts.entries()) text += partText(part) + strings[i + 1]
  return new Html(text)
}

export const raw = (text: string): Html => new Html(text)

const partText = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(partText).join('')
  return escapeHtml(String(part))
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, mark => entities[mark]!)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
