// How the same things are said by every command: to people, and in JSON.

import type { Json } from '../games/game.ts'
import type { MatchRecord } from '../store/matches.ts'
import { recordOf } from '../store/record.ts'
import { units } from './units.ts'

/** Local time would differ from that of the log beside it. */
export const when = (at: number | null): string =>
  at === null ? '-' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`

export const isoTime = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()

export const duration = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`

export const counted = (n: number, unit: string): string => `${n} ${units(n, unit)}`

export const moveText = (move: Json): string =>
  typeof move === 'string' ? move : JSON.stringify(move)

export const playersOf = ({ players }: MatchRecord): string =>
  players.map(({ name }) => name).join(' - ')

/** "1-0" where two played, otherwise the place of each seat. */
export const resultOf = (match: MatchRecord): string => {
  if (match.end === null) return 'live'
  if (match.end.ending === 'aborted') return '-'
  const places = match.players.map(({ place }) => place!)
  if (places.length !== 2) return places.join(',')
  return places[0] === places[1] ? '1/2-1/2' : places[0]! < places[1]! ? '1-0' : '0-1'
}

/** Since when a match is voided, and why. */
export const voidedText = ({ at, reason }: NonNullable<MatchRecord['voided']>): string =>
  reason === null ? when(at) : `${when(at)}: ${reason}`

/** The public record, with what scripts for older versions read: `match`, `moves`, and each rating with its change. */
export const matchJson = (match: MatchRecord) => {
  const record = recordOf(match)
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
