import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { userNamed } from '../queries/known-user.ts'
import { audited } from './audited.ts'
import { giveKeys, keyAdded, keysIn } from './people.ts'

export const addKey = (desk: Desk) =>
  command('add-key', 'Add SSH keys to an account.', 'agentbbs add-key my-bot ~/.ssh/id_ed25519.pub')
    .argument('<name>', 'the account')
    .argument('<file>', 'a file of OpenSSH public keys, one on each line')
    .action((name: string, file: string, { json }: { json?: true }) => {
      const given = keysIn(file)
      withStore(desk, store => {
        const user = userNamed(store, name)
        const keys = audited(
          desk,
          store,
          () => giveKeys(store, user, given),
          keys => keys.map(key => keyAdded(user, key)),
        )
        if (json) return printJson(desk, { name: user.name, keys })
        for (const { id, fingerprint } of keys) desk.print(`Key ${id}: ${fingerprint}`)
      })
    })
