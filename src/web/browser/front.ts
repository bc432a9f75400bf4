import { element } from './elements.ts'

interface Live {
  readonly count: number
  /** The ids of the matches that the page shows. */
  readonly shown: readonly number[]
  /** The changed matches, each with the HTML of its card. */
  readonly matches: readonly { readonly id: number; readonly html: string }[]
  /** Matches that have just ended: the card, and the row for the table of results if there is a result. */
  readonly results: readonly {
    readonly id: number
    readonly html: string
    readonly line: string | null
  }[]
}

const cards = element('#cards')
const results = element('#results tbody')

/** How long a card shows its result, in milliseconds. */
const removeAfter = 10_000
const maxResults = 12

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
  toggleEmpty()
})

const cardOf = (id: number) => cards.querySelector<HTMLElement>(`[data-match="${id}"]`)

const elementFrom = (html: string): Element => {
  const made = document.createElement('template')
  made.innerHTML = html
  const [first] = made.content.children
  if (first === undefined) throw new Error('the host sent no HTML')
  return first
}

/** Replaces the board and the foot, but not the link around them, so that focus and pointer stay on it. */
const update = (card: HTMLElement, html: string): void => {
  const fresh = elementFrom(html)
  for (const part of ['.mini', '.foot'])
    card.querySelector(part)?.replaceWith(fresh.querySelector(part) ?? '')
}

/** Shows the result, and removes the card later. */
const end = (card: HTMLElement, html: string): void => {
  update(card, html)
  card.dataset.ended = ''
  setTimeout(() => remove(card), removeAfter)
}

const remove = (card: HTMLElement): void => {
  if (card.contains(document.activeElement)) setTimeout(() => remove(card), removeAfter)
  else card.remove()
  toggleEmpty()
}

const toggleEmpty = (): void => {
  element('#no-live').hidden = cards.childElementCount > 0
}

const addResult = (line: string): void => {
  element('#no-results').hidden = true
  element('#results').hidden = false
  // The parser accepts a row only inside a table.
  results.prepend(elementFrom(`<table><tbody>${line}</tbody></table>`).querySelector('tr') ?? '')
  while (results.childElementCount > maxResults) results.lastElementChild?.remove()
}
