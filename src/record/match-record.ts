import type { Account, AccountId } from '../arena/account.ts'
import type { Ending, Fault } from '../arena/ending.ts'
import { isGuest, keptName } from '../arena/guests.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import type { Table } from '../arena/table.ts'
import type { Unrated } from '../arena/unrated.ts'
import { type LegName, readLeg } from '../events/leg-name.ts'
import type { EventId } from '../events/plan.ts'
import type { Game, Seed, Setup } from '../games/game.ts'
import { isoTime } from './time-text.ts'

/** One match. Commands, the hub, the pages, the API, exports and seals are made from it. Times are in milliseconds. */
export interface MatchRecord {
  readonly id: MatchId
  readonly game: string
  readonly ladder: LadderId
  readonly seed: Seed
  /** The options of the rules; null for the oldest rules. */
  readonly setup: Setup | null
  readonly unrated: Unrated | null
  /** When and why the operator voided it; null if it is not voided. */
  readonly voided: { readonly at: number; readonly reason: string | null } | null
  /** The event that it is a match of, and which one there; null for nearly every match. */
  readonly event: ({ readonly id: EventId } & LegName) | null
  readonly startedAt: number
  /** Null while it is live. */
  readonly end: { readonly at: number; readonly ending: Ending; readonly detail: string } | null
  readonly moveCount: number
  /** The position of its result in the order in which the host stored all results; null without a result. */
  readonly order: number | null
  /** Null while it is live. */
  readonly seal: SealRecord | null
  /** By seat. */
  readonly players: readonly PlayerRecord[]
}

export interface PlayerRecord {
  readonly seat: number
  readonly account: AccountId
  /** Of a guest the one by which it is shown. */
  readonly name: string
  readonly kind: Account['kind']
  /** The id of the protocol that it came by; null where there is none, or it is not known. */
  readonly protocol: string | null
  /** Null unless the match has a result. */
  readonly place: number | null
  readonly fault: Fault | null
  /** The player forfeited so early that the others gained only a share. */
  readonly quick: boolean
  readonly score: number | null
  /** Null unless the match changed the rating. */
  readonly rating: { readonly before: number; readonly after: number } | null
}

/** The seal of a match in the chain of its ladder. */
export interface SealRecord {
  readonly number: number
  /** SHA-256 in hex, as `previous` is. */
  readonly hash: string
  readonly previous: string
  /** The sealed ratings by seat; null unless a void has changed the ratings since. */
  readonly ratings: readonly PlayerRecord['rating'][] | null
}

export const matchStatuses = ['live', 'done', 'aborted'] as const
export type MatchStatus = (typeof matchStatuses)[number]

export const statusOf = ({ end }: Pick<MatchRecord, 'end'>): MatchStatus =>
  end === null ? 'live' : end.ending === 'aborted' ? 'aborted' : 'done'

/** The input from which a past match is replayed. */
export const replaySourceOf = <Moves extends Iterable<Played>>(
  game: Game,
  { seed, setup, players }: MatchRecord,
  moves: Moves,
) => ({ game, seed, setup, seats: players.length, moves })

/** From the columns of a match. */
export const eventOf = (id: EventId, board: string): NonNullable<MatchRecord['event']> => ({
  id,
  ...readLeg(board),
})

/** The record of a live match. */
export const liveRecord = ({ id, deal, accounts, startedAt, moves }: Table): MatchRecord => ({
  id,
  game: deal.game.id,
  ladder: deal.ladder.id,
  seed: deal.seed,
  setup: deal.setup,
  unrated: deal.unrated,
  voided: null,
  event: deal.event && eventOf(deal.event.id, deal.event.board),
  startedAt,
  end: null,
  moveCount: moves.length,
  order: null,
  seal: null,
  players: accounts.map(({ id, name, kind }, seat) => ({
    seat,
    account: id,
    name,
    kind,
    protocol: deal.players[seat]!.protocol ?? null,
    place: null,
    fault: null,
    quick: false,
    score: null,
    rating: null,
  })),
})

/**
 * The public record, as JSON. docs/seals.md describes every field. The seed of a live match is left out, because the dice
 * can be predicted from it.
 */
export const publicRecord = (match: MatchRecord) => ({
  id: match.id,
  game: match.game,
  ladder: match.ladder,
  status: statusOf(match),
  seed: match.end === null ? null : match.seed,
  setup: match.setup,
  unrated: match.unrated,
  voided: match.voided && { at: isoTime(match.voided.at), reason: match.voided.reason },
  event: match.event,
  startedAt: isoTime(match.startedAt),
  endedAt: isoTime(match.end?.at ?? null),
  ending: match.end?.ending ?? null,
  detail: match.end?.detail ?? null,
  order: match.order,
  moveCount: match.moveCount,
  players: match.players.map(({ rating, ...player }) => ({
    seat: player.seat,
    account: player.account,
    name: keptName(player),
    ...(isGuest(player) && { shown: player.name }),
    kind: player.kind,
    protocol: player.protocol,
    place: player.place,
    fault: player.fault,
    quick: player.quick,
    score: player.score,
    ratingBefore: rating?.before ?? null,
    ratingAfter: rating?.after ?? null,
  })),
  seal: match.seal && {
    number: match.seal.number,
    previous: match.seal.previous,
    hash: match.seal.hash,
    ratings:
      match.seal.ratings?.map(rating => [rating?.before ?? null, rating?.after ?? null]) ?? null,
  },
})

/** The public record with the fields that scripts for older versions read: `match`, `moves`, and each rating with its change. */
export const commandRecord = (match: MatchRecord) => {
  const record = publicRecord(match)
  return {
    match: match.id,
    ...record,
    moves: match.moveCount,
    players: record.players.map((player, seat) => {
      const rating = match.players[seat]?.rating ?? null
      return { ...player, rating: rating && { ...rating, change: rating.after - rating.before } }
    }),
  }
}
