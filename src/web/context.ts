import type { Arena } from '../arena/arena.ts'
import { hasLiveMoves } from '../arena/arena-event.ts'
import type { MatchId, MatchStore } from '../arena/match-store.ts'
import { seatRatings } from '../arena/seat-ratings.ts'
import type { Table } from '../arena/table.ts'
import type { Clock } from '../clock.ts'
import { gameOf } from '../games/index.ts'
import type { Registrar } from '../protocols/credentials.ts'
import { liveRecord, type MatchRecord } from '../record/match-record.ts'
import type { TextStreamer } from '../scheduling/text-stream.ts'
import type { RegistrationPolicy } from '../store/registration.ts'
import type { Tables } from '../store/store.ts'
import { keptReplay, lastMoveOf, liveReplay, type MatchReplay, type Position } from './replay.ts'

/** The parts of the host that the web reads. It changes nothing but by registering accounts. */
export interface WebContext {
  readonly arena: Arena
  readonly store: Pick<Tables, 'matches' | 'chains' | 'ladders' | 'rankings' | 'profiles' | 'users'>
  readonly matchStore: Pick<MatchStore, 'standing'>
  readonly clock: Clock
  /** Makes long bodies in slices. */
  readonly textStreamer: TextStreamer
  /** The name of this host in instructions and links. */
  readonly host: string
  /** Where agents connect: host and port for SSH, and the address for WebSocket, which is null without AgentGames. */
  readonly place: {
    readonly sshHost: string
    readonly sshPort: number
    readonly play: string | null
  }
  readonly registration: RegistrationPolicy
  readonly registrar: Pick<Registrar, 'register'>
}

/** A match with everything that the pages show of it. */
export interface ShownMatch {
  readonly match: MatchRecord
  /** By seat: the current ratings while it is live, and the ratings before the match once it is over. */
  readonly ratings: readonly (number | null)[]
  readonly replay: MatchReplay
  /** Null once it is over. */
  readonly table: Table | null
}

/** A live or past match; undefined if there is no such match, or if it cannot be replayed. */
export const findMatch = (context: WebContext, id: MatchId): ShownMatch | undefined => {
  const table = context.arena.tables.get(id)
  if (table !== undefined) return liveMatch(context, table)
  const match = context.store.matches.find(id)
  const replay = match && keptReplay(match, context.store.matches)
  if (match === undefined || replay === undefined) return undefined
  const ratings = match.players.map(({ rating }) => rating?.before ?? null)
  return { match, replay, ratings, table: null }
}

export const liveMatch = ({ matchStore }: WebContext, table: Table): ShownMatch => {
  return {
    match: liveRecord(table),
    ratings: seatRatings(matchStore, table.deal),
    replay: liveReplay(table),
    table,
  }
}

/** The current position of a live match, in the form of a replay. */
export const livePosition = (table: Table): Position => {
  const { legal: _, toMove, ...view } = table.observation
  const movers = typeof toMove === 'number' ? [toMove].filter(seat => seat >= 0) : toMove
  return {
    view: { ...view, toMove: movers },
    last: lastMoveOf(table.moves, hasLiveMoves(table.deal.game)),
  }
}

export const titleOf = (id: string): string => gameOf(id)?.title ?? id
