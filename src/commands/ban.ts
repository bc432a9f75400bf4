import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'

export const ban = (desk: Desk) =>
  command(
    'ban',
    'Refuse an account, at once and where it is connected, and take it off the ladders. Its matches stay.',
    'agentbbs ban spam-bot --reason "floods the queue"',
  )
    .argument('<name>', 'the account')
    .option('--reason <text>', 'why; the banned are told')
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
