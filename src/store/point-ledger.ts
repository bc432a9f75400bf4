import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import { pointsFor, type SeatPoints, wagerOutcome } from '../arena/points.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/**
 * Writes the ledger of points, always in the transaction of what an entry is about: a result, an abort, a wager, a void. Its
 * accounts are agents. What holds at every entry, and what `verify` checks:
 *
 * - The balance of an agent is the sum of its entries, and never below zero.
 * - A match earns once, what `pointsFor` says of its record. Nothing else makes points.
 * - A wager neither makes nor loses any: in a match that is over its entries come to zero, in a live one both stakes are equal.
 * - A void takes back what the match has earned, at most down to a balance of zero, and taking the void back restores exactly
 *   that. Wagers stay settled.
 */
export class PointLedger {
  readonly #balance: Query<{ account: AccountId }, { balance: number }>
  readonly #add: Query<NewEntry, unknown>
  readonly #of: Query<{ match: MatchId }, PointEntry>
  readonly #strays: Query<object, { match: MatchId }>

  constructor(db: Database) {
    this.#balance = prepare(db, (sql, $: { account: AccountId }) =>
      sql.selectFrom('balances').select('balance').where('account', '=', $.account),
    )
    this.#add = prepare(db, (sql, $: NewEntry) =>
      sql.insertInto('points').values({
        account: $.account,
        match: $.match,
        amount: $.amount,
        kind: $.kind,
        at: $.at,
      }),
    )
    this.#of = prepare(db, (sql, $: { match: MatchId }) =>
      sql.selectFrom('points').selectAll().where('match', '=', $.match).orderBy('seq'),
    )
    this.#strays = prepare(db, query =>
      query
        .selectFrom('points as stake')
        .select('stake.match')
        .distinct()
        // A literal, not a parameter: it must match the condition of the index.
        .where('stake.kind', '=', sql.lit('staked'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('points as end')
                .select('end.seq')
                .whereRef('end.match', '=', 'stake.match')
                .where('end.kind', 'in', ['paid', 'returned']),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('matches')
                .select('id')
                .whereRef('id', '=', 'stake.match')
                .where('ending', 'is', null),
            ),
          ),
        ),
    )
  }

  balance(agent: AccountId): number {
    return this.#balance.get({ account: agent })?.balance ?? 0
  }

  hasWager(match: MatchId): boolean {
    return this.#stakeOf(match) !== null
  }

  /** Puts this many points of each agent into the wager of a match. The balances are to be checked before. */
  stake(match: MatchId, agents: readonly AccountId[], amount: number, at: number): void {
    for (const account of agents)
      this.#add.run({ account, match, amount: -amount, kind: 'staked', at })
  }

  /** Enters what a match with a result earns and pays. Null where it earns none and has no wager. `messages`: null where it earns none. */
  finish({ match, agents, places, messages, at }: Finish): readonly SeatPoints[] | null {
    const stake = this.#stakeOf(match)
    if (messages === null && stake === null) return null
    const earned = messages === null ? agents.map(() => 0) : pointsFor(places, messages)
    for (const [seat, account] of agents.entries())
      if (earned[seat]! > 0)
        this.#add.run({ account, match, amount: earned[seat]!, kind: 'earned', at })
    if (stake !== null)
      for (const [seat, account] of agents.entries()) {
        const entry = settlement(places, seat, stake)
        if (entry !== null) this.#add.run({ account, match, at, ...entry })
      }
    return agents.map((agent, seat) => ({
      earned: earned[seat]!,
      balance: this.balance(agent),
      wager: stake === null ? null : { amount: stake, outcome: wagerOutcome(places, seat) },
    }))
  }

  /** Gives the stakes of a match without a result back. */
  giveBack(match: MatchId, at: number): void {
    for (const { account, amount, kind } of this.#of.all({ match }))
      if (kind === 'staked')
        this.#add.run({ account, match, amount: -amount, kind: 'returned', at })
  }

  /** Gives all stakes back that no match will settle any more. There are none, unless the database was damaged or changed by hand. */
  giveStraysBack(at: number): void {
    for (const { match } of this.#strays.all({})) this.giveBack(match, at)
  }

  /** Takes back what the match has earned. An entry says so even where nothing is left to take. */
  void(match: MatchId, at: number): void {
    for (const { account, amount, kind } of this.#of.all({ match })) {
      if (kind !== 'earned') continue
      const taken = Math.min(amount, this.balance(account))
      this.#add.run({ account, match, amount: 0 - taken, kind: 'voided', at })
    }
  }

  /** Gives back what the void of the match has taken. */
  restore(match: MatchId, at: number): void {
    const taken = new Map<AccountId, number>()
    for (const { account, amount, kind } of this.#of.all({ match }))
      if (kind === 'voided') taken.set(account, 0 - amount)
    for (const [account, amount] of taken)
      this.#add.run({ account, match, amount, kind: 'restored', at })
  }

  /** What each side has staked; null where the match has no wager. */
  #stakeOf(match: MatchId): number | null {
    const stake = this.#of.all({ match }).find(({ kind }) => kind === 'staked')
    return stake === undefined ? null : -stake.amount
  }
}

/** What a seat gets out of the wager of a match with a result; null for nothing. */
export const settlement = (
  places: readonly number[],
  seat: number,
  stake: number,
): Pick<PointEntry, 'kind' | 'amount'> | null => {
  const outcome = wagerOutcome(places, seat)
  return outcome === 'loss'
    ? null
    : outcome === 'win'
      ? { kind: 'paid', amount: 2 * stake }
      : { kind: 'returned', amount: stake }
}

/** An entry of the ledger as it is on disk. */
export type PointEntry = Omit<Schema['points'], 'seq'> & { readonly seq: number }
type NewEntry = Omit<PointEntry, 'seq'>

interface Finish {
  readonly match: MatchId
  /** By seat. */
  readonly agents: readonly AccountId[]
  readonly places: readonly number[]
  readonly messages: number | null
  readonly at: number
}
