// The seal of a match or a season: a hash over its record and over the seal before it on its ladder. docs/seals.md describes it to
// the byte, and examples/verify_export.py computes it. What is sealed once never changes: another form is another type.

import { hash } from 'node:crypto'
import type { Account } from './arena/account.ts'
import type { Seed } from './games/game.ts'

/** The hash of an entry follows from the hash before it on the same ladder; the first follows from `noHash`. */
export const sealOf = (previous: string, text: string): string =>
  hash('sha256', `${previous}\n${text}`)

/** The hash before the first seal of a ladder. */
export const noHash = '0'.repeat(64)

/** Stands for a sealed rating that does not exist: of a match that was voided before there were seals. */
export const noRating = -1e9

/** The sealed text of a match. Moves and setup are taken as they are on disk: JSON without white space. */
export const sealedMatch = (
  match: SealedMatch,
  ladder: string,
  seats: readonly SealedSeat[],
): string => {
  const head = JSON.stringify({
    type: 'match',
    id: match.id,
    game: match.game,
    ladder,
    startedAt: isoOf(match.started_at),
    endedAt: isoOf(match.ended_at),
    ending: match.ending,
    detail: match.detail,
    unrated: match.unrated,
    order: match.finished_seq,
    seed: seedOf(match.seed),
    moveCount: match.move_count,
    players: seats.map(seat => ({
      seat: seat.seat,
      account: seat.account,
      name: seat.name,
      kind: seat.kind,
      place: seat.place,
      fault: seat.fault,
      // Kept as 0 or 1. Another value is sealed as it is, so that a change shows.
      quick: [false, true][seat.quick] ?? seat.quick,
      score: seat.score,
      ratingBefore: seat.rating_before,
      ratingAfter: seat.rating_after,
    })),
  })
  return `${head.slice(0, -1)},"setup":${match.setup ?? 'null'},"moves":${match.moves}}`
}

/** The sealed text of a void, or of a void that is taken back. */
export const sealedAct = ({ type, match, ladder, at, reason }: Act): string =>
  JSON.stringify({ type, id: match, ladder, at: isoOf(at), reason })

export interface Act {
  readonly type: 'void' | 'unvoid'
  readonly match: number
  readonly ladder: string
  readonly at: number
  readonly reason: string | null
}

/** The sealed text of a season that is closed, with its table. */
export const sealedSeason = (season: SealedSeason, rows: readonly SealedRow[]): string =>
  JSON.stringify({
    type: 'season',
    ladder: season.ladder,
    number: season.number,
    title: season.title,
    rule: season.rule,
    closedAt: isoOf(season.closed_at),
    order: season.last_seq,
    matches: season.matches,
    table: rows.map(row => ({
      rank: row.rank,
      account: row.account,
      name: row.name,
      rating: row.rating,
      strength: row.strength,
      error: row.error,
      games: row.games,
      wins: row.wins,
      draws: row.draws,
      losses: row.losses,
    })),
  })

/** A season as it is on disk. */
export interface SealedSeason {
  readonly ladder: string
  readonly number: number
  readonly title: string
  readonly rule: string
  readonly closed_at: number
  readonly last_seq: number
  readonly matches: number
}

/** A row of the table of a season as it is on disk. */
export interface SealedRow {
  readonly rank: number | null
  readonly account: number
  readonly name: string
  readonly rating: number
  readonly strength: number | null
  readonly error: number | null
  readonly games: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

/** A match as it is on disk; times are milliseconds since 1970. */
export interface SealedMatch {
  readonly id: number
  readonly game: string
  readonly seed: number | string
  readonly setup: string | null
  readonly unrated: string | null
  readonly started_at: number
  readonly ended_at: number | null
  readonly ending: string | null
  readonly detail: string | null
  readonly finished_seq: number | null
  readonly move_count: number
  readonly moves: string
}

export interface SealedSeat extends Pick<Account, 'name' | 'kind'> {
  readonly seat: number
  readonly account: number
  readonly place: number | null
  readonly fault: string | null
  readonly quick: number
  readonly score: number | null
  readonly rating_before: number | null
  readonly rating_after: number | null
}

/** A seed as it is on disk. */
export const seedText = (seed: Seed): number | string =>
  typeof seed === 'number' ? seed : `0x${seed}`

/** A seed as it was before it went to disk. */
export const seedOf = (kept: number | string): Seed =>
  typeof kept === 'number' ? kept : kept.slice(2)

const isoOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()
