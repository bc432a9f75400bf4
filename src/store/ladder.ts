import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './reckoning.ts'

/** Who is how good at a game. The banned are not on it; their ratings stay, as their matches do. */
export class Ladder {
  readonly #page: Query<{ game: string; limit: number; offset: number }, Ranked>
  readonly #all: Query<object, Rating & { account: AccountId; game: string; name: string }>
  readonly #firsts: Query<
    object,
    { account: AccountId; game: string; against: AccountId; firsts: number }
  >

  constructor(db: Database) {
    this.#page = prepare(db, (query, $: { game: string; limit: number; offset: number }) =>
      query
        .selectFrom('ratings')
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
        .select(['name', 'rating', 'games', 'wins', 'losses', 'draws'])
        .where('game', '=', $.game)
        // Written out rather than bound, as the condition of the index is.
        .where('games', '>', sql.lit(0))
        .where('banned_at', 'is', null)
        .orderBy('rating', 'desc')
        .orderBy('ratings.account')
        .limit($.limit)
        .offset($.offset),
    )
    this.#all = prepare(db, query =>
      query
        .selectFrom('ratings')
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
        .select(['account', 'game', 'name', 'rating', 'games', 'wins', 'losses', 'draws', 'lead']),
    )
    this.#firsts = prepare(db, query =>
      query.selectFrom('meetings').select(['account', 'game', 'against', 'firsts']),
    )
  }

  /** Best first; the one at `offset` has rank `offset` + 1. */
  page(game: string, offset: number, limit: number): readonly Ranked[] {
    return this.#page.all({ game, offset, limit })
  }

  /** All ratings as they are kept, in no order. */
  all() {
    return this.#all.all({})
  }

  /** Who had seat 0 against whom how often, in no order. */
  firsts() {
    return this.#firsts.all({})
  }
}

export interface Ranked extends Omit<Rating, 'lead'> {
  readonly name: string
}
