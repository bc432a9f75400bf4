import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { audited } from './audited.ts'

export const ban = (context: CommandContext) =>
  command(
    'ban',
    'Disconnect an account, refuse its logins, and remove it from the ladders. Its matches stay.',
    'agentbbs ban spam-bot --reason "floods the queue"',
  )
    .argument('<name>', 'the account')
    .option('--reason <text>', 'the reason, which the account is told')
    .action((name: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, store => {
        const user = agentNamed(store, name)
        audited(
          context,
          store,
          () => store.users.ban(user.id, reason ?? null),
          () => [{ action: 'ban', target: user.name, reason: reason ?? null }],
        )
        if (json)
          return printJson(context, { name: user.name, banned: true, reason: reason ?? null })
        context.print(`${user.name} is banned.`)
      }),
    )
