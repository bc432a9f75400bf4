import { cancel } from '../../events/taking-part.ts'
import { type CommandContext, command, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { changeEvent } from './change.ts'

export const cancelEvent = (context: CommandContext) =>
  command(
    'cancel',
    'Cancel an event. Its matches stay, and those that are live end as matches do.',
    'agentbbs event cancel spring-cup --reason "the power is out"',
  )
    .argument('<event>', 'the name of the event')
    .option('--reason <text>', 'the reason, which is public')
    .action((id: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, store => {
        const { state } = changeEvent(
          context,
          store,
          id,
          state => cancel(state, reason ?? 'by the operator'),
          { action: 'cancel-event', reason: reason ?? null },
        )
        const { plan, status } = state
        if (json) return printJson(context, { id: plan.id, status, reason: reason ?? null })
        context.print(`${plan.id} is cancelled.`)
      }),
    )
