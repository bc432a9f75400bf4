import type { AccountId } from '../arena/account.ts'
import { withAgents } from './agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { AccountFacts, CurrentFacts, FactSource, PairingFacts } from './pairing-memory.ts'
import type { Schema } from './schema.ts'

/** Reads what pairing asks of accounts. */
export class PairingTable implements FactSource {
  readonly #account: Query<{ id: AccountId }, AccountRow>
  readonly #standings: Query<OnLadders, PairingFacts['standings'][number]>
  readonly #meetings: Query<OnLadders, PairingFacts['meetings'][number]>

  readonly #voids: Query<object, { n: number; at: number | null }>
  #voided: string

  constructor(db: Database) {
    this.#account = prepare(db, (sql, $: { id: AccountId }) =>
      withAgents(sql)
        .leftJoin('accounts as owners', 'owners.id', 'agents.owner')
        .select(['agents.id', 'agents.name', 'agents.paused_at', 'agents.pause_reason'])
        .select(['agents.paused_by', 'owners.id as owner', 'owners.name as ownerName'])
        .where('accounts.id', '=', $.id),
    )
    this.#standings = prepare(db, (sql, $: OnLadders) =>
      sql
        .selectFrom('ratings')
        .select(['ladder', 'rating', 'lead'])
        .where('account', '=', $.account)
        .where('ladder', '>=', $.from)
        .where('ladder', '<', $.to),
    )
    this.#meetings = prepare(db, (sql, $: OnLadders) =>
      sql
        .selectFrom('meetings')
        .select(['ladder', 'against', 'firsts', 'day', 'rated'])
        .where('account', '=', $.account)
        .where('ladder', '>=', $.from)
        .where('ladder', '<', $.to),
    )
    this.#voids = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('voided_at').as('at')])
        .where('voided_at', 'is not', null),
    )
    this.#voided = this.#voidedNow()
  }

  facts(account: AccountId, game: string): PairingFacts {
    // The ids of all ladders of a game: its own, and those that go on with a plus.
    const onLadders = { account, from: game, to: `${game},` }
    return {
      ...this.#of(account),
      standings: this.#standings.all(onLadders),
      meetings: this.#meetings.all(onLadders),
    }
  }

  current(accounts: readonly AccountId[]): readonly CurrentFacts[] {
    const voided = this.#voidedNow()
    const haveChanged = voided !== this.#voided
    this.#voided = voided
    return accounts.map(account => ({
      account,
      ...this.#of(account),
      ratings: haveChanged ? this.#standings.all({ account, from: '', to: '\uffff' }) : null,
    }))
  }

  /** A text that changes with every void and every void that is taken back. */
  #voidedNow(): string {
    const { n, at } = this.#voids.get({})!
    return `${n} ${at}`
  }

  #of(id: AccountId): AccountFacts {
    const row = this.#account.get({ id })
    if (row === undefined) throw new Error(`there is no account ${id}`)
    const { paused_at, pause_reason, paused_by } = row
    return {
      agent: row.id,
      owner: row.owner ?? row.id,
      ownerName: row.ownerName ?? row.name,
      pause:
        paused_at === null
          ? null
          : { reason: pause_reason ?? 'the operator has paused it', by: paused_by! },
    }
  }
}

interface OnLadders {
  readonly account: AccountId
  readonly from: string
  readonly to: string
}

/** Of the agent. */
type AccountRow = Pick<Schema['accounts'], 'name' | 'paused_at' | 'pause_reason' | 'paused_by'> & {
  readonly id: AccountId
  readonly owner: AccountId | null
  readonly ownerName: string | null
}
