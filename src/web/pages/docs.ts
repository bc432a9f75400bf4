import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../answer.ts'
import { packageRoot } from '../assets.ts'
import { html } from '../html.ts'
import { markdown, slug } from '../markdown.ts'
import { type Frame, layout } from './layout.ts'

/** The texts of docs/ and the files that they link to, read once: they come with the program. */
export class Docs {
  readonly #texts: ReadonlyMap<string, Text>

  constructor(root = packageRoot) {
    const paths = [
      ...['docs', 'examples', 'deploy'].flatMap(folder => filesIn(root, folder)),
      ...['CHANGELOG.md', 'Caddyfile'].filter(path => existsSync(join(root, path))),
    ]
    const texts = paths.map(path => textOf(root, path))
    this.#texts = new Map(texts.map(text => [text.id, text]))
  }

  get ids(): readonly string[] {
    return [...this.#texts.keys()]
  }

  /** All texts, or what of them holds every word that is searched for. */
  list(frame: Frame, search: string): Answer {
    const all = [...this.#texts.values()]
    const listed = all.filter(({ path }) => /^(docs|examples)\//.test(path))
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const hits = words.length === 0 ? [] : all.flatMap(text => findIn(text, words))
    return layout(frame, {
      title: 'Docs',
      path: '/docs',
      body: html`<h1>Docs</h1>
<form class="search" role="search" action="/docs"><label for="q">Search all texts</label><input id="q" name="q" type="search" value="${search}" maxlength="100" autocomplete="off"><button>Search</button></form>
${
  words.length === 0
    ? html`<ul class="games">${listed.map(
        ({ id, title, about }) =>
          html`<li><h2><a href="/docs/${id}">${title}</a></h2><p>${about}</p></li>`,
      )}</ul>`
    : hits.length === 0
      ? html`<p class="empty">Nothing has “${search}” in it.</p>`
      : html`<ul class="hits">${hits
          .slice(0, 60)
          .map(
            hit =>
              html`<li><a href="/docs/${hit.id}${hit.heading && `#${slug(hit.heading)}`}">${hit.title}${hit.heading && ` › ${hit.heading}`}</a><p>${hit.excerpt}</p></li>`,
          )}</ul>`
}`,
    })
  }

  page(frame: Frame, id: string): Answer | undefined {
    const text = this.#texts.get(id)
    if (text === undefined) return undefined
    const { title, source, path } = text
    return layout(frame, {
      title,
      path: `/docs/${id}`,
      script: 'text.js',
      body: path.endsWith('.md')
        ? html`<article class="text">${markdown(source, linkFrom(path, this.#texts))}</article>`
        : html`<article class="text"><h1>${title}</h1><pre tabindex="0"><code>${source}</code></pre></article>`,
    })
  }
}

interface Text {
  /** Where it is in the package. */
  readonly path: string
  /** Its address below /docs. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly source: string
}

const filesIn = (root: string, folder: string): readonly string[] =>
  !existsSync(join(root, folder))
    ? []
    : readdirSync(join(root, folder))
        .filter(name => /\.\w+$|^Dockerfile$/.test(name) && !/\.test\./.test(name))
        .sort()
        .map(name => `${folder}/${name}`)

const textOf = (root: string, path: string): Text => {
  const source = readFileSync(join(root, path), 'utf8')
  const isText = path.endsWith('.md')
  const [, title = path.replace(/^.*\//, '')] = (isText && /^# (.+)$/m.exec(source)) || []
  const [, about = ''] = (isText && /^# .+\n+([^\n#|`][^\n]*)/m.exec(source)) || []
  return { path, id: idOf(path), title, about, source }
}

const idOf = (path: string): string => path.replace(/^docs\//, '').replace(/\.md$/, '')

/** Links between the files become links between the pages; to a file that is not here there is none. */
const linkFrom =
  (from: string, texts: ReadonlyMap<string, Text>) =>
  (target: string): string => {
    if (/^(https?:|#|\/)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const linked = new URL(path, `https://docs/${from}`).pathname.slice(1)
    const text =
      texts.get(idOf(linked)) ?? texts.get(idOf(`${linked.replace(/\/$/, '')}/README.md`))
    if (text === undefined) return ''
    return `/docs/${text.id}${anchor === undefined ? '' : `#${anchor}`}`
  }

const findIn = ({ id, title, source }: Text, words: readonly string[]) => {
  const parts = source.split(/^(?=#{1,4} )/m)
  return parts
    .filter(part => words.every(word => part.toLowerCase().includes(word)))
    .map(part => {
      const [, heading = ''] = /^#{2,4} (.+)/.exec(part) ?? []
      const at = part.toLowerCase().indexOf(words[0]!)
      const excerpt = part.slice(Math.max(0, at - 80), at + 160).replace(/\s+/g, ' ')
      return { id, title, heading, excerpt }
    })
}
