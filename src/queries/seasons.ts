import { seasonJson } from '../record/season-record.ts'
import { isoTime, momentText } from '../record/time-text.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, printJson } from './command.ts'
import { ladderNamed } from './ladder.ts'
import { withStore } from './with-store.ts'

/** `name`: `seasons` in the hub, `list` among the commands of seasons. */
export const seasons = (context: CommandContext, name: string, example: string) =>
  command(name, 'List the seasons of ladders that are closed, the newest first.', example)
    .argument('[ladder]', 'only those of this ladder')
    .action((id: string | undefined, { json }: { json?: true }) =>
      withStore(context, ({ seasons, ladders }) => {
        const only = id === undefined ? undefined : ladderNamed(ladders, id.toLowerCase()).id
        const isShown = ({ ladder }: { ladder: string }) => only === undefined || ladder === only
        const closed = seasons.all().filter(isShown).reverse()
        const dates = seasons.dates().filter(isShown)
        if (json)
          return printJson(context, {
            seasons: closed.map(seasonJson),
            dates: dates.map(date => ({ ...date, at: isoTime(date.at) })),
          })
        if (closed.length === 0) context.print('No season is closed yet.')
        else
          context.print(
            table(
              columns,
              closed.map(({ ladder, number, title, closedAt, matches, rule }) => [
                ladder,
                String(number),
                title,
                momentText(closedAt),
                String(matches),
                rule,
              ]),
              context.width,
            ),
          )
        for (const { ladder, title, rule, at } of dates)
          context.print(`${ladder}: ${title} will close at ${momentText(at)}, ratings ${rule}.`)
      }),
    )

const columns = [
  { title: 'LADDER' },
  { title: 'SEASON', right: true },
  { title: 'TITLE', long: true },
  { title: 'CLOSED' },
  { title: 'MATCHES', right: true },
  { title: 'RATINGS' },
] as const
