import type { AccountId } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { PastWager } from '../arena/wagers.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { PointEntry } from './point-ledger.ts'

/** Reads the ledger of points. Any account may be asked for: points of a version are those of its agent. */
export class PointTable {
  readonly #balance: Query<Of, { balance: number }>
  readonly #wagers: Query<Of & { limit: number }, WagerRow>
  readonly #page: Query<{ offset: number; limit: number }, Holder>
  readonly #row: Query<Of, Holder>
  readonly #total: Query<object, { n: number }>
  readonly #ahead: Query<{ balance: number }, { n: number }>
  readonly #entries: Query<Of, PointEntry>
  readonly #earned: Query<{ match: MatchId }, { account: AccountId; amount: number }>
  readonly #all: Query<object, PointEntry>
  readonly #balances: Query<object, { account: AccountId; balance: number }>

  constructor(db: Database) {
    const agent = (query: Database['sql'], account: AccountId) =>
      query
        .selectFrom('accounts')
        .select(({ fn }) => fn.coalesce('parent', 'id').as('agent'))
        .where('id', '=', account)
    this.#balance = prepare(db, (query, $: Of) =>
      query.selectFrom('balances').select('balance').where('account', '=', agent(query, $.account)),
    )
    this.#wagers = prepare(db, (query, $: Of & { limit: number }) =>
      query
        .selectFrom('points as mine')
        .innerJoin('points as theirs', join =>
          join
            .onRef('theirs.match', '=', 'mine.match')
            .onRef('theirs.account', '<>', 'mine.account')
            .on('theirs.kind', '=', 'staked'),
        )
        .innerJoin('accounts', 'accounts.id', 'theirs.account')
        .innerJoin('matches', 'matches.id', 'mine.match')
        .leftJoin('points as got', join =>
          join
            .onRef('got.match', '=', 'mine.match')
            .onRef('got.account', '=', 'mine.account')
            .on('got.kind', 'in', ['paid', 'returned']),
        )
        .select(['mine.match', 'mine.amount', 'accounts.name as opponent', 'got.kind'])
        .select('matches.ended_at')
        .where('mine.account', '=', agent(query, $.account))
        .where('mine.kind', '=', 'staked')
        .where('matches.ended_at', 'is not', null)
        .$narrowType<{ ended_at: number }>()
        .orderBy('mine.seq', 'desc')
        .limit($.limit),
    )
    const listed = (query: Database['sql']) =>
      query
        .selectFrom('balances')
        .innerJoin('accounts', 'accounts.id', 'balances.account')
        .where('banned_at', 'is', null)
    this.#page = prepare(db, (query, $: { offset: number; limit: number }) =>
      listed(query)
        .select(['account', 'name', 'balance'])
        .orderBy('balance', 'desc')
        .orderBy('account')
        .limit($.limit)
        .offset($.offset),
    )
    this.#row = prepare(db, (query, $: Of) =>
      listed(query).select(['account', 'name', 'balance']).where('account', '=', $.account),
    )
    this.#total = prepare(db, query =>
      listed(query).select(({ fn }) => fn.countAll<number>().as('n')),
    )
    this.#ahead = prepare(db, (query, $: { balance: number }) =>
      listed(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('balance', '>', $.balance),
    )
    this.#entries = prepare(db, (query, $: Of) =>
      query
        .selectFrom('points')
        .selectAll()
        .where('account', '=', agent(query, $.account))
        .orderBy('seq'),
    )
    this.#earned = prepare(db, (query, $: { match: MatchId }) =>
      query
        .selectFrom('points')
        .select(['account', 'amount'])
        .where('match', '=', $.match)
        .where('kind', '=', 'earned'),
    )
    this.#all = prepare(db, query => query.selectFrom('points').selectAll().orderBy('seq'))
    this.#balances = prepare(db, query => query.selectFrom('balances').selectAll())
  }

  /** 0 for an account that has never earned a point. */
  balance(account: AccountId): number {
    return this.#balance.get({ account })?.balance ?? 0
  }

  /** The settled wagers of an account, the newest first. */
  wagers(account: AccountId): readonly PastWager[] {
    return this.#wagers
      .all({ account, limit: 100 })
      .map(({ match, opponent, amount, kind, ended_at }) => ({
        ...{ match, opponent, amount: -amount, settledAt: ended_at },
        outcome: kind === null ? 'loss' : kind === 'paid' ? 'win' : 'refund',
      }))
  }

  /** All agents that have ever earned points, but for those that are banned: the richest first, equal ones by their age. */
  page({ offset, limit }: { readonly offset: number; readonly limit: number }): PointsPage {
    const found = this.#page.all({ offset, limit })
    const rows: PointsRow[] = []
    for (const [at, row] of found.entries()) {
      const last = rows.at(-1)
      const rank =
        last === undefined
          ? this.#rank(row.balance)
          : last.balance === row.balance
            ? last.rank
            : offset + at + 1
      rows.push({ rank, ...row })
    }
    return { offset, rows, total: this.#total.get({})!.n }
  }

  /** The row of an agent in this table; undefined if it has never earned a point, or is banned. */
  place(account: AccountId): PointsRow | undefined {
    const row = this.#row.get({ account })
    return row && { rank: this.#rank(row.balance), ...row }
  }

  /** The entries of an account, the oldest first. */
  entries(account: AccountId): readonly PointEntry[] {
    return this.#entries.all({ account })
  }

  /** What each account has earned by a match; empty for a match that earned nothing. */
  earned(match: MatchId): readonly { readonly account: AccountId; readonly amount: number }[] {
    return this.#earned.all({ match })
  }

  /** All entries, in the order of their commits. */
  all(): Iterable<PointEntry> {
    return this.#all.iterate({})
  }

  #rank(balance: number): number {
    return this.#ahead.get({ balance })!.n + 1
  }

  /** What the database has as the sum of each account's entries. */
  balances(): ReadonlyMap<AccountId, number> {
    return new Map(this.#balances.all({}).map(({ account, balance }) => [account, balance]))
  }
}

/** A page of the table of points. */
export interface PointsPage {
  readonly offset: number
  readonly rows: readonly PointsRow[]
  /** The number of agents on all pages. */
  readonly total: number
}

export interface PointsRow extends Holder {
  /** Agents with equal balances share a rank. */
  readonly rank: number
}

interface Holder {
  readonly account: AccountId
  readonly name: string
  readonly balance: number
}

type Of = { readonly account: AccountId }
interface WagerRow {
  readonly match: MatchId
  readonly amount: number
  readonly opponent: string
  /** What the account got out of it; null for nothing. */
  readonly kind: PointEntry['kind'] | null
  readonly ended_at: number
}
