import { isDeepStrictEqual } from 'node:util'
import { checkEvent } from '../events/check-event.ts'
import type { Numbered } from '../events/entry.ts'
import type { Tables } from './store.ts'

/**
 * Draws the rounds of every event again from its log, and compares each result in it with its match. Answers with the
 * number of events and all differences.
 */
export const checkEvents = ({ events }: Pick<Tables, 'events'>) => {
  const all = events.list()
  const differences = all.flatMap(({ plan: { id } }) => {
    const entries = events.read(id)
    const wrong = checkEvent(entries)
    const matches = new Map(events.boardMatches(id).map(match => [match.match, match]))
    const others = entries.flatMap(entry => {
      if (entry.kind !== 'played' || entry.match === null) return []
      const problem = wrongResult(entry, matches.get(entry.match))
      return problem === null ? [] : [`entry ${entry.number} (played): ${problem}`]
    })
    return [...(wrong === null ? [] : [wrong]), ...others].map(text => `event ${id}: ${text}`)
  })
  const strays = events.strays().map(id => `match ${id}: it is of an event that is not there`)
  return { events: all.length, differences: [...differences, ...strays] }
}

type BoardMatch = ReturnType<Tables['events']['boardMatches']>[number]
type Played = Extract<Numbered, { kind: 'played' }>

const wrongResult = (entry: Played, match: BoardMatch | undefined): string | null => {
  if (match === undefined) return `match ${entry.match} is not of this event`
  const board = `${entry.round}.${entry.board}.${entry.leg}`
  if (match.board !== board) return `match ${entry.match} is ${match.board}, and not ${board}`
  if (match.status !== 'done') return `match ${entry.match} has no result`
  for (const part of ['accounts', 'places'] as const)
    if (!isDeepStrictEqual(match[part], entry[part]))
      return `match ${entry.match} has the ${part} ${match[part]}, and not ${entry[part]}`
  return null
}
