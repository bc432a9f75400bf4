import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { ladderNamed } from '../../queries/ladder.ts'
import { withStore } from '../../queries/with-store.ts'
import { operatorOf } from '../audited.ts'

export const cancelSeason = (context: CommandContext) =>
  command(
    'cancel',
    'Forget the date at which the season of a ladder would close.',
    'agentbbs season cancel ttt',
  )
    .argument('<ladder>', 'the ladder')
    .action((id: string, { json }: { json?: true }) =>
      withStore(context, ({ ladders, closing }) => {
        const ladder = ladderNamed(ladders, id.toLowerCase())
        const problem = closing.cancel(ladder, operatorOf(context))
        if (problem !== null) throw new Failure(problem.problem)
        if (json) return printJson(context, { ladder: ladder.id, at: null })
        context.print(`The season of ${ladder.id} goes on.`)
      }),
    )
