import { Option } from 'commander'
import { eventSummary } from '../record/event-record.ts'
import { formatText, statusTexts, whenText } from '../record/event-text.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, printJson } from './command.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

/** `name` is what the command is called: `list` among the commands of an operator. */
export const events = (context: CommandContext, name: string, example: string) =>
  command(
    name,
    'List events: those that run or are to come, and then those that are over.',
    example,
  )
    .addOption(
      new Option('--status <status>', 'only events with this status').choices(
        Object.keys(statusTexts),
      ),
    )
    .option('--limit <n>', 'how many', number(1), 20)
    .action(({ status, limit, json }: Options) =>
      withStore(context, store => {
        const all = store.events.list()
        const sorted = [
          ...all.filter(({ endedAt }) => endedAt === null),
          ...all.filter(({ endedAt }) => endedAt !== null),
        ]
        const shown = sorted
          .filter(event => status === undefined || event.status === status)
          .slice(0, limit)
        if (json) return printJson(context, shown.map(eventSummary))
        if (shown.length === 0) return context.print('No events.')
        context.print(
          table(
            [
              { title: 'EVENT' },
              { title: 'GAME' },
              { title: 'FORMAT' },
              { title: 'STATUS' },
              { title: 'ENTRANTS', right: true },
              { title: 'WHEN', long: true },
            ],
            shown.map(event => [
              event.plan.id,
              event.plan.game,
              formatText(event.plan.format),
              event.status,
              String(event.entrants),
              whenText(event),
            ]),
            context.width,
          ),
        )
      }),
    )

interface Options {
  readonly status?: string
  readonly limit: number
  readonly json?: true
}
