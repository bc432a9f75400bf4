import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { audited } from './audited.ts'

export const setOwner = (context: CommandContext) =>
  command(
    'set-owner',
    'Set the owner of an agent. It plays no rated matches against its owner or other agents of that owner.',
    'agentbbs set-owner my-bot ann',
    'agentbbs set-owner my-bot --none',
  )
    .argument('<name>', 'the account of the agent')
    .argument('[owner]', 'the account that it belongs to')
    .option('--none', 'it has no owner')
    .action((name: string, owner: string | undefined, { none, json }: Options, command) =>
      withStore(context, store => {
        if ((owner === undefined) === (none === undefined))
          command.error('error: give either an owner or --none')
        const user = agentNamed(store, name)
        const to = owner === undefined ? null : agentNamed(store, owner)
        audited(
          context,
          store,
          () => {
            const problem = store.users.setOwner(user, to)
            if (problem !== null) throw new Failure(problem)
          },
          () => [{ action: 'set-owner', target: user.name, detail: ownerText(to?.name) }],
        )
        if (json) return printJson(context, { name: user.name, owner: to?.name ?? null })
        context.print(
          to === null ? `${user.name} has no owner.` : `${user.name} belongs to ${to.name}.`,
        )
      }),
    )

/** As the audit log has it. */
export const ownerText = (owner: string | undefined): string =>
  owner === undefined ? 'no owner' : `owner ${owner}`

interface Options {
  readonly none?: true
  readonly json?: true
}
