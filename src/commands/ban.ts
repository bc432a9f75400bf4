import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'

export const ban = (desk: Desk) =>
  command(
    'ban',
    'Disconnect an account, refuse its logins, and remove it from the ladders. Its matches stay.',
    'agentbbs ban spam-bot --reason "floods the queue"',
  )
    .argument('<name>', 'the account')
    .option('--reason <text>', 'the reason, which the account is told')
    .action((name: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(desk, store => {
        const user = userNamed(store, name)
        audited(
          desk,
          store,
          () => store.users.ban(user.id, reason ?? null),
          () => [{ action: 'ban', target: user.name, reason: reason ?? null }],
        )
        if (json) return printJson(desk, { name: user.name, banned: true, reason: reason ?? null })
        desk.print(`${user.name} is banned.`)
      }),
    )
