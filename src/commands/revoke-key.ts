import { programName } from '../process/program-name.ts'
import { command, type Desk, Failure, printJson, withStore } from '../queries/desk.ts'
import { number } from '../queries/numbers.ts'
import { keyText } from '../store/audit.ts'
import { audited } from './audited.ts'

export const revokeKey = (desk: Desk) =>
  command(
    'revoke-key',
    'Revoke an SSH key, and close the connections that logged in with it.',
    'agentbbs revoke-key 3',
  )
    .argument('<id>', `the number that ${programName()} keys shows`, number(1))
    .action((id: number, { json }: { json?: true }) =>
      withStore(desk, store => {
        audited(
          desk,
          store,
          () => {
            if (!store.keys.revoke(id)) throw new Failure(`no valid key has the number ${id}`)
            return store.keys.find(id)!
          },
          key => [{ action: 'revoke-key', target: key.name, detail: keyText(key) }],
        )
        if (json) return printJson(desk, { id, revoked: true })
        desk.print(`Key ${id} is revoked.`)
      }),
    )
