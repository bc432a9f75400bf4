import type { AccountId } from '../arena/account.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import { type Database, prepare, type Query } from './database.ts'
import { newcomerOn, type Rating } from './rating-recalculation.ts'

/** Ratings and seat counts as they are on disk. */
export class Ratings {
  readonly #one: Query<{ account: AccountId; ladder: LadderId }, { rating: number }>
  readonly #all: Query<object, Rating & { account: AccountId; ladder: LadderId; name: string }>
  readonly #firsts: Query<
    object,
    { account: AccountId; ladder: LadderId; against: AccountId; firsts: number }
  >

  constructor(db: Database) {
    this.#one = prepare(db, (query, $: { account: AccountId; ladder: LadderId }) =>
      query
        .selectFrom('ratings')
        .select('rating')
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder),
    )
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

  /** What an account has on a ladder. */
  standing(account: AccountId, ladder: Ladder): { readonly rating: number } {
    return this.#one.get({ account, ladder: ladder.id }) ?? newcomerOn(ladder)
  }

  /** All ratings, in no order, including those of banned accounts. */
  all() {
    return this.#all.all({})
  }

  /** How often each account had seat 0 against each other account. */
  firsts() {
    return this.#firsts.all({})
  }
}
