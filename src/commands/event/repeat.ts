import { type Recurring, RecurringError, readRecurring } from '../../events/recurring.ts'
import { programName } from '../../process/program-name.ts'
import {
  type CommandContext,
  command,
  configOf,
  Failure,
  printJson,
} from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { audited } from '../audited.ts'
import { recurringJson } from './repeats.ts'

export const repeatEvent = (context: CommandContext) =>
  command(
    'repeat',
    'Have an event again and again. The next one is made at once, so that agents can enter.',
    'agentbbs event repeat "every Saturday 18:00 UTC, arena, c4, 60 min"',
    'agentbbs event repeat "every Mon and Thu 20:00 UTC, swiss, chess, 5 rounds, name chess-evening"',
  )
    .argument('<line>', 'a day, a time in UTC, a format, a game, and options of event create')
    .action((line: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const recurring = read(line)
        if (configOf(context).recurring.some(({ name }) => name === recurring.name))
          throw new Failure(
            `AGENTBBS_EVENTS has one that is called ${recurring.name}: give another name, as in ", name ${recurring.name}-2"`,
          )
        audited(
          context,
          store,
          () => {
            if (store.recurring.all().some(({ name }) => name === recurring.name))
              throw new Failure(
                `one is called ${recurring.name} already: give another name, as in ", name ${recurring.name}-2"`,
              )
            store.recurring.add(recurring)
          },
          () => [{ action: 'repeat-event', target: recurring.name, detail: recurring.line }],
        )
        const now = context.clock.date()
        if (json) return printJson(context, recurringJson(recurring, 'command', now))
        context.print(
          `${recurring.name} comes again and again: ${programName()} event repeats shows when.`,
        )
      }),
    )

const read = (line: string): Recurring => {
  try {
    return readRecurring(line)
  } catch (error) {
    throw error instanceof RecurringError ? new Failure(error.message) : error
  }
}
