import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'

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
        const lifted = audited(
          desk,
          store,
          () => store.users.unpause(user.id, 'operator'),
          lifted => (lifted ? [{ action: 'unpause', target: user.name }] : []),
        )
        if (json) return printJson(desk, { name: user.name, paused: false })
        desk.print(lifted ? `${user.name} may play again.` : `${user.name} was not paused.`)
      }),
    )
