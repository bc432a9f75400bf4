import { type Html, html, raw } from './html.ts'

/** The Markdown that docs/ is written in: headings, paragraphs, lists, tables, code, quotes, links, emphasis. */
export const markdown = (source: string, linkOf: (target: string) => string = same): Html => {
  const lines = source.replaceAll('\r', '').split('\n')
  const blocks: Html[] = []
  const inline = (text: string) => inlineOf(text, linkOf)
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    const take = (fits: (line: string) => boolean) => {
      const taken: string[] = []
      while (at < lines.length && fits(lines[at]!)) taken.push(lines[at++]!)
      return taken
    }
    if (line.trim() === '') at++
    else if (line.startsWith('```')) {
      at++
      const code = take(next => !next.startsWith('```'))
      at++
      blocks.push(html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`)
    } else if (/^#{1,6} /.test(line)) {
      const [, marks, title] = /^(#+) (.*)$/.exec(line)!
      const level = raw(`h${marks!.length}`)
      blocks.push(html`<${level} id="${slug(title!)}">${inline(title!)}</${level}>`)
      at++
    } else if (line.startsWith('>'))
      blocks.push(
        html`<blockquote>${markdown(
          take(next => next.startsWith('>'))
            .map(quoted => quoted.replace(/^> ?/, ''))
            .join('\n'),
          linkOf,
        )}</blockquote>`,
      )
    else if (line.startsWith('|'))
      blocks.push(
        tableOf(
          take(next => next.startsWith('|')),
          inline,
        ),
      )
    else if (item.test(line))
      blocks.push(
        listOf(
          take(next => next.trim() !== '' || false),
          linkOf,
        ),
      )
    else if (/^(---+|\*\*\*+)$/.test(line.trim())) {
      blocks.push(html`<hr>`)
      at++
    } else if (/^ {4}/.test(line))
      blocks.push(
        html`<pre tabindex="0"><code>${take(next => /^ {4}/.test(next))
          .map(code => code.slice(4))
          .join('\n')}</code></pre>`,
      )
    else {
      const text = take(
        next => next.trim() !== '' && !/^(#{1,6} |```|>|\|)/.test(next) && !item.test(next),
      )
      blocks.push(html`<p>${inline(text.join(' '))}</p>`)
    }
  }
  return html`${blocks}`
}

/** The anchor of a heading, as GitHub makes it: links between the texts work there and here. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const same = (target: string) => target
const item = /^ *([-*]|\d+\.) /

/** Items with what is indented below them, lists in lists among it. */
const listOf = (lines: readonly string[], linkOf: (target: string) => string): Html => {
  const indent = /^ */.exec(lines[0]!)![0].length
  const ordered = /^ *\d+\./.test(lines[0]!)
  const items: string[][] = []
  for (const line of lines) {
    const starts = item.test(line) && /^ */.exec(line)![0].length <= indent
    if (starts) items.push([line.replace(item, '')])
    else items.at(-1)?.push(line.trimStart() === line ? line : line.slice(indent + 2))
  }
  const written = items.map(([first, ...rest]) => {
    const at = rest.findIndex(line => item.test(line))
    const own = at < 0 ? rest : rest.slice(0, at)
    return html`<li>${inlineOf([first, ...own.map(line => line.trim())].join(' '), linkOf)}${
      at >= 0 && listOf(rest.slice(at), linkOf)
    }</li>`
  })
  return ordered ? html`<ol>${written}</ol>` : html`<ul>${written}</ul>`
}

const tableOf = (lines: readonly string[], inline: (text: string) => Html): Html => {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim().replaceAll('\\|', '|'))
  const [head, , ...body] = lines.map(cells)
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head!.map(
    cell => html`<th>${inline(cell)}`,
  )}</tr></thead><tbody>${body.map(
    row => html`<tr>${row.map(cell => html`<td>${inline(cell)}`)}</tr>`,
  )}</tbody></table></div>`
}

/** Code first, since nothing in it means anything. */
const inlineOf = (text: string, linkOf: (target: string) => string): Html =>
  html`${text
    .split(/(`+[^`]*`+)/)
    .map((part, i) =>
      i % 2 === 1 ? html`<code>${part.replace(/^`+ ?| ?`+$/g, '')}</code>` : marked(part, linkOf),
    )}`

const marked = (text: string, linkOf: (target: string) => string): Html => {
  const parts = text.split(/(!?\[[^\]]*\]\([^)\s]+\)|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|<https?:[^>]+>)/)
  return html`${parts.map((part, i) => {
    if (i % 2 === 0) return part
    const [, name, target] = /^!?\[([^\]]*)\]\(([^)]+)\)$/.exec(part) ?? []
    if (target !== undefined) return anchor(linkOf(target), marked(name!, linkOf))
    if (part.startsWith('<')) return anchor(part.slice(1, -1), html`${part.slice(1, -1)}`)
    return part.startsWith('**')
      ? html`<strong>${part.slice(2, -2)}</strong>`
      : html`<em>${part.slice(1, -1)}</em>`
  })}`
}

/** Only to where a page can be; anything else stays text. */
const anchor = (target: string, name: Html): Html =>
  /^(https?:\/\/|\/|#|[\w.-]+(\/|\.|#|$))/.test(target) && !/^\w+script:/i.test(target)
    ? html`<a href="${target}">${name}</a>`
    : name
