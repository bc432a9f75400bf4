import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { audited } from './audited.ts'

export const pause = (context: CommandContext) =>
  command(
    'pause',
    'Allow an account only practice matches until it is unpaused. Live matches continue.',
    'agentbbs pause my-bot --reason "it stalls in every endgame"',
  )
    .argument('<name>', 'the account')
    .option('--reason <text>', 'the reason, which the account is told')
    .action((name: string, { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, store => {
        const user = agentNamed(store, name)
        if (user.kind === 'house') throw new Failure(`${user.name} is a house player`)
        audited(
          context,
          store,
          () => store.users.pause(user.id, reason ?? null),
          () => [{ action: 'pause', target: user.name, reason: reason ?? null }],
        )
        if (json)
          return printJson(context, { name: user.name, paused: true, reason: reason ?? null })
        context.print(`${user.name} is paused.`)
      }),
    )
