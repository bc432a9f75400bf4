import type { AccountId } from '../arena/account.ts'
import { Gains } from '../arena/gains.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { Unrated } from '../arena/unrated.ts'
import { idsOf } from './agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating, Result } from './rating-recalculation.ts'

/**
 * How much rating accounts have gained from each other today, and the rating with which each began the day. Read and
 * written within the transaction of a result, so that results of the same moment are counted one after the other.
 */
export class DayGains {
  /** Points of rating; 0 for no limit. */
  readonly #cap: number
  readonly #agentOf: (account: AccountId) => AccountId
  readonly #ofPair: Query<Pair, Sum>
  readonly #fromAgent: Query<OfAgent, { gain: number }>
  readonly #byAgent: Query<OfAgent, { gain: number }>
  readonly #putPair: Query<Pair & Sum, unknown>
  readonly #dawn: Query<Account, Dawn>
  readonly #putDawn: Query<Account & Dawn, unknown>

  constructor(db: Database, cap: number, agentOf: (account: AccountId) => AccountId) {
    this.#cap = cap
    this.#agentOf = agentOf
    this.#ofPair = prepare(db, (sql, $: Pair) =>
      sql
        .selectFrom('meetings')
        .select(['gain_day', 'gain'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder)
        .where('against', '=', $.against),
    )
    const total = (sql: Database['sql'], $: OfAgent) =>
      sql
        .selectFrom('meetings')
        .select(({ fn }) => fn.agg<number>('total', ['gain']).as('gain'))
        .where('ladder', '=', $.ladder)
        .where('gain_day', '=', $.day)
    this.#fromAgent = prepare(db, (sql, $: OfAgent) =>
      total(sql, $).where('account', '=', $.account).where('against', 'in', idsOf(sql, $.agent)),
    )
    this.#byAgent = prepare(db, (sql, $: OfAgent) =>
      total(sql, $).where('account', 'in', idsOf(sql, $.agent)).where('against', '=', $.account),
    )
    this.#putPair = prepare(db, (sql, $: Pair & Sum) =>
      sql
        .updateTable('meetings')
        .set({ gain_day: $.gain_day, gain: $.gain })
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder)
        .where('against', '=', $.against),
    )
    this.#dawn = prepare(db, (sql, $: Account) =>
      sql
        .selectFrom('ratings')
        .select(['day', 'began'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder),
    )
    this.#putDawn = prepare(db, (sql, $: Account & Dawn) =>
      sql
        .updateTable('ratings')
        .set({ day: $.day, began: $.began })
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder),
    )
  }

  /** Why a rated result of this day does not count; null if it counts. */
  objection(result: Result, before: readonly Rating[], day: number): Unrated | null {
    if (!this.#limits(result)) return null
    const { accounts } = result
    const ladder = result.ladder.id
    // A loser in several versions is one opponent.
    const gained = (seat: number, other: number) => {
      const account = accounts[seat]!
      const of = { ladder, account, agent: this.#agentOf(accounts[other]!), day }
      return this.#fromAgent.get(of)!.gain - this.#byAgent.get(of)!.gain
    }
    const gains = new Gains(result.places, ratingsOf(before), result.quick)
    return gains.objection(
      {
        gained,
        began: seat =>
          this.#began({ ladder, account: accounts[seat]! }, day) ?? before[seat]!.rating,
      },
      this.#cap,
    )
  }

  /** Adds the gains of a result, once its ratings and meetings are written. */
  add(result: Result, before: readonly Rating[], day: number): void {
    if (!this.#limits(result)) return
    const { accounts } = result
    const ladder = result.ladder.id
    const gains = new Gains(result.places, ratingsOf(before), result.quick)
    for (const [seat, account] of accounts.entries()) {
      if (this.#began({ ladder, account }, day) === undefined)
        this.#putDawn.run({ ladder, account, day, began: before[seat]!.rating })
      // One row for each two accounts, in the direction of the lower seat.
      for (const [other, against] of accounts.entries()) {
        if (other <= seat) continue
        const pair = { ladder, account, against }
        const gain = this.#gained(pair, day) + gains.from(seat, other)
        this.#putPair.run({ ...pair, gain_day: day, gain })
      }
    }
  }

  /** Points and scores have no limit of a day: they end with their event. */
  #limits({ ladder, rated }: Result): boolean {
    return this.#cap > 0 && rated && ladder.counts.by === 'elo'
  }

  #gained(pair: Pair, day: number): number {
    const sum = this.#ofPair.get(pair)
    return sum?.gain_day === day ? sum.gain : 0
  }

  #began(account: Account, day: number): number | undefined {
    const dawn = this.#dawn.get(account)
    return dawn?.day === day ? dawn.began : undefined
  }
}

const ratingsOf = (before: readonly Rating[]) => before.map(({ rating }) => rating)

type Account = { ladder: LadderId; account: AccountId }
type Pair = Account & { against: AccountId }
type OfAgent = Account & { agent: AccountId; day: number }
type Sum = { gain_day: number; gain: number }
type Dawn = { day: number; began: number }
