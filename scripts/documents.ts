// Makes the HTML of the documents for the web pages, in dist/documents.json. scripts/ready.mjs runs it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked, type RendererObject, type Tokens } from 'marked'
import type { Document, Section } from '../src/web/documents.ts'
import { html, raw } from '../src/web/html.ts'

/** Every file of docs, examples and deploy, and two files that they link to. */
export const documentsOf = (root: string): readonly Document[] => {
  const paths = [
    ...['docs', 'docs/protocols', 'examples', 'deploy'].flatMap(folder => filesIn(root, folder)),
    ...['CHANGELOG.md', 'Caddyfile'],
  ]
  return paths.map(path =>
    documentOf(path, readFileSync(join(root, path), 'utf8'), linkFrom(path, paths)),
  )
}

/** The address of a linked page; undefined if there is no page, so that the link becomes plain text. */
type LinkOf = (target: string) => string | undefined

export const documentOf = (
  path: string,
  source: string,
  linkOf: LinkOf = target => target,
): Document => {
  const address = addressOf(path)
  const name = path.replace(/^.*\//, '')
  if (!path.endsWith('.md')) {
    const head = html`<h1>${name}</h1>`.text
    const body = html`<pre tabindex="0"><code>${source}</code></pre>`.text
    return {
      path,
      address,
      title: name,
      sections: [{ heading: '', anchor: '', head, body, text: source }],
    }
  }
  const sections = sectionsOf(source, linkOf)
  return { path, address, title: sections[0]?.heading ?? name, sections }
}

const sectionsOf = (source: string, linkOf: LinkOf): readonly Section[] => {
  const marked = new Marked<string, string>({ renderer: rendererOf(linkOf) })
  const groups: Tokens.Generic[][] = []
  for (const token of marked.lexer(source))
    if (token.type === 'heading' || groups.length === 0) groups.push([token])
    else groups.at(-1)!.push(token)
  return groups.map(([first, ...rest]) => {
    const isHeaded = first!.type === 'heading'
    const heading = isHeaded ? plain(first!.text) : ''
    const head = isHeaded ? marked.parser([first!]).trim() : ''
    const body = marked.parser(isHeaded ? rest : [first!, ...rest]).trim()
    return { heading, anchor: anchorOf(heading), head, body, text: textOf(head + body) }
  })
}

/** The visible text of HTML. */
const textOf = (html: string): string =>
  html
    .replace(/<\/?(code|strong|em|a)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(\w+|#39);/g, (_, name) => marks[name as keyof typeof marks])
    .replace(/\s+/g, ' ')
    .trim()

const marks = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as const

/** Differences from marked's HTML: anchors, links between pages, blocks that scroll by keyboard, no tags from the source. */
const rendererOf = (linkOf: LinkOf): RendererObject<string, string> => ({
  heading({ tokens, depth, text }) {
    const level = raw(`h${depth}`)
    const inner = raw(this.parser.parseInline(tokens))
    return html`<${level} id="${anchorOf(plain(text))}">${inner}</${level}>\n`.text
  },
  code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
  html: ({ text }) => html`${text}`.text,
  link({ href, tokens }) {
    const inner = raw(this.parser.parseInline(tokens))
    const to = linkOf(href)
    return (
      to === undefined || /^\w+script:/i.test(to) ? inner : html`<a href="${to}">${inner}</a>`
    ).text
  },
  image({ href, text }) {
    const from = linkOf(href)
    return from === undefined ? '' : html`<img src="${from}" alt="${text}" loading="lazy">`.text
  },
  table({ header, rows }) {
    const cells = (tag: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
      row.map(({ tokens }) => html`<${raw(tag)}>${raw(this.parser.parseInline(tokens))}`)
    return html`<div class="scroll" tabindex="0"><table><thead><tr>${cells('th', header)}</tr></thead><tbody>${rows.map(
      row => html`<tr>${cells('td', row)}</tr>`,
    )}</tbody></table></div>\n`.text
  },
})

/** The anchors of GitHub, so that links between documents work there and here. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** A heading without the Markdown of code and emphasis. */
const plain = (heading: string): string => heading.replace(/[`*]/g, '')

const filesIn = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter(name => /\.\w+$|^Dockerfile$/.test(name) && !/\.test\./.test(name))
    .sort()
    .map(name => `${folder}/${name}`)

const addressOf = (path: string): string =>
  path === 'docs/README.md' ? '/docs' : `/docs/${path.replace(/^docs\//, '').replace(/\.md$/, '')}`

/** Links between the files become links between the pages. A file that has no page has no link either. */
const linkFrom =
  (from: string, paths: readonly string[]): LinkOf =>
  target => {
    if (/^(https?:|#|\/)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const linked = new URL(path, `https://docs/${from}`).pathname.slice(1)
    if (linked.startsWith('docs/pictures/')) return `/${linked}`
    const known = [linked, `${linked.replace(/\/$/, '')}/README.md`].find(file =>
      paths.includes(file),
    )
    return known && addressOf(known) + (anchor === undefined ? '' : `#${anchor}`)
  }

const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv[1] === fileURLToPath(import.meta.url) && existsSync(join(root, 'dist')))
  writeFileSync(join(root, 'dist', 'documents.json'), JSON.stringify(documentsOf(root)))
