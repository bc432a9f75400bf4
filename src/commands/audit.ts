import { Option } from 'commander'
import { type CommandContext, command, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { sinceTime } from '../queries/since-time.ts'
import { withStore } from '../queries/with-store.ts'
import { jsonText } from '../record/json-text.ts'
import { isoTime } from '../record/time-text.ts'
import { type Action, type AuditEntry, actions } from '../store/audit.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'

export const audit = (context: CommandContext) =>
  command(
    'audit',
    'List the changes to accounts, credentials and results, the newest first. No entry can be removed.',
    'agentbbs audit',
    'agentbbs audit --action ban --since 2026-01-01',
  )
    .addOption(new Option('--action <name>', 'only this action').choices(actions))
    .option('--target <name>', 'only changes of this account, match or file')
    .option('--by <name>', 'only changes by this operator or account')
    .option(
      '--since <time>',
      'only from this time on, in UTC: 2026-01-31, or with T12:00',
      sinceTime,
    )
    .option('--before <entry>', 'only entries with a lower number', number(1))
    .option('--limit <n>', 'how many', number(1), 50)
    .addOption(
      new Option('--format <format>', 'json, or ndjson: one entry on each line').choices(formats),
    )
    .action(({ format, json, ...filter }: Options) =>
      withStore(context, store => {
        const entries = store.audit.find(filter)
        if (format === 'ndjson') {
          for (const entry of entries) context.print(jsonText(entryJson(entry)))
          return
        }
        if (json || format === 'json') return printJson(context, entries.map(entryJson))
        if (entries.length === 0) return context.print('No entries.')
        context.print(
          table(
            [
              { title: 'ENTRY', right: true },
              { title: 'AT' },
              { title: 'BY' },
              { title: 'VIA' },
              { title: 'ACTION' },
              { title: 'TARGET' },
              { title: 'DETAIL', long: true },
              { title: 'REASON', long: true },
            ],
            entries.map(entry => [
              String(entry.id),
              when(entry.at),
              entry.by,
              entry.via,
              entry.action,
              entry.target,
              entry.detail ?? '-',
              entry.reason ?? '-',
            ]),
            context.width,
          ),
        )
      }),
    )

const formats = ['ndjson', 'json'] as const

interface Options {
  readonly action?: Action
  readonly target?: string
  readonly by?: string
  readonly since?: number
  readonly before?: number
  readonly limit: number
  readonly format?: (typeof formats)[number]
  readonly json?: true
}

const entryJson = ({ at, ...entry }: AuditEntry) => ({ ...entry, at: isoTime(at) })
