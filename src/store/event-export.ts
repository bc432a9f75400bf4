import type { EventState } from '../events/state.ts'
import { notationOf, notationPieces } from '../record/export.ts'
import type { Tables } from './store.ts'

/** All matches of an event that are over, as PGN, in pieces; null where its game has none. */
export const eventPgn = (
  { events, matches }: Pick<Tables, 'events' | 'matches'>,
  { plan }: EventState,
  site: string,
): (() => Iterable<string>) | null =>
  notationOf(plan.game) !== 'pgn'
    ? null
    : function* () {
        let first = true
        for (const { match, board, status } of events.boardMatches(plan.id)) {
          if (status !== 'done') continue
          const moves = matches.keptMoves(match)
          const of = { event: plan.title, round: board }
          if (!first) yield '\n'
          first = false
          yield* notationPieces(matches.find(match)!, moves, matches.notes(match), site, of)
        }
      }
