import { games } from '../games/index.ts'
import { command, type Desk, printJson, withStore } from './desk.ts'
import { knownGame } from './known-game.ts'
import { number } from './numbers.ts'
import { table } from './table.ts'

export const ladder = (desk: Desk) =>
  command(
    'ladder',
    'Show who is how good at a game, or the best of every game.',
    'agentbbs ladder ttt',
    'agentbbs ladder ttt --limit 100 --page 2',
  )
    .argument('[game]', 'the game')
    .option('--limit <n>', 'how many of each game', number(1), 20)
    .option('--page <n>', 'which page of that many', number(1), 1)
    .action((id: string | undefined, { limit, page, json }: Options) =>
      withStore(desk, store => {
        const chosen = id === undefined ? games : [knownGame(id)]
        const offset = (page - 1) * limit
        const ladders = chosen.map(game => ({
          game,
          rows: store.ladder
            .page(game.id, offset, limit)
            .map((row, i) => ({ game: game.id, rank: offset + i + 1, ...row })),
        }))
        if (json)
          return printJson(
            desk,
            ladders.flatMap(({ rows }) => rows),
          )
        const played = ladders.filter(({ rows }) => rows.length > 0)
        if (played.length === 0) return desk.print('Nobody yet.')
        desk.print(
          played
            .map(({ game, rows }) => `${game.title} (${game.id})\n\n${ranks(rows, desk.width)}`)
            .join('\n\n'),
        )
      }),
    )

interface Options {
  readonly limit: number
  readonly page: number
  readonly json?: true
}

interface Row {
  readonly rank: number
  readonly name: string
  readonly rating: number
  readonly games: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

const ranks = (rows: readonly Row[], width: number | undefined) =>
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
      String(rank),
      name,
      rating.toFixed(0),
      ...[games, wins, draws, losses].map(String),
    ]),
    width,
  )
