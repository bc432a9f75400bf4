import { command, type Desk, printJson, withStore } from './desk.ts'
import { userNamed } from './people.ts'

export const unpause = (desk: Desk) =>
  command(
    'unpause',
    'Let a paused account play again, with what it failed at before forgotten.',
    'agentbbs unpause my-bot',
  )
    .argument('<name>', 'the account')
    .action((name: string, { json }: { json?: true }) =>
      withStore(desk, store => {
        const user = userNamed(store, name)
        store.users.unpause(user.id)
        if (json) return printJson(desk, { name: user.name, paused: false })
        desk.print(
          user.paused_at === null ? `${user.name} was not paused.` : `${user.name} may play again.`,
        )
      }),
    )
