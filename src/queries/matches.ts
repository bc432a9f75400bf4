import { Option } from 'commander'
import { commandRecord, type MatchStatus, matchStatuses } from '../record/match-record.ts'
import { scoreText, versusText } from '../record/result-text.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'
import { type CommandContext, command, printJson } from './command.ts'
import { knownGame } from './known-game.ts'
import { userNamed } from './known-user.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

export const matches = (context: CommandContext) =>
  command(
    'matches',
    'List matches, the newest first.',
    'agentbbs matches --game ttt --limit 20',
    'agentbbs matches --agent my-bot --status done',
  )
    .option('--game <id>', 'only matches of this game')
    .option('--agent <name>', 'only matches of this account')
    .addOption(
      new Option('--status <status>', 'only matches with this status').choices(matchStatuses),
    )
    .option('--before <match>', 'only matches with a lower number', number(1))
    .option('--limit <n>', 'how many', number(1), 20)
    .action(({ game, agent, status, before, limit, json }: Options) =>
      withStore(context, store => {
        const found = store.matches.newest({
          game: game && knownGame(game).id,
          account: agent === undefined ? undefined : userNamed(store, agent).id,
          status,
          before,
          limit,
        })
        if (json) return printJson(context, found.map(commandRecord))
        if (found.length === 0) return context.print('No matches.')
        context.print(
          table(
            [
              { title: 'MATCH', right: true },
              { title: 'GAME' },
              { title: 'PLAYERS', long: true },
              { title: 'RESULT' },
              { title: 'ENDING' },
              { title: 'MOVES', right: true },
              { title: 'RATED' },
              { title: 'STARTED' },
            ],
            found.map(match => [
              String(match.id),
              match.game,
              versusText(match),
              scoreText(match),
              match.end?.ending ?? '-',
              String(match.moveCount),
              match.voided !== null ? 'voided' : match.unrated === null ? 'yes' : 'no',
              when(match.startedAt),
            ]),
            context.width,
          ),
        )
      }),
    )

interface Options {
  readonly game?: string
  readonly agent?: string
  readonly status?: MatchStatus
  readonly before?: number
  readonly limit: number
  readonly json?: true
}
