import { type CommandContext, command, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { countText } from '../record/count-text.ts'
import { changeText } from '../record/rating-text.ts'
import { pairings } from '../store/suspects.ts'
import { table } from '../text/table.ts'

export const suspects = (context: CommandContext) =>
  command(
    'suspects',
    'List pairs of accounts by how much rating one gained from the other.',
    'agentbbs suspects',
    'agentbbs suspects --days 1 --limit 50',
  )
    .option('--days <n>', 'matches that ended in the last so many days', number(1), 7)
    .option('--limit <n>', 'how many pairs', number(1), 20)
    .action(({ days, limit, json }: { days: number; limit: number; json?: true }) =>
      withStore(context, ({ db }) => {
        const pairs = pairings(db, context.clock.date() - days * 86_400_000).slice(0, limit)
        if (json)
          return printJson(
            context,
            pairs.map(({ ladder: game, gainer, loser, ...rest }) => ({
              game,
              gainer: gainer.name,
              loser: loser.name,
              ...rest,
            })),
          )
        if (pairs.length === 0) return context.print(`No rated match in ${countText(days, 'day')}.`)
        context.print(
          table(
            [
              { title: 'GAME' },
              { title: 'GAINER', long: true },
              { title: 'LOSER', long: true },
              { title: 'GAINED', right: true },
              { title: 'MATCHES', right: true },
              { title: 'WON', right: true },
              { title: 'QUICK', right: true },
              { title: 'DUPLICATES', right: true },
              { title: 'CAPPED', right: true },
              { title: 'SHARE', right: true },
              { title: 'OWNER' },
            ],
            pairs.map(pair => [
              pair.ladder,
              pair.gainer.name,
              pair.loser.name,
              changeText({ before: 0, after: pair.gained }),
              String(pair.matches),
              percent(pair.wins, pair.matches),
              percent(pair.quick, pair.matches),
              String(pair.copies),
              String(pair.capped),
              percent(pair.ofLoser, 1),
              pair.sameOwner ? 'same' : '-',
            ]),
            context.width,
          ),
        )
      }),
    )

const percent = (part: number, whole: number) =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)}%`
