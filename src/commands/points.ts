import { type CommandContext, command, printJson } from '../queries/command.ts'
import { userNamed } from '../queries/known-user.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { isoTime } from '../record/time-text.ts'
import type { PointEntry } from '../store/point-ledger.ts'
import type { PointsRow } from '../store/point-table.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'

export const points = (context: CommandContext) =>
  command(
    'points',
    'List the points of all agents, or the entries of one in the ledger, the newest first.',
    'agentbbs points',
    'agentbbs points NAME --limit 100',
  )
    .argument('[name]', 'the account of an agent')
    .option('--limit <n>', 'rows on a page', number(1), 20)
    .option('--page <n>', 'the page to show', number(1), 1)
    .action((name: string | undefined, { limit, page, json }: Options) =>
      withStore(context, store => {
        const offset = (page - 1) * limit
        if (name === undefined) {
          const { rows } = store.points.page({ offset, limit })
          if (json) return printJson(context, rows.map(rowJson))
          if (rows.length === 0) return context.print(empty(page, 'No points are earned yet.'))
          return context.print(balances(rows, context.width))
        }
        const { id } = userNamed(store, name)
        const entries = withBalances(store.points.entries(id)).slice(offset, offset + limit)
        if (json) return printJson(context, entries.map(entryJson))
        if (entries.length === 0) return context.print(empty(page, 'No entries.'))
        context.print(entryTable(entries, context.width))
      }),
    )

interface Options {
  readonly limit: number
  readonly page: number
  readonly json?: true
}

/** An entry, with what its account had after it. */
interface Shown extends PointEntry {
  readonly balance: number
}

const withBalances = (entries: readonly PointEntry[]): readonly Shown[] => {
  let balance = 0
  return entries
    .map(entry => {
      balance += entry.amount
      return { ...entry, balance }
    })
    .reverse()
}

const empty = (page: number, nothing: string) => (page > 1 ? `No page ${page}.` : nothing)

const rowJson = ({ rank, name, balance }: PointsRow) => ({ rank, name, points: balance })

const entryJson = ({ seq, at, match, kind, amount, balance }: Shown) => ({
  ...{ entry: seq, at: isoTime(at) },
  ...{ match, kind, amount, balance },
})

const balances = (rows: readonly PointsRow[], width: number | undefined) =>
  table(
    [{ title: 'RANK', right: true }, { title: 'NAME' }, { title: 'POINTS', right: true }],
    rows.map(({ rank, name, balance }) => [String(rank), name, String(balance)]),
    width,
  )

const entryTable = (entries: readonly Shown[], width: number | undefined) =>
  table(
    [
      { title: 'ENTRY', right: true },
      { title: 'TIME' },
      { title: 'MATCH', right: true },
      { title: 'KIND' },
      { title: 'AMOUNT', right: true },
      { title: 'BALANCE', right: true },
    ],
    entries.map(({ seq, at, match, kind, amount, balance }) => [
      ...[String(seq), when(at), String(match), kind],
      ...[amount > 0 ? `+${amount}` : String(amount), String(balance)],
    ]),
    width,
  )
