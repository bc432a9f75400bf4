import type { Arena } from '../arena/arena.ts'
import { hasLiveMoves } from '../arena/arena-event.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import { type Notes, noNotes } from '../arena/note.ts'
import type { Table } from '../arena/table.ts'
import type { VoteState } from '../arena/voting.ts'
import type { EventId } from '../events/plan.ts'
import type { Look } from '../games/game.ts'
import { liveRecord, type MatchRecord } from '../record/match-record.ts'
import { shownTables } from './feeds/live-feed.ts'
import { lastMoveOf, type Position } from './replay.ts'

/** A live match, or one that has just ended, as plain data for the thread that makes pages. */
export interface LiveMatch {
  readonly match: MatchRecord
  readonly ladder: Ladder
  /** All moves as JSON, or none where they are not needed. */
  readonly moves: string
  /** Those that spectators may read, or none where they are not needed. */
  readonly notes: Notes
  readonly clocks: readonly (number | null)[]
  /** The vote of the audience that goes on; null while there is none. */
  readonly vote: VoteState | null
  /** The current position. */
  readonly position: Position
  readonly look: Look
}

/** What pages show of live matches. */
export interface Live {
  /** How many there are. */
  readonly count: number
  /** Those of the front page, where it is asked for. */
  readonly shown: readonly LiveMatch[]
  /** The one that is asked for. */
  readonly match: LiveMatch | null
  /** All of the event that is asked for. */
  readonly boards: readonly LiveBoard[]
}

/** A live match of an event, and which one it is there: `ROUND.BOARD.LEG`. */
export interface LiveBoard {
  readonly match: MatchId
  readonly board: string
}

/** What a request to this path needs. */
export const liveAt = (arena: Arena, path: string): Live => {
  const table = arena.tables.get(idIn(path))
  const event = eventIn(path)
  const shown =
    event !== null
      ? shownTables(arena, isOf(event))
      : path === '/' || path === '/api/v1/live'
        ? shownTables(arena)
        : []
  return {
    count: arena.tables.size,
    shown: shown.map(liveMatch),
    match: table === undefined ? null : { ...liveMatch(table), ...allMoves(table) },
    boards: event === null ? [] : liveBoards(arena, event),
  }
}

export const isOf =
  (event: EventId) =>
  ({ deal }: Table): boolean =>
    deal.event?.id === event

export const liveBoards = (arena: Arena, event: EventId): readonly LiveBoard[] =>
  [...arena.tables.values()]
    .filter(isOf(event))
    .map(({ id, deal }) => ({ match: id, board: deal.event!.board }))

const eventIn = (path: string): EventId | null => /^\/events\/([^/.]+)$/.exec(path)?.[1] ?? null

const allMoves = ({ moves, notes }: Table) => ({ moves: JSON.stringify(moves), notes })

/** The number of the match that a path names, read as the router reads it; NaN if it names none. */
const idIn = (path: string): MatchId => {
  const [, id = ''] = /^\/(?:match|api\/v1\/matches)\/([^/]+)/.exec(path) ?? []
  const digits = id.replace(/%3(\d)/g, '$1')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
}

/** A match without its moves. */
export const liveMatch = (table: Table): LiveMatch => ({
  match: liveRecord(table),
  ladder: table.deal.ladder,
  moves: '[]',
  notes: noNotes,
  clocks: table.clocks,
  vote: table.vote,
  position: livePosition(table),
  look: table.look(),
})

/** The current position of a live match, in the form of a replay. */
export const livePosition = (table: Table): Position => {
  const { legal: _, toMove, ...view } = table.observation
  const movers = typeof toMove === 'number' ? [toMove].filter(seat => seat >= 0) : toMove
  return {
    view: { ...view, toMove: movers },
    last: lastMoveOf(table.moves, hasLiveMoves(table.deal.game)),
  }
}
