import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { audited } from './audited.ts'

export const unban = (context: CommandContext) =>
  command('unban', 'Allow a banned account to log in again.', 'agentbbs unban spam-bot')
    .argument('<name>', 'the account')
    .action((name: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const user = agentNamed(store, name)
        audited(
          context,
          store,
          () => store.users.unban(user.id),
          () => (user.banned_at === null ? [] : [{ action: 'unban', target: user.name }]),
        )
        if (json) return printJson(context, { name: user.name, banned: false })
        context.print(
          user.banned_at === null
            ? `${user.name} was not banned.`
            : `${user.name} may log in again.`,
        )
      }),
    )
