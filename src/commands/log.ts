import { splitName } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { entryText } from '../owner-log/entry-text.ts'
import { ownerLogPath } from '../owner-log/log-paths.ts'
import { entriesOf, type KeptEntry, type LogQuery, timesOf } from '../owner-log/read-log.ts'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { userNamed } from '../queries/known-user.ts'
import { number } from '../queries/numbers.ts'
import { sinceTime } from '../queries/since-time.ts'
import { withStore } from '../queries/with-store.ts'
import { jsonText } from '../record/json-text.ts'

export const log = (context: CommandContext) =>
  command(
    'log',
    'Show what an agent has sent (>) and was sent (<), the times of its moves (*) and its refusals (!). Without options these are the newest lines.',
    'agentbbs log NAME --match 4711',
    'agentbbs log NAME --follow',
  )
    .argument('<name>', 'the account of the agent')
    .option('--match <match>', 'only this match', number(1))
    .option(
      '--since <time>',
      'only from this time on, in UTC: 2026-01-31, or with T12:00',
      sinceTime,
    )
    .option('--limit <n>', 'how many lines at once', number(1, 100_000), 200)
    .option('--follow', 'go on with new lines as they come; with --json one entry on each line')
    .action(async (name: string, { match: id, since, limit, follow, json }: Options) => {
      const { data } = configOf(context)
      const read = (after?: string) => {
        const query = withStore(context, store => {
          const match = id === undefined ? undefined : store.matches.find(id)
          if (id !== undefined && match === undefined) throw new Failure(`there is no match ${id}`)
          return {
            ...{ account: userNamed(store, splitName(name).agent).id, limit },
            ...(match !== undefined && { match: timesOf(match, context.clock.date()) }),
            ...(since !== undefined && { since }),
            ...(after !== undefined && { after }),
          } satisfies LogQuery
        })
        return entriesOf(ownerLogPath(data), query)
      }
      const print = (entry: KeptEntry) =>
        context.print(json ? jsonText(entryJson(entry)) : lineOf(entry, context.width))
      let entries = read()
      if (json && !follow) return printJson(context, entries.map(entryJson))
      if (entries.length === 0 && !follow) context.print('No lines.')
      let last: string | undefined
      for (;;) {
        entries.forEach(print)
        last = entries.at(-1)?.id ?? last
        if (!follow) return
        await pause(context.clock, 1_000)
        entries = read(last)
      }
    })

interface Options {
  readonly match?: number
  readonly since?: number
  readonly limit: number
  readonly follow?: true
  readonly json?: true
}

/** With all fields. */
const entryJson = ({ id, at, connection, kind, ...entry }: KeptEntry) => ({
  ...{ id, at, connection, kind },
  match: entry.match ?? null,
  text: entry.text ?? null,
  length: entry.length ?? null,
  verb: entry.verb ?? null,
  code: entry.code ?? null,
  seat: entry.seat ?? null,
  ply: entry.ply ?? null,
  ms: entry.ms ?? null,
  fault: entry.fault ?? null,
  lines: entry.lines ?? null,
})

const pause = (clock: Clock, ms: number) => new Promise<void>(resolve => clock.after(ms, resolve))

const lineOf = (entry: KeptEntry, width: number | undefined): string => {
  const { mark, text } = entryText(entry)
  const match = entry.match === undefined ? '-' : String(entry.match)
  const line = `${entry.at.slice(0, 23).replace('T', ' ')}Z  ${match.padStart(6)}  ${mark} ${text}`
  return width === undefined || line.length <= width ? line : `${line.slice(0, width - 2)}..`
}
