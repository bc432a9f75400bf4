import type { Game } from '../games/game.ts'
import { games as all } from '../games/index.ts'
import { command, type Desk, printJson } from './desk.ts'
import { knownGame } from './known-game.ts'
import { packageFile } from './package-file.ts'
import { table } from './table.ts'

export const games = (desk: Desk) =>
  command(
    'games',
    'List the games, or explain one: its rules, what its players see and what they send.',
    'agentbbs games',
    'agentbbs games ttt',
  )
    .argument('[game]', 'the game')
    .action((id: string | undefined, { json }: { json?: true }) => {
      if (id === undefined) {
        if (json) return printJson(desk, all.map(gameJson))
        return desk.print(
          table(
            [
              { title: 'GAME' },
              { title: 'TITLE' },
              { title: 'PLAYERS' },
              { title: 'SUMMARY', long: true },
            ],
            all.map(game => [game.id, game.title, String(game.seats), game.summary]),
            desk.width,
          ),
        )
      }
      const game = knownGame(id)
      const manual = manualOf(game)
      if (json) return printJson(desk, { ...gameJson(game), manual })
      const facts = [`${game.seats} players`, ...factsOf(game)].join(', ')
      desk.print(
        [`${game.title} (${game.id})`, game.summary, `${facts}.`, manual ?? ''].join('\n\n').trim(),
      )
    })

const gameJson = ({ id, title, summary, seats, facts: { turns, luck, secrets } }: Game) => ({
  game: id,
  title,
  summary,
  seats: { min: seats, max: seats },
  facts: { turns, luck, secrets },
})

const factsOf = ({ facts: { turns, luck, secrets } }: Game) => [
  turns === 'together' ? 'all move at once' : 'in turn',
  luck ? 'with luck' : 'without luck',
  secrets ? 'with secrets' : 'all in the open',
]

/** The game's section of docs/games.md, without its heading. */
const manualOf = ({ id }: Game): string | null => {
  const section = packageFile('docs/games.md')
    ?.split(/^(?=## )/m)
    .find(text => text.startsWith(`## ${id} `))
  return section?.replace(/^.*\n+/, '').trim() ?? null
}
