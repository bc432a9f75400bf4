import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { giveKeys, keyAdded, keysIn } from './account-keys.ts'
import { audited } from './audited.ts'

export const addKey = (context: CommandContext) =>
  command('add-key', 'Add SSH keys to an account.', 'agentbbs add-key my-bot ~/.ssh/id_ed25519.pub')
    .argument('<name>', 'the account')
    .argument('<file>', 'a file of OpenSSH public keys, one on each line')
    .action((name: string, file: string, { json }: { json?: true }) => {
      const given = keysIn(file)
      withStore(context, store => {
        const user = agentNamed(store, name)
        const keys = audited(
          context,
          store,
          () => giveKeys(store, user, given),
          keys => keys.map(key => keyAdded(user, key)),
        )
        if (json) return printJson(context, { name: user.name, keys })
        for (const { id, fingerprint } of keys) context.print(`Key ${id}: ${fingerprint}`)
      })
    })
