import type { AccountId } from '../arena/account.ts'
import { withAgents } from './agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { AccountFacts, CurrentFacts, FactSource, PairingFacts } from './pairing-memory.ts'
import { RoomEloTable } from './room-elo-table.ts'
import type { Schema } from './schema.ts'

/** Reads what pairing asks of accounts. */
export class PairingTable implements FactSource {
  readonly #account: Query<{ id: AccountId }, AccountRow>
  readonly #standings: Query<OnLadders, PairingFacts['standings'][number]>
  readonly #elo: RoomEloTable
  readonly #meetings: Query<OnLadders, PairingFacts['meetings'][number]>

  readonly #voids: Query<object, { n: number; at: number | null }>
  readonly #seasons: Query<object, { n: number }>
  #changes: string

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
        .leftJoin('strengths', join =>
          join
            .onRef('strengths.ladder', '=', 'ratings.ladder')
            .onRef('strengths.account', '=', 'ratings.account'),
        )
        .select(['ratings.ladder', 'rating', 'strength', 'lead'])
        .where('ratings.account', '=', $.account)
        .where('ratings.ladder', '>=', $.from)
        .where('ratings.ladder', '<', $.to),
    )
    this.#meetings = prepare(db, (sql, $: OnLadders) =>
      sql
        .selectFrom('meetings')
        .select(['ladder', 'against', 'firsts', 'day', 'rated'])
        .where('account', '=', $.account)
        .where('ladder', '>=', $.from)
        .where('ladder', '<', $.to),
    )
    this.#elo = new RoomEloTable(db)
    this.#voids = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('voided_at').as('at')])
        .where('voided_at', 'is not', null),
    )
    this.#seasons = prepare(db, sql =>
      sql.selectFrom('seasons').select(({ fn }) => fn.countAll<number>().as('n')),
    )
    this.#changes = this.#changesNow()
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
    const changes = this.#changesNow()
    const haveChanged = changes !== this.#changes
    this.#changes = changes
    return accounts.map(account => ({
      account,
      ...this.#of(account),
      ratings: haveChanged ? this.#standings.all({ account, from: '', to: '\uffff' }) : null,
    }))
  }

  /** A text that changes with every void, every void that is taken back, and every season that is closed. */
  #changesNow(): string {
    const { n, at } = this.#voids.get({})!
    return `${n} ${at} ${this.#seasons.get({})!.n}`
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
      elos: this.#elo.ratings(id),
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
