// The cards of live matches, on the front page and on the pages of events.

/** A match with the HTML of its card. */
export interface Card {
  readonly id: number
  readonly html: string
}

export interface LiveCards {
  /** The ids of the matches that the page shows. */
  readonly shown: readonly number[]
  /** Those that have changed. */
  readonly matches: readonly Card[]
  /** Those that have just ended. */
  readonly results: readonly Card[]
}

/** How long a card shows its result, in milliseconds. */
const removeAfter = 10_000

/** `changed` is called when cards have come or gone. */
export const showCards = (cards: HTMLElement, live: LiveCards, changed: () => void): void => {
  const cardOf = (id: number) => cards.querySelector<HTMLElement>(`[data-match="${id}"]`)
  for (const { id, html } of live.results) {
    const card = cardOf(id)
    if (card !== null) end(card, html, changed)
  }
  for (const card of cards.querySelectorAll<HTMLElement>('[data-match]'))
    if (!live.shown.includes(Number(card.dataset.match)) && card.dataset.ended === undefined)
      remove(card, changed)
  for (const { id, html } of live.matches) {
    const card = cardOf(id)
    if (card === null) cards.append(elementFrom(html))
    else update(card, html)
  }
  changed()
}

export const elementFrom = (html: string): Element => {
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
const end = (card: HTMLElement, html: string, changed: () => void): void => {
  update(card, html)
  card.dataset.ended = ''
  setTimeout(() => remove(card, changed), removeAfter)
}

const remove = (card: HTMLElement, changed: () => void): void => {
  if (card.contains(document.activeElement)) setTimeout(() => remove(card, changed), removeAfter)
  else card.remove()
  changed()
}
