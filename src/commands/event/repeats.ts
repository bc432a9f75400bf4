import { nextOf, type Recurring } from '../../events/recurring.ts'
import { type CommandContext, command, configOf, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { isoTime, momentText } from '../../record/time-text.ts'
import { table } from '../../text/table.ts'

export const repeats = (context: CommandContext) =>
  command(
    'repeats',
    'List the recurring events, those of AGENTBBS_EVENTS and those of event repeat.',
    'agentbbs event repeats',
  ).action(({ json }: { json?: true }) =>
    withStore(context, store => {
      const now = context.clock.date()
      const all = [
        ...configOf(context).recurring.map(recurring => [recurring, 'setting'] as const),
        ...store.recurring.all().map(recurring => [recurring, 'command'] as const),
      ]
      if (json)
        return printJson(
          context,
          all.map(([recurring, by]) => recurringJson(recurring, by, now)),
        )
      if (all.length === 0) return context.print('No recurring events.')
      context.print(
        table(
          [{ title: 'NAME' }, { title: 'BY' }, { title: 'NEXT' }, { title: 'LINE', long: true }],
          all.map(([recurring, by]) => [
            recurring.name,
            by,
            momentText(startOf(recurring, now)),
            recurring.line,
          ]),
          context.width,
        ),
      )
    }),
  )

export const recurringJson = (recurring: Recurring, by: 'setting' | 'command', now: number) => ({
  name: recurring.name,
  by,
  next: isoTime(startOf(recurring, now)),
  line: recurring.line,
})

const startOf = (recurring: Recurring, now: number): number =>
  nextOf(recurring, now, noSeed).startsAt!

const noSeed = () => ''
