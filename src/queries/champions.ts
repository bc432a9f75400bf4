import { championJson } from '../record/season-record.ts'
import { dayText } from '../record/time-text.ts'
import { champions as allChampions } from '../store/champions.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, printJson } from './command.ts'
import { withStore } from './with-store.ts'

export const champions = (context: CommandContext) =>
  command(
    'champions',
    'List the champions of seasons and of events, the newest first.',
    'agentbbs champions',
  ).action(({ json }: { json?: true }) =>
    withStore(context, store => {
      const all = allChampions(store)
      if (json) return printJson(context, all.map(championJson))
      if (all.length === 0) return context.print('No champion yet.')
      context.print(
        table(
          columns,
          all.map(({ at, title, names, of }) => [
            dayText(at),
            names.join(', '),
            of.kind === 'event' ? `event ${of.id}` : `${of.ladder}, season ${of.number}`,
            title,
          ]),
          context.width,
        ),
      )
    }),
  )

const columns = [
  { title: 'DAY' },
  { title: 'CHAMPION', long: true },
  { title: 'OF' },
  { title: 'TITLE', long: true },
] as const
