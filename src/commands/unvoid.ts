import { programName } from '../process/program-name.ts'
import { command, type Desk, Failure, printJson, withStore } from '../queries/desk.ts'
import { numbers } from '../queries/numbers.ts'
import { operatorOf } from './audited.ts'
import { matchesText, recalculatedText } from './void.ts'

export const unvoid = (desk: Desk) =>
  command('unvoid', 'Let voided matches count again.', 'agentbbs unvoid 12')
    .argument('<match...>', `the numbers that ${programName()} matches shows`, numbers(1))
    .action((ids: readonly number[], { json }: { json?: true }) =>
      withStore(desk, ({ voids }) => {
        const done = voids.unvoid(ids, operatorOf(desk))
        if ('problem' in done) throw new Failure(done.problem)
        if (json) return printJson(desk, { unvoided: ids, reckoned: done })
        desk.print(`${matchesText(ids)} no longer voided. ${recalculatedText(done)}`)
      }),
    )
