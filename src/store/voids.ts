import type { MatchId } from '../arena/keeper.ts'
import type { Clock } from '../clock.ts'
import { type Database, prepare, type Query } from './database.ts'
import { Matches, type MatchRecord, type PlayerRecord } from './matches.ts'
import { recompute } from './reckoning.ts'
import { ratingWriter } from './standings.ts'

/** Takes results back out of the ratings, as if their matches had been unrated, and lets them count again. */
export class Voids {
  readonly #db: Database
  readonly #clock: Clock
  readonly #matches: Matches
  readonly #mark: Query<{ id: MatchId; at: number | null; reason: string | null }, unknown>
  readonly #writeSeat: Query<SeatRating, unknown>
  readonly #writeRating: ReturnType<typeof ratingWriter>

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#matches = new Matches(db)
    this.#mark = prepare(db, (sql, $: { id: MatchId; at: number | null; reason: string | null }) =>
      sql
        .updateTable('matches')
        .set({ voided_at: $.at, void_reason: $.reason })
        .where('id', '=', $.id),
    )
    this.#writeSeat = prepare(db, (sql, $: SeatRating) =>
      sql
        .updateTable('match_seats')
        .set({ rating_before: $.before, rating_after: $.after })
        .where('match', '=', $.match)
        .where('seat', '=', $.seat),
    )
    this.#writeRating = ratingWriter(db)
  }

  /** All of them or none: answers with what followed, or why one of them cannot be voided. */
  void(ids: readonly MatchId[], reason: string | null): Recount | Problem {
    return this.#change(ids, this.#clock.date(), reason, match =>
      match.end === null
        ? 'it is still being played: void it when it is over, or ban one of its players to end it'
        : match.end.ending === 'aborted'
          ? 'it was aborted: it has no result, and changed no rating'
          : match.voided !== null
            ? 'it is voided already'
            : null,
    )
  }

  /** The other way round. */
  unvoid(ids: readonly MatchId[]): Recount | Problem {
    return this.#change(ids, null, null, match =>
      match.voided === null ? 'it is not voided' : null,
    )
  }

  #change(
    ids: readonly MatchId[],
    at: number | null,
    reason: string | null,
    objection: (match: MatchRecord) => string | null,
  ): Recount | Problem {
    return this.#db.file
      .transaction(() => {
        const matches: MatchRecord[] = []
        for (const id of new Set(ids)) {
          const match = this.#matches.find(id)
          if (match === undefined) return { problem: `there is no match ${id}` }
          const why = objection(match)
          if (why !== null) return { problem: `match ${id}: ${why}` }
          matches.push(match)
        }
        for (const { id } of matches) this.#mark.run({ id, at, reason })
        const ladders = new Set(
          matches
            .filter(({ unrated }) => unrated === null || unrated === 'voided')
            .map(({ ladder }) => ladder),
        )
        return [...ladders]
          .map(ladder => this.#reckonAgain(ladder))
          .reduce(
            (sum, one) => ({
              matches: sum.matches + one.matches,
              ratings: sum.ratings + one.ratings,
            }),
            { matches: 0, ratings: 0 },
          )
      })
      .immediate()
  }

  /** Reckons a ladder from its first result on, and writes down what has come out otherwise. */
  #reckonAgain(ladder: string): Recount {
    const seats: SeatRating[] = []
    const accounts = new Set<number>()
    const { ratings } = recompute(this.#matches.results(ladder), (result, before, after) => {
      for (const [seat, kept] of result.ratings.entries()) {
        const now: PlayerRecord['rating'] = result.rated
          ? { before: before[seat]!.rating, after: after[seat]!.rating }
          : null
        if (kept?.before === now?.before && kept?.after === now?.after) continue
        const { match } = result
        seats.push({ match, seat, before: now?.before ?? null, after: now?.after ?? null })
        accounts.add(result.accounts[seat]!)
      }
    })
    for (const seat of seats) this.#writeSeat.run(seat)
    for (const [key, rating] of ratings) {
      const account = Number.parseInt(key, 10)
      if (accounts.has(account)) this.#writeRating.run({ account, game: ladder, ...rating })
    }
    return { matches: new Set(seats.map(({ match }) => match)).size, ratings: accounts.size }
  }
}

/** How many matches, and how many ratings at the end, have come out otherwise. */
export interface Recount {
  readonly matches: number
  readonly ratings: number
}

type Problem = { readonly problem: string }
type SeatRating = {
  readonly match: MatchId
  readonly seat: number
  readonly before: number | null
  readonly after: number | null
}
