import { programName } from '../process/program-name.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { keyText } from '../store/audit.ts'
import { audited } from './audited.ts'

export const revokeKey = (context: CommandContext) =>
  command(
    'revoke-key',
    'Revoke an SSH key, and close the connections that logged in with it.',
    'agentbbs revoke-key 3',
  )
    .argument('<id>', `the number that ${programName()} keys shows`, number(1))
    .action((id: number, { json }: { json?: true }) =>
      withStore(context, store => {
        audited(
          context,
          store,
          () => {
            if (!store.keys.revoke(id)) throw new Failure(`no valid key has the number ${id}`)
            return store.keys.find(id)!
          },
          key => [{ action: 'revoke-key', target: key.name, detail: keyText(key) }],
        )
        if (json) return printJson(context, { id, revoked: true })
        context.print(`Key ${id} is revoked.`)
      }),
    )
