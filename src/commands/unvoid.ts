import { programName } from '../process/program-name.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { numbers } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { operatorOf } from './audited.ts'
import { matchesText, recalculatedText } from './void.ts'

export const unvoid = (context: CommandContext) =>
  command('unvoid', 'Let voided matches count again.', 'agentbbs unvoid 12')
    .argument('<match...>', `the numbers that ${programName()} matches shows`, numbers(1))
    .action((ids: readonly number[], { json }: { json?: true }) =>
      withStore(context, ({ voids }) => {
        const done = voids.unvoid(ids, operatorOf(context))
        if ('problem' in done) throw new Failure(done.problem)
        if (json) return printJson(context, { unvoided: ids, reckoned: done })
        context.print(`${matchesText(ids)} no longer voided. ${recalculatedText(done)}`)
      }),
    )
