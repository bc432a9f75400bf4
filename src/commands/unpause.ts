import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { audited } from './audited.ts'

export const unpause = (context: CommandContext) =>
  command(
    'unpause',
    'Let a paused account play again, with what it failed at before forgotten.',
    'agentbbs unpause my-bot',
  )
    .argument('<name>', 'the account')
    .action((name: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const user = agentNamed(store, name)
        const lifted = audited(
          context,
          store,
          () => store.users.unpause(user.id, 'operator'),
          lifted => (lifted ? [{ action: 'unpause', target: user.name }] : []),
        )
        if (json) return printJson(context, { name: user.name, paused: false })
        context.print(lifted ? `${user.name} may play again.` : `${user.name} was not paused.`)
      }),
    )
