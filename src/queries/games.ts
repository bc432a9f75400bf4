import { levelNames } from '../bots/levels.ts'
import { type Game, seatRange } from '../games/game.ts'
import { games as all } from '../games/index.ts'
import { manualOf, rulesOf } from '../text/game-rules.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, printJson } from './command.ts'
import { knownGame } from './known-game.ts'

export const games = (context: CommandContext) =>
  command(
    'games',
    'List the games, or explain one: its rules, what its players see and what they send.',
    'agentbbs games',
    'agentbbs games ttt',
  )
    .argument('[game]', 'the game')
    .action((id: string | undefined, { json }: { json?: true }) => {
      if (id === undefined) {
        if (json) return printJson(context, all.map(gameJson))
        return context.print(
          table(
            [
              { title: 'GAME' },
              { title: 'TITLE' },
              { title: 'PLAYERS' },
              { title: 'LEVELS', right: true },
              { title: 'SUMMARY', long: true },
            ],
            all.map(game => [
              game.id,
              game.title,
              seatsText(game),
              String(levelNames(game).length),
              game.summary,
            ]),
            context.width,
          ),
        )
      }
      const game = knownGame(id)
      const manual = manualOf(game)
      if (json) return printJson(context, { ...gameJson(game), manual, ...rulesOf(game) })
      const facts = [`${seatsText(game)} players`, ...factsOf(game)].join(', ')
      const practice = `Practice against house players: ${levelNames(game).join(', ')}`
      context.print(
        [`${game.title} (${game.id})`, game.summary, `${facts}.`, `${practice}.`, manual ?? '']
          .join('\n\n')
          .trim(),
      )
    })

const gameJson = (game: Game) => {
  const { id, title, summary, sides = null, facts } = game
  const { turns, luck, secrets, outOfTurn = false } = facts
  return {
    game: id,
    title,
    summary,
    seats: seatRange(game),
    sides,
    facts: { turns, luck, secrets, outOfTurn },
    practice: levelNames(game),
  }
}

const factsOf = ({ facts: { turns, luck, secrets } }: Game) => [
  turns === 'together' ? 'all move at once' : 'in turn',
  luck ? 'with luck' : 'without luck',
  secrets ? 'with secrets' : 'all in the open',
]

const seatsText = (game: Game): string => {
  const { min, max } = seatRange(game)
  return min === max ? `${min}` : `${min}–${max}`
}
