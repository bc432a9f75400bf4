import type { AccountId } from '../arena/account.ts'
import { type Ended, keepsFailing } from '../arena/failing.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { MatchId, Pause } from '../arena/match-store.ts'
import { isPractice } from '../arena/unrated.ts'
import type { Clock } from '../clock.ts'
import { idsOf } from './agents.ts'
import { Audit, theHost } from './audit.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** In how many of an account's newest matches of each ladder failures are looked for. */
const lookBack = 50

/** Pauses accounts that keep failing. */
export class AccountFailures {
  readonly #clock: Clock
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly #pauseAfter: number
  readonly #unpausedAt: Query<{ id: AccountId }, Pick<Schema['accounts'], 'unpaused_at'>>
  readonly #pause: Query<{ id: AccountId; at: number; reason: string }, { name: string }>
  readonly #audit: Audit
  readonly #ladderAfter: Query<{ account: AccountId; ladder: LadderId }, { ladder: string | null }>
  readonly #newest: Query<{ account: AccountId; ladder: LadderId; limit: number }, Row>
  readonly #others: Query<{ match: MatchId; account: AccountId }, { agent: AccountId }>
  readonly #ids: Query<{ agent: AccountId }, { id: AccountId }>

  constructor(db: Database, clock: Clock, pauseAfter: number) {
    this.#clock = clock
    this.#pauseAfter = pauseAfter
    this.#unpausedAt = prepare(db, (sql, $: { id: AccountId }) =>
      sql.selectFrom('accounts').select('unpaused_at').where('id', '=', $.id),
    )
    this.#pause = prepare(db, (sql, $: { id: AccountId; at: number; reason: string }) =>
      sql
        .updateTable('accounts')
        .set({ paused_at: $.at, pause_reason: $.reason, paused_by: 'host' })
        .where('id', '=', $.id)
        .where('paused_at', 'is', null)
        .returning('name'),
    )
    this.#audit = new Audit(db, clock)
    this.#ladderAfter = prepare(db, (sql, $: { account: AccountId; ladder: LadderId }) =>
      sql
        .selectFrom('match_seats')
        .select(({ fn }) => fn.min<LadderId | null>('ladder').as('ladder'))
        .where('account', '=', $.account)
        .where('ladder', '>', $.ladder),
    )
    this.#newest = prepare(db, (sql, $: { account: AccountId; ladder: LadderId; limit: number }) =>
      sql
        .selectFrom('match_seats')
        .innerJoin('matches', 'matches.id', 'match_seats.match')
        .select(['match', 'account', 'fault', 'finished_seq', 'started_at', 'unrated', 'voided_at'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder)
        .orderBy('match', 'desc')
        .limit($.limit),
    )
    this.#others = prepare(db, (sql, $: { match: MatchId; account: AccountId }) =>
      sql
        .selectFrom('match_seats')
        .innerJoin('accounts', 'accounts.id', 'match_seats.account')
        .select(({ fn }) => fn.coalesce('accounts.parent', 'accounts.id').as('agent'))
        .where('match', '=', $.match)
        .where('account', '!=', $.account)
        .where('kind', '<>', 'guest'),
    )
    this.#ids = prepare(db, (sql, $: { agent: AccountId }) => idsOf(sql, $.agent))
  }

  /**
   * To be called within the transaction of a match that an agent has failed in. Pauses the agent after too many failures in a
   * row, in whatever versions; answers with the pause.
   */
  failed(agent: AccountId, match: MatchId): Pause | null {
    if (this.#pauseAfter === 0 || !keepsFailing(this.#endings(agent), this.#pauseAfter)) return null
    const reason = `${this.#pauseAfter} matches in a row ended by a late or illegal move of its own, the last of them match ${match}`
    const paused = this.#pause.get({ id: agent, at: this.#clock.date(), reason })
    if (paused === undefined) return null
    this.#audit.add(theHost, { action: 'pause', target: paused.name, reason })
    return { reason, by: 'host' }
  }

  /** The agent's matches, newest first: without practice, matches against guests alone and voided ones, and only those begun since it was last unpaused. */
  *#endings(agent: AccountId): Iterable<Ended> {
    const since = this.#unpausedAt.get({ id: agent })?.unpaused_at ?? 0
    const rows = this.#ids
      .all({ agent })
      .flatMap(({ id }) => this.#newestOf(id))
      .filter(
        row =>
          row.finished_seq !== null &&
          row.started_at >= since &&
          row.voided_at === null &&
          !isPractice(row.unrated) &&
          row.unrated !== 'fewer than two players with an account',
      )
      .sort((a, b) => b.finished_seq! - a.finished_seq!)
    for (const { match, account, fault } of rows)
      yield { fault, against: this.#others.all({ match, account }).map(({ agent }) => agent) }
  }

  #newestOf(account: AccountId): readonly Row[] {
    const ladders = [...this.#ladders(account)]
    return ladders.flatMap(ladder => this.#newest.all({ account, ladder, limit: lookBack }))
  }

  *#ladders(account: AccountId): Iterable<string> {
    for (let ladder: string | null = ''; ; ) {
      ladder = this.#ladderAfter.get({ account, ladder })?.ladder ?? null
      if (ladder === null) return
      yield ladder
    }
  }
}

type Row = Pick<Schema['match_seats'], 'match' | 'account' | 'fault'> &
  Pick<Schema['matches'], 'finished_seq' | 'started_at' | 'unrated' | 'voided_at'>
