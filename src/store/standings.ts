import type { AccountId } from '../arena/account.ts'
import type { Standing } from '../arena/keeper.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Result } from './reckoning.ts'
import {
  counts,
  meetingKey,
  meetings,
  newcomer,
  type Rating,
  ratingKey,
  reckon,
} from './reckoning.ts'

/**
 * Ratings, and who was first how often. Pairing asks for them all the time and gets them from memory; what a
 * match changes is read and written in the transaction that keeps its result.
 */
export class StandingsTable {
  readonly #read: Query<{ account: number; game: string }, Rating>
  readonly #write: Query<Rating & { account: number; game: string }, unknown>
  readonly #readFirsts: Query<Meeting, { firsts: number }>
  readonly #addFirst: Query<Meeting, unknown>
  readonly #known = new Map<string, { rating: number; lead: number }>()
  readonly #firsts = new Map<string, number>()

  constructor(db: Database) {
    this.#read = prepare(db, (sql, $: { account: number; game: string }) =>
      sql
        .selectFrom('ratings')
        .select(['rating', 'games', 'wins', 'losses', 'draws', 'lead'])
        .where('account', '=', $.account)
        .where('game', '=', $.game),
    )
    this.#write = prepare(db, (sql, $: Rating & { account: number; game: string }) =>
      sql
        .insertInto('ratings')
        .values({
          account: $.account,
          game: $.game,
          rating: $.rating,
          games: $.games,
          wins: $.wins,
          losses: $.losses,
          draws: $.draws,
          lead: $.lead,
        })
        .onConflict(conflict =>
          conflict.columns(['account', 'game']).doUpdateSet(row => ({
            rating: row.ref('excluded.rating'),
            games: row.ref('excluded.games'),
            wins: row.ref('excluded.wins'),
            losses: row.ref('excluded.losses'),
            draws: row.ref('excluded.draws'),
            lead: row.ref('excluded.lead'),
          })),
        ),
    )
    this.#readFirsts = prepare(db, (sql, $: Meeting) =>
      sql
        .selectFrom('meetings')
        .select('firsts')
        .where('account', '=', $.account)
        .where('game', '=', $.game)
        .where('against', '=', $.against),
    )
    this.#addFirst = prepare(db, (sql, $: Meeting) =>
      sql
        .insertInto('meetings')
        .values({ account: $.account, game: $.game, against: $.against, firsts: 1 })
        .onConflict(conflict =>
          conflict.columns(['account', 'game', 'against']).doUpdateSet(row => ({
            firsts: row('meetings.firsts', '+', row.ref('excluded.firsts')),
          })),
        ),
    )
  }

  standing(account: AccountId, game: string): Standing {
    return this.#recall(account, game)
  }

  firsts(game: string, account: AccountId, against: AccountId): number {
    const key = meetingKey(account, game, against)
    const known = this.#firsts.get(key)
    if (known !== undefined) return known
    const firsts = this.#readFirsts.get({ account, game, against })?.firsts ?? 0
    remember(this.#firsts, key, firsts)
    return firsts
  }

  /** Counts the seats of a match from its start on, or of one without a result back again. */
  seated({ game, accounts, practice }: Seating, by: 1 | -1): void {
    if (practice) return
    for (const [seat, account] of accounts.entries())
      this.#recall(account, game).lead += seat === 0 ? by : -by
    for (const [account, against] of meetings({ accounts, practice })) {
      const firsts = this.firsts(game, account, against) + by
      this.#firsts.set(meetingKey(account, game, against), firsts)
    }
  }

  /** Within the transaction of a result: puts down what it changes. */
  keep(result: Result): { readonly before: readonly Rating[]; readonly after: readonly Rating[] } {
    const { game, accounts } = result
    const before = accounts.map(account => this.#read.get({ account, game }) ?? newcomer)
    const after = reckon(result, before)
    if (counts(result))
      for (const [seat, account] of accounts.entries())
        this.#write.run({ account, game, ...after[seat]! })
    for (const [account, against] of meetings(result))
      this.#addFirst.run({ account, game, against })
    return { before, after }
  }

  /** Once that transaction is on disk. */
  kept({ game, accounts }: Result, after: readonly Rating[]): void {
    for (const [seat, account] of accounts.entries())
      this.#recall(account, game).rating = after[seat]!.rating
  }

  #recall(account: AccountId, game: string): { rating: number; lead: number } {
    const key = ratingKey(account, game)
    let known = this.#known.get(key)
    if (known === undefined) {
      const { rating, lead } = this.#read.get({ account, game }) ?? newcomer
      known = { rating, lead }
      remember(this.#known, key, known)
    }
    return known
  }
}

type Meeting = { account: number; game: string; against: number }
type Seating = Pick<Result, 'game' | 'accounts' | 'practice'>

/** What is forgotten is read again. */
const remember = <T>(memory: Map<string, T>, key: string, value: T) => {
  if (memory.size >= 100_000) memory.clear()
  memory.set(key, value)
}
