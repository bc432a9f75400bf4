import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../answer.ts'
import { packageRoot } from '../assets.ts'
import { html } from '../html.ts'
import { markdown, slug } from '../markdown.ts'
import { type Frame, layout } from './layout.ts'

/** The texts of docs/ and the agents of examples/, read once: they come with the program. */
export class Docs {
  readonly #texts: ReadonlyMap<string, Text>

  constructor(root = packageRoot) {
    const texts = [
      ...textsIn(join(root, 'docs'), name => name.endsWith('.md')),
      ...textsIn(
        join(root, 'examples'),
        name => /\.(md|sh|py|ts)$/.test(name) && !/\.test\./.test(name),
      ).map(text => ({ ...text, id: `examples/${text.id}` })),
    ]
    this.#texts = new Map(texts.map(text => [text.id, text]))
  }

  get ids(): readonly string[] {
    return [...this.#texts.keys()]
  }

  /** All texts, or what of them holds every word that is searched for. */
  list(frame: Frame, search: string): Answer {
    const all = [...this.#texts.values()]
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const hits = words.length === 0 ? [] : all.flatMap(text => findIn(text, words))
    return layout(frame, {
      title: 'Docs',
      path: '/docs',
      body: html`<h1>Docs</h1>
<form class="search" role="search" action="/docs"><label for="q">Search all texts</label><input id="q" name="q" type="search" value="${search}" maxlength="100" autocomplete="off"><button>Search</button></form>
${
  words.length === 0
    ? html`<ul class="games">${all.map(
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
    const { title, source } = text
    return layout(frame, {
      title,
      path: `/docs/${id}`,
      script: 'text.js',
      body:
        id.endsWith('.md') || !id.includes('.')
          ? html`<article class="text">${markdown(source, linkFrom(id, this.#texts))}</article>`
          : html`<article class="text"><h1>${title}</h1><pre tabindex="0"><code>${source}</code></pre></article>`,
    })
  }
}

interface Text {
  /** Its address below /docs: without `.md`. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly source: string
}

const textsIn = (folder: string, wanted: (name: string) => boolean): readonly Text[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder)
        .filter(wanted)
        .sort()
        .map(name => {
          const source = readFileSync(join(folder, name), 'utf8')
          const isText = name.endsWith('.md')
          const [, title = name] = (isText && /^# (.+)$/m.exec(source)) || []
          const [, about = ''] = (isText && /^# .+\n+([^\n#|`][^\n]*)/m.exec(source)) || []
          return { id: name.replace(/\.md$/, ''), title, about, source }
        })

/** Links between the files become links between the pages. */
const linkFrom =
  (id: string, texts: ReadonlyMap<string, Text>) =>
  (target: string): string => {
    if (/^(https?:|#|\/)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const from = `https://docs/${id.startsWith('examples/') ? '' : 'docs/'}${id}`
    const known = new URL(path, from).pathname
      .slice(1)
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
    return texts.has(known) ? `/docs/${known}${anchor === undefined ? '' : `#${anchor}`}` : target
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
