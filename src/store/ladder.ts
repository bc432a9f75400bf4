import type { AccountId } from '../arena/account.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './reckoning.ts'

/** What is kept of ratings and seats, whole and in no order, to be compared with a recalculation. */
export class Ladder {
  readonly #all: Query<object, Rating & { account: AccountId; game: string; name: string }>
  readonly #firsts: Query<
    object,
    { account: AccountId; game: string; against: AccountId; firsts: number }
  >

  constructor(db: Database) {
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

  /** All ratings, those of the banned among them. */
  all() {
    return this.#all.all({})
  }

  /** Who had seat 0 against whom how often. */
  firsts() {
    return this.#firsts.all({})
  }
}
