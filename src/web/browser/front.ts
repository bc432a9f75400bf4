import { element } from './elements.ts'

interface Live {
  readonly count: number
  /** The numbers of the matches that belong on the page. */
  readonly shown: readonly number[]
  /** What is new of them, each as the host would write it. */
  readonly matches: readonly { readonly id: number; readonly html: string }[]
  /** Matches that have just ended: the card, and the line for the table of results where there is a result. */
  readonly results: readonly {
    readonly id: number
    readonly html: string
    readonly line: string | null
  }[]
}

const cards = element('#cards')
const results = element('#results tbody')

/** Long enough to read who won. */
const keepEnded = 10_000
const mostResults = 12

new EventSource('/api/v1/live/events').addEventListener('live', event => {
  const live: Live = JSON.parse(event.data)
  element('#count').textContent = `${live.count} match${live.count === 1 ? '' : 'es'}`
  for (const { id, html, line } of live.results) {
    if (line !== null) addResult(line)
    const card = cardOf(id)
    if (card !== null) end(card, html)
  }
  for (const card of cards.querySelectorAll<HTMLElement>('[data-match]'))
    if (!live.shown.includes(Number(card.dataset.match)) && card.dataset.ended === undefined)
      remove(card)
  for (const { id, html } of live.matches) {
    const card = cardOf(id)
    if (card === null) cards.append(elementFrom(html))
    else update(card, html)
  }
  showWhetherEmpty()
})

const cardOf = (id: number) => cards.querySelector<HTMLElement>(`[data-match="${id}"]`)

const elementFrom = (html: string): Element => {
  const made = document.createElement('template')
  made.innerHTML = html
  const [first] = made.content.children
  if (first === undefined) throw new Error('the host sent nothing to show')
  return first
}

/** Only the board and what stands below it change under a pointer, not the link around them. */
const update = (card: HTMLElement, html: string): void => {
  const fresh = elementFrom(html)
  for (const part of ['.mini', '.foot'])
    card.querySelector(part)?.replaceWith(fresh.querySelector(part) ?? '')
}

/** The result stays to be read before the card goes. */
const end = (card: HTMLElement, html: string): void => {
  update(card, html)
  card.dataset.ended = ''
  setTimeout(() => remove(card), keepEnded)
}

const remove = (card: HTMLElement): void => {
  if (card.contains(document.activeElement)) setTimeout(() => remove(card), keepEnded)
  else card.remove()
  showWhetherEmpty()
}

const showWhetherEmpty = (): void => {
  element('#nobody').hidden = cards.childElementCount > 0
}

const addResult = (line: string): void => {
  element('#no-results').hidden = true
  element('#results').hidden = false
  // A row is parsed as one only inside a table.
  results.prepend(elementFrom(`<table><tbody>${line}</tbody></table>`).querySelector('tr') ?? '')
  while (results.childElementCount > mostResults) results.lastElementChild?.remove()
}
