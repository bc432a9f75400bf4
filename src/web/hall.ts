import type { Arena } from '../arena/arena.ts'
import { hasLiveMoves } from '../arena/arena-event.ts'
import type { MatchId, MatchStore } from '../arena/match-store.ts'
import type { Table } from '../arena/table.ts'
import type { Clock } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import { liveRecord, type MatchRecord } from '../record/match-record.ts'
import type { TextStreamer } from '../scheduling/text-stream.ts'
import type { Tables } from '../store/store.ts'
import { keptReplay, lastOf, liveReplay, type MatchReplay, type Position } from './replay.ts'

/** What the pages know of the house. They look, and change nothing. */
export interface Hall {
  readonly arena: Arena
  readonly store: Pick<Tables, 'matches' | 'chains' | 'rankings' | 'profiles' | 'users'>
  readonly matchStore: Pick<MatchStore, 'standing'>
  readonly clock: Clock
  /** Makes what is too long to be made in one turn. */
  readonly textStreamer: TextStreamer
  /** The name of this host in instructions and links. */
  readonly host: string
  /** Where agents play: the port for SSH, and the address for WebSocket. */
  readonly place: {
    readonly sshHost: string
    readonly sshPort: number
    readonly play: string
  }
  /** Who may make an account: everybody, those with a code from the operator, or the operator alone. */
  readonly registration: 'open' | 'invite' | 'closed'
}

/** A match with everything that can be told of it. */
export interface Told {
  readonly match: MatchRecord
  /** By seat: now while it is live, from before the match once it is over. */
  readonly ratings: readonly (number | null)[]
  readonly replay: MatchReplay
  /** While it is live. */
  readonly table: Table | null
}

export const tellMatch = (hall: Hall, id: MatchId): Told | undefined => {
  const table = hall.arena.tables.get(id)
  if (table !== undefined) return tellTable(hall, table)
  const match = hall.store.matches.find(id)
  const replay = match && keptReplay(match, hall.store.matches)
  if (match === undefined || replay === undefined) return undefined
  const ratings = match.players.map(({ rating }) => rating?.before ?? null)
  return { match, replay, ratings, table: null }
}

export const tellTable = ({ matchStore }: Hall, table: Table): Told => {
  const { deal } = table
  const rated = (account: number) => matchStore.standing(account, deal.ladder).rating
  return {
    match: liveRecord(table),
    ratings: deal.players.map(({ account }) =>
      account.kind === 'house' ? null : rated(account.id),
    ),
    replay: liveReplay(table),
    table,
  }
}

/** The board of a live match as it now stands, in the shape that a replay has it in. */
export const livePosition = (table: Table): Position => {
  const { legal: _, toMove, ...view } = table.observation
  const movers = typeof toMove === 'number' ? [toMove].filter(seat => seat >= 0) : toMove
  return {
    view: { ...view, toMove: movers },
    last: lastOf(table.moves, hasLiveMoves(table.deal.game)),
  }
}

export const titleOf = (id: string): string => gameOf(id)?.title ?? id

export const knownGame = (id: string): Game | undefined => gameOf(id)
