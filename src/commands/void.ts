import { programName } from '../process/program-name.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { numbers } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { countText } from '../record/count-text.ts'
import type { Recount } from '../store/voids.ts'
import { operatorOf } from './audited.ts'

export const voidMatches = (context: CommandContext) =>
  command(
    'void',
    'Void matches: recalculate the ratings as if they had been unrated.',
    'agentbbs void 12 --reason "both were run by one person"',
    'agentbbs void 12 13 14',
  )
    .argument('<match...>', `the numbers that ${programName()} matches shows`, numbers(1))
    .option('--reason <text>', 'the reason, which is public')
    .action((ids: readonly number[], { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, ({ voids }) => {
        const done = voids.void(ids, reason ?? null, operatorOf(context))
        if ('problem' in done) throw new Failure(done.problem)
        if (json) return printJson(context, { voided: ids, reason: reason ?? null, reckoned: done })
        context.print(`${matchesText(ids)} voided. ${recalculatedText(done)}`)
      }),
    )

export const matchesText = (ids: readonly number[]): string =>
  ids.length === 1 ? `Match ${ids[0]} is` : `Matches ${ids.join(', ')} are`

export const recalculatedText = ({ matches, ratings }: Recount): string =>
  matches === 0
    ? 'No rating depended on it.'
    : `Recalculated ${countText(matches, 'match')} and ${countText(ratings, 'rating')}.`
