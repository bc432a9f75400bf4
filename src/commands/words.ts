// How the same things are said by every command: to people, and in JSON.

import { type Address, addressText } from '../config.ts'
import type { Json } from '../games/game.ts'
import { type MatchRecord, statusOf } from '../store/matches.ts'
import { units } from '../web/words.ts'

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

/** How a listener is reached on its own machine. */
export const localAddress = ({ host, port }: Address): string =>
  addressText({ host: host === '' ? '127.0.0.1' : host, port })

export const matchJson = (match: MatchRecord) => ({
  match: match.id,
  game: match.game,
  // Who knows it knows what luck will bring.
  seed: match.end === null ? null : match.seed,
  setup: match.setup,
  status: statusOf(match),
  ending: match.end?.ending ?? null,
  detail: match.end?.detail ?? null,
  unrated: match.unrated,
  voided: match.voided && { at: isoTime(match.voided.at), reason: match.voided.reason },
  startedAt: isoTime(match.startedAt),
  endedAt: isoTime(match.end?.at ?? null),
  moves: match.moveCount,
  players: match.players.map(({ name, place, fault, quick, score, rating }, seat) => ({
    seat,
    name,
    place,
    fault,
    quick,
    score,
    rating: rating && {
      before: rating.before,
      after: rating.after,
      change: rating.after - rating.before,
    },
  })),
})
