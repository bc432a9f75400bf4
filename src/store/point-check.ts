import { sql } from 'kysely'
import { type AccountId, agentOf } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import { messagesIn, pointsFor } from '../arena/points.ts'
import { roomOf } from '../arena/room-setup.ts'
import { countText } from '../record/count-text.ts'
import type { MatchRecord } from '../record/match-record.ts'
import { prepare } from './database.ts'
import { type PointEntry, settlement } from './point-ledger.ts'
import type { Tables } from './tables.ts'

/**
 * Computes the ledger of points again: what each match earns from its record, what became of each wager from its result, what each
 * void took from the balance at its time. Answers with the number of entries and all differences.
 */
export const checkPoints = (tables: Stored): Checked => {
  const { db, matches } = tables
  const account = prepare(db, (sql, $: { id: AccountId }) =>
    sql.selectFrom('accounts').select(['id', 'name', 'parent']).where('id', '=', $.id),
  )
  const nameOf = (id: AccountId) => account.get({ id })?.name ?? `account ${id}`
  const ledger = new LedgerCheck(nameOf)
  for (const entry of tables.points.all()) ledger.take(entry)
  const differences = [...ledger.differences]
  const atTables = prepare(db, query =>
    query
      .selectFrom('matches')
      .select('id')
      .where('finished_seq', 'is not', null)
      .where(sql<number>`instr(setup, '"room"')`, '>', 0),
  )
  const ids = new Set([...ledger.matches.keys(), ...atTables.all({}).map(({ id }) => id)])
  for (const id of [...ids].sort((a, b) => a - b)) {
    const match = matches.find(id)
    const entries = ledger.matches.get(id) ?? newEntries()
    if (match === undefined) differences.push(`match ${id}: it has points, and is not there`)
    else {
      const agents = match.players.map(({ account: id }) => agentOf(account.get({ id }) ?? { id }))
      const earned = earnedBy(match, () => messagesIn(matches.moves(id)))
      for (const what of wrongEntries({ match, agents, earned }, entries, nameOf))
        differences.push(`match ${id}: ${what}`)
    }
  }
  const kept = tables.points.balances()
  for (const id of new Set([...kept.keys(), ...ledger.balances.keys()])) {
    const [balance, again] = [kept.get(id) ?? 0, ledger.balances.get(id) ?? 0]
    if (balance !== again)
      differences.push(`${nameOf(id)}: ${pointText(balance)}, recalculated ${again}`)
  }
  return { entries: ledger.entries, differences }
}

interface Checked {
  readonly entries: number
  readonly differences: readonly string[]
}

/** Goes through the entries in their order: what a void may take depends on the balance at its time. */
class LedgerCheck {
  readonly differences: string[] = []
  readonly balances = new Map<AccountId, number>()
  readonly matches = new Map<MatchId, Entries>()
  readonly #nameOf: (account: AccountId) => string
  entries = 0

  constructor(nameOf: (account: AccountId) => string) {
    this.#nameOf = nameOf
  }

  take({ seq, account, match: id, amount, kind }: PointEntry): void {
    this.entries++
    const before = this.balances.get(account) ?? 0
    this.balances.set(account, before + amount)
    if (before + amount < 0)
      this.differences.push(
        `${this.#nameOf(account)}: entry ${seq} leaves ${pointText(before + amount)}`,
      )
    const match = this.matches.get(id) ?? newEntries()
    this.matches.set(id, match)
    const taken = match.taken.get(account) ?? null
    const earned = match.earned.get(account) ?? 0
    switch (kind) {
      case 'earned':
        match.earned.set(account, earned + amount)
        break
      case 'voided':
        if (taken !== null) this.#add(id, `the points of ${this.#nameOf(account)} are voided twice`)
        this.#compare(id, `the void took of ${this.#nameOf(account)}`, {
          kept: -amount,
          again: Math.min(earned, before),
        })
        match.taken.set(account, -amount)
        break
      case 'restored':
        this.#compare(id, `restored to ${this.#nameOf(account)}`, {
          kept: amount,
          again: taken ?? 0,
        })
        match.taken.set(account, null)
        break
      default:
        match.wager.push({ account, kind, amount })
    }
  }

  #compare(id: MatchId, what: string, { kept, again }: { kept: number; again: number }): void {
    if (kept !== again) this.#add(id, `${what} ${pointText(kept)}, recalculated ${again}`)
  }

  #add(id: MatchId, what: string): void {
    this.differences.push(`match ${id}: ${what}`)
  }
}

/** What each seat earns by the record of the match. */
const earnedBy = (match: MatchRecord, messages: () => number): readonly number[] => {
  const { setup, end, players, unrated } = match
  const earns =
    end !== null &&
    end.ending !== 'aborted' &&
    roomOf(setup) !== null &&
    unrated !== 'agents of one owner' &&
    players.every(({ kind }) => kind !== 'house')
  const places = players.map(({ place }) => place ?? 0)
  return earns ? pointsFor(places, messages()) : places.map(() => 0)
}

function* wrongEntries(
  { match, agents, earned }: Recalculated,
  entries: Entries,
  nameOf: (account: AccountId) => string,
): Iterable<string> {
  for (const account of new Set([...agents, ...entries.earned.keys()])) {
    const kept = entries.earned.get(account) ?? 0
    const again = earned[agents.indexOf(account)] ?? 0
    if (kept !== again) yield `${nameOf(account)} earned ${pointText(kept)}, recalculated ${again}`
    const isTaken = (entries.taken.get(account) ?? null) !== null
    if (kept > 0 && isTaken !== (match.voided !== null))
      yield isTaken
        ? `it is not voided, but the points of ${nameOf(account)} are`
        : `it is voided, but the points of ${nameOf(account)} are not`
  }
  yield* wrongWager(match, agents, entries, nameOf)
}

function* wrongWager(
  { end, players }: MatchRecord,
  agents: readonly AccountId[],
  { wager }: Entries,
  nameOf: (account: AccountId) => string,
): Iterable<string> {
  if (wager.length === 0) return
  const sum = wager.reduce((sum, { amount }) => sum + amount, 0)
  if (end !== null && sum !== 0)
    yield `its wager has ${sum > 0 ? 'made' : 'lost'} ${pointText(Math.abs(sum))}`
  const stake = -(wager.find(({ kind }) => kind === 'staked')?.amount ?? 0)
  const places = players.map(({ place }) => place ?? 0)
  const settled = (seat: number) =>
    end === null
      ? null
      : end.ending === 'aborted'
        ? ({ kind: 'returned', amount: stake } as const)
        : settlement(places, seat, stake)
  for (const account of new Set([...agents, ...wager.map(({ account }) => account)])) {
    const seat = agents.indexOf(account)
    const again =
      seat < 0 || stake === 0
        ? []
        : [{ kind: 'staked', amount: -stake } as const, settled(seat) ?? []].flat()
    const [kept, expected] = [
      entriesText(wager.filter(entry => entry.account === account)),
      entriesText(again),
    ]
    if (kept !== expected)
      yield `the wager of ${nameOf(account)}: ${kept}, recalculated ${expected}`
  }
}

const entriesText = (entries: readonly Pick<PointEntry, 'kind' | 'amount'>[]): string =>
  entries.map(({ kind, amount }) => `${kind} ${Math.abs(amount)}`).join(', ') || 'nothing'

const pointText = (n: number) => countText(n, 'point')

/** The entries of a match, as far as they are checked by its record. */
interface Entries {
  readonly earned: Map<AccountId, number>
  /** Those of its wager, in their order. */
  readonly wager: Pick<PointEntry, 'account' | 'kind' | 'amount'>[]
  /** What its void has taken and not given back; null after a void was taken back. */
  readonly taken: Map<AccountId, number | null>
}

interface Recalculated {
  readonly match: MatchRecord
  /** By seat, as `earned` is. */
  readonly agents: readonly AccountId[]
  readonly earned: readonly number[]
}

const newEntries = (): Entries => ({ earned: new Map(), wager: [], taken: new Map() })

type Stored = Pick<Tables, 'db' | 'matches' | 'points'>
