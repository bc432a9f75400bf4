import { provisionalBelow } from '../arena/rating.ts'
import { standingText } from '../record/rating-text.ts'
import { knownLadder, type Ladder, laddersIn } from '../store/ladders.ts'
import type { Placed } from '../store/rankings.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, printJson, withStore } from './command.ts'
import { unknownGame } from './known-game.ts'
import { number } from './numbers.ts'

export const ladder = (context: CommandContext) =>
  command(
    'ladder',
    'Show the ladder of a game, or the top of every ladder.',
    'agentbbs ladder ttt',
    'agentbbs ladder ttt --limit 100 --page 2',
  )
    .argument('[game]', 'a game, or a game and +people for its matches with people')
    .option('--limit <n>', 'players on a page', number(1), 20)
    .option('--page <n>', 'the page to show', number(1), 1)
    .action((id: string | undefined, { limit, page, json }: Options) =>
      withStore(context, store => {
        const chosen = id === undefined ? laddersIn(store.rankings) : [ladderNamed(id)]
        const ladders = chosen.map(ladder => ({
          ladder,
          ...store.rankings.page(ladder.id, { offset: (page - 1) * limit, limit }),
        }))
        if (json) return printJson(context, ladders.flatMap(rowsJson))
        const shown = ladders.filter(({ rows }) => rows.length > 0)
        if (shown.length === 0)
          return context.print(page > 1 ? `No page ${page}.` : 'No rated match yet.')
        const tables = shown.map(
          ({ ladder: { id, title }, rows }) => `${title} (${id})\n\n${ranks(rows, context.width)}`,
        )
        const isProvisional = shown.some(({ rows }) => rows.at(-1)!.rank === null)
        context.print([...tables, ...(isProvisional ? [meaning] : [])].join('\n\n'))
      }),
    )

interface Options {
  readonly limit: number
  readonly page: number
  readonly json?: true
}

const ladderNamed = (id: string): Ladder => {
  const ladder = knownLadder(id.toLowerCase())
  if (ladder === undefined) throw unknownGame(id)
  return ladder
}

const rowsJson = ({ ladder, rows }: { ladder: Ladder; rows: readonly Placed[] }) =>
  rows.map(({ account: _, rank, ...row }) => ({
    game: ladder.id,
    rank,
    provisional: rank === null,
    ...row,
  }))

const meaning = `?  provisional: fewer than ${provisionalBelow} rated matches`

const ranks = (rows: readonly Placed[], width: number | undefined) =>
  table(
    [
      { title: 'RANK', right: true },
      { title: 'NAME', long: true },
      { title: 'RATING', right: true },
      { title: 'GAMES', right: true },
      { title: 'WON', right: true },
      { title: 'DRAWN', right: true },
      { title: 'LOST', right: true },
    ],
    rows.map(({ rank, name, rating, games, wins, draws, losses }) => [
      rank === null ? '-' : String(rank),
      name,
      // Aligns the digits, with or without the mark.
      standingText({ rating, games }).padEnd(5),
      ...[games, wins, draws, losses].map(String),
    ]),
    width,
  )
