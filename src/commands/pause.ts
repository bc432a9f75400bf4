import { command, type Desk, Failure, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'

export const pause = (desk: Desk) =>
  command(
    'pause',
    'Let an account play nothing but practice, until you un-pause it. Matches under way go on.',
    'agentbbs pause my-bot --reason "it stalls in every endgame"',
  )
    .argument('<name>', 'the account')
    .option('--reason <text>', 'why; it is told')
    .action((name: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(desk, store => {
        const user = userNamed(store, name)
        if (user.kind === 'house') throw new Failure(`${user.name} plays for the house`)
        audited(
          desk,
          store,
          () => store.users.pause(user.id, reason ?? null),
          () => [{ action: 'pause', target: user.name, reason: reason ?? null }],
        )
        if (json) return printJson(desk, { name: user.name, paused: true, reason: reason ?? null })
        desk.print(`${user.name} is paused.`)
      }),
    )
