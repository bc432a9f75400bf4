import { countText } from '../record/count-text.ts'
import { ratingText } from '../record/rating-text.ts'
import { restartText, seasonJson, seasonRowJson } from '../record/season-record.ts'
import { momentText } from '../record/time-text.ts'
import type { Seasons } from '../store/seasons.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, Failure, printJson } from './command.ts'
import { ladderNamed } from './ladder.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

/** `name`: `season` in the hub, `show` among the commands of seasons. */
export const season = (context: CommandContext, name: string, example: string) =>
  command(name, 'Show the table of a season, as it was when the season was closed.', example)
    .argument('<ladder>', 'the ladder')
    .argument('[number]', 'which of its seasons; the newest unless given', number(1))
    .action((id: string, which: number | undefined, { json }: { json?: true }) =>
      withStore(context, ({ seasons, ladders }) => {
        const found = seasonNamed(seasons, ladderNamed(ladders, id.toLowerCase()).id, which)
        const rows = seasons.table(found)
        if (json)
          return printJson(context, { ...seasonJson(found), table: rows.map(seasonRowJson) })
        const { ladder, title, closedAt, matches, rule, seal } = found
        context.print(`${ladder}, season ${found.number}: ${title}

${table(
  columns,
  rows.map(row => [
    row.rank === null ? '-' : String(row.rank),
    row.name,
    row.strength === null ? '-' : `${ratingText(row.strength)} ± ${ratingText(row.error!)}`,
    `${ratingText(row.rating)}${row.rank === null ? '?' : ''}`.padEnd(5),
    ...[row.games, row.wins, row.draws, row.losses].map(String),
  ]),
  context.width,
)}

Closed at ${momentText(closedAt)} after ${countText(matches, 'match')}. ${restartText(rule)}
Seal ${seal.number} of ${ladder}: ${seal.hash}`)
      }),
    )

const seasonNamed = (seasons: Seasons, ladder: string, which: number | undefined) => {
  const all = seasons.of(ladder)
  const found = which === undefined ? all.at(-1) : all[which - 1]
  if (found !== undefined) return found
  throw new Failure(
    all.length === 0
      ? `no season of ${ladder} is closed yet`
      : `${ladder} has no season ${which}: there are 1 to ${all.length}`,
  )
}

const columns = [
  { title: 'RANK', right: true },
  { title: 'NAME', long: true },
  { title: 'STRENGTH', right: true },
  { title: 'ELO', right: true },
  { title: 'GAMES', right: true },
  { title: 'WON', right: true },
  { title: 'DRAWN', right: true },
  { title: 'LOST', right: true },
] as const
