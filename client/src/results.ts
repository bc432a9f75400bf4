// How matches began and ended, from what is told over HTTP.

import type { Json, Listing, Observation } from './games.ts'
import type { Hello, Result } from './messages.ts'

/** What a call is answered, as docs/http.md describes it. */
export interface PlayAnswer {
  readonly status: string
  readonly seat: string
  readonly game: string
  readonly match: number
  /** Only at the beginning and at the end. */
  readonly ladder?: string
  readonly you: number
  readonly players: readonly string[]
  readonly ply: number
  readonly clock?: { readonly move_s: number; readonly bank_s?: number }
  readonly time_left_s?: number
  readonly board: object
  readonly legal?: readonly Json[]
  readonly result: 'win' | 'loss' | 'draw' | 'aborted'
  readonly places: readonly number[]
  readonly scores?: readonly number[]
  readonly ending: string
  readonly because: string
  readonly rated?: boolean
  readonly unrated?: string
  readonly rating: number
  readonly change: number
  readonly code?: string
  readonly detail?: string
  readonly next: string
}

/** `GET /api/v1/matches/N`, as far as it is read. */
export interface MatchRecord {
  readonly id: number
  readonly status: 'live' | 'done' | 'aborted'
  readonly ladder: string
  readonly unrated: string | null
  readonly ending: string
  readonly detail: string
  readonly players: readonly {
    readonly place: number
    readonly fault: string | null
    readonly score: number | null
    readonly ratingBefore: number | null
    readonly ratingAfter: number | null
  }[]
}

export const resultOfAnswer = <G extends string, L extends Listing>(
  answer: PlayAnswer,
  observation: Observation<G, L>,
): Result<G, L> => {
  const { you, match, places, scores, ending, because, rated, unrated, rating, change } = answer
  return {
    ...outcomeOf(places, you),
    ...{ rating, change, ...reasonOf(ending), detail: because, match },
    ...(places.length > 2 && { places }),
    ...(scores && { scores }),
    ...{ rated: rated === true, ...(unrated !== undefined && { unrated }), observation },
  }
}

/** Of a match that ended while there was no connection. */
export const resultOfRecord = <G extends string, L extends Listing>(
  { id, unrated, ending, detail, players }: MatchRecord,
  seat: number,
  observation: Observation<G, L>,
): Result<G, L> => {
  const places = players.map(({ place }) => place)
  const scores = players.map(({ score }) => score).filter(score => score !== null)
  const { ratingBefore, ratingAfter, fault } = players[seat]!
  return {
    ...outcomeOf(places, seat),
    rating: ratingAfter ?? Number.NaN,
    change: ratingAfter === null || ratingBefore === null ? 0 : ratingAfter - ratingBefore,
    ...reasonOf(reasons[ending] === undefined && fault !== null ? fault : ending),
    ...{ detail, match: id },
    ...(places.length > 2 && { places }),
    ...(scores.length === places.length && { scores }),
    ...{ rated: unrated === null, ...(unrated !== null && { unrated }), observation },
  }
}

/** The other seats, as `hello` names them. */
export const othersOf = (
  players: readonly string[],
  seat: number,
): Pick<Hello, 'opponent' | 'players'> => ({
  opponent: players.filter((_, other) => other !== seat).join(', '),
  ...(players.length > 2 && { players }),
})

const outcomeOf = (places: readonly number[], seat: number): Pick<Result, 'winner' | 'outcome'> => {
  const first = places.flatMap((place, at) => (place === 1 ? [at] : []))
  return {
    winner: first.length === 1 ? first[0]! : -1,
    outcome: !first.includes(seat) ? 'loss' : first.length === 1 ? 'win' : 'draw',
  }
}

const reasonOf = (ending: string) => {
  const reason = reasons[ending]
  return reason === undefined ? {} : { reason }
}

const reasons: Readonly<Record<string, string>> = {
  illegal: 'forfeit: illegal move',
  late: 'forfeit: move timeout',
  gone: 'forfeit: connection closed',
  resigned: 'resignation',
}
