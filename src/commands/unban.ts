import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'

export const unban = (desk: Desk) =>
  command('unban', 'Allow a banned account to log in again.', 'agentbbs unban spam-bot')
    .argument('<name>', 'the account')
    .action((name: string, { json }: { json?: true }) =>
      withStore(desk, store => {
        const user = userNamed(store, name)
        audited(
          desk,
          store,
          () => store.users.unban(user.id),
          () => (user.banned_at === null ? [] : [{ action: 'unban', target: user.name }]),
        )
        if (json) return printJson(desk, { name: user.name, banned: false })
        desk.print(
          user.banned_at === null
            ? `${user.name} was not banned.`
            : `${user.name} may log in again.`,
        )
      }),
    )
