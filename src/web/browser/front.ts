import { type Card, elementFrom, type LiveCards, showCards } from './cards.ts'
import { element } from './elements.ts'

interface Live extends LiveCards {
  readonly count: number
  /** With the row for the table of results, if there is a result. */
  readonly results: readonly (Card & { readonly line: string | null })[]
}

const cards = element('#cards')
const results = element('#results tbody')

const maxResults = 12

new EventSource('/api/v1/live/events').addEventListener('live', event => {
  const live: Live = JSON.parse(event.data)
  element('#count').textContent = `${live.count} match${live.count === 1 ? '' : 'es'}`
  for (const { line } of live.results) if (line !== null) addResult(line)
  showCards(cards, live, toggleEmpty)
})

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
