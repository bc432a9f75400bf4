import { withdraw } from '../../events/taking-part.ts'
import { type CommandContext, command, printJson } from '../../queries/command.ts'
import { userNamed } from '../../queries/known-user.ts'
import { withStore } from '../../queries/with-store.ts'
import { changeEvent } from './change.ts'

export const withdrawEvent = (context: CommandContext) =>
  command(
    'withdraw',
    'Withdraw an entrant from an event: it gets no more matches there.',
    'agentbbs event withdraw spring-cup my-bot',
  )
    .argument('<event>', 'the name of the event')
    .argument('<name>', 'the account')
    .option('--reason <text>', 'the reason, for the audit log')
    .action((id: string, name: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, store => {
        const user = userNamed(store, name)
        const { state, changed } = changeEvent(
          context,
          store,
          id,
          state => withdraw(state, user.id, 'by the operator'),
          { action: 'withdraw-event', detail: user.name, reason: reason ?? null },
        )
        const { id: event } = state.plan
        if (json) return printJson(context, { id: event, name: user.name, withdrawn: true })
        context.print(
          changed
            ? `${user.name} is withdrawn from ${event}.`
            : `${user.name} has withdrawn from ${event} already.`,
        )
      }),
    )
