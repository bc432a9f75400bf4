import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../answer.ts'
import { packageRoot } from '../assets.ts'
import { type Document, readDocuments } from '../documents.ts'
import { type Html, html, raw } from '../html.ts'
import { layout, type Site } from './layout.ts'

/** The pages of the documents, with their pictures. Both come with the program and are read once. */
export class Docs {
  readonly #documents = new Map(readDocuments().map(document => [document.address, document]))
  readonly #pictures = new Map(picturesIn(join(packageRoot, 'docs', 'pictures')))

  get addresses(): readonly string[] {
    return [...this.#documents.keys()]
  }

  /** The index, or the sections that contain every word of a search. */
  list(site: Site, search: string): Answer {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    return layout(site, {
      title: 'Docs',
      path: '/docs',
      body: html`<h1>Docs</h1>
<form class="search" role="search" action="/docs"><label for="q">Search all texts</label><input id="q" name="q" type="search" value="${search}" maxlength="100" autocomplete="off"><button>Search</button></form>
${words.length === 0 ? this.#index() : this.#hits(search, words)}`,
    })
  }

  page(site: Site, rest: string): Answer | undefined {
    const address = `/docs/${rest}`
    const document = this.#documents.get(address)
    if (document === undefined) return this.#pictures.get(address)
    return layout(site, {
      title: document.title,
      path: address,
      script: 'text.js',
      body: html`<article class="text">${raw(
        document.sections.map(({ head, body }) => head + body).join(''),
      )}</article>`,
    })
  }

  /** docs/README.md without its title, because the page has its own. */
  #index(): Html {
    const [first, ...rest] = this.#documents.get('/docs')!.sections
    return html`<article class="text">${raw(
      first!.body + rest.map(({ head, body }) => head + body).join(''),
    )}</article>`
  }

  #hits(search: string, words: readonly string[]): Html {
    const hits = [...this.#documents.values()]
      .flatMap(document => findIn(document, words))
      .sort((a, b) => Number(b.isPhrase) - Number(a.isPhrase))
    return hits.length === 0
      ? html`<p class="empty">No document contains “${search}”.</p>`
      : html`<ul class="hits">${hits
          .slice(0, 60)
          .map(
            ({ address, name, excerpt }) =>
              html`<li><a href="${address}">${name}</a><p>${excerpt}</p></li>`,
          )}</ul>`
  }
}

const picturesIn = (folder: string): readonly (readonly [string, Answer])[] =>
  (existsSync(folder) ? readdirSync(folder) : []).map(name => [
    `/docs/pictures/${name}`,
    {
      type: name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
      body: readFileSync(join(folder, name)),
      maxAge: 3_600_000,
    },
  ])

/** The sections that contain all words, with an excerpt around the phrase, or around the first word. */
const findIn = ({ address, title, sections }: Document, words: readonly string[]) =>
  sections.flatMap(({ heading, anchor, text }, i) => {
    const lower = text.toLowerCase()
    if (!words.every(word => lower.includes(word))) return []
    const isWhole = heading === '' || (i === 0 && heading === title)
    const phrase = lower.indexOf(words.join(' '))
    const at = phrase < 0 ? lower.indexOf(words[0]!) : phrase
    return {
      address: isWhole ? address : `${address}#${anchor}`,
      name: isWhole ? title : `${title} › ${heading}`,
      isPhrase: phrase >= 0,
      excerpt: text.slice(Math.max(0, at - 80), at + 160),
    }
  })
