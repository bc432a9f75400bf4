import type { AccountId } from '../arena/account.ts'
import type { LadderId } from '../arena/ladder.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './rating-recalculation.ts'

/** All ratings and seat counts that are kept, in no order, to be compared with a recalculation. */
export class Ratings {
  readonly #all: Query<object, Rating & { account: AccountId; ladder: LadderId; name: string }>
  readonly #firsts: Query<
    object,
    { account: AccountId; ladder: LadderId; against: AccountId; firsts: number }
  >

  constructor(db: Database) {
    this.#all = prepare(db, query =>
      query
        .selectFrom('ratings')
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
        .select([
          'account',
          'ladder',
          'name',
          'rating',
          'games',
          'wins',
          'losses',
          'draws',
          'lead',
        ]),
    )
    this.#firsts = prepare(db, query =>
      query.selectFrom('meetings').select(['account', 'ladder', 'against', 'firsts']),
    )
  }

  /** All ratings, including those of banned accounts. */
  all() {
    return this.#all.all({})
  }

  /** How often each account had seat 0 against each other account. */
  firsts() {
    return this.#firsts.all({})
  }
}
