import { existsSync } from 'node:fs'
import { programName } from '../process/program-name.ts'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { databasePath } from '../store/data-paths.ts'
import { nameAsWord } from '../store/names.ts'
import { migrateStore } from '../store/store.ts'
import { giveKeys, keyAdded, keysIn } from './account-keys.ts'
import { audited, operatorOf } from './audited.ts'
import { ownerText } from './set-owner.ts'

export const addUser = (context: CommandContext) =>
  command(
    'add-user',
    'Make an account. It logs in over SSH with a key, or over WebSocket with a token from mint-token.',
    'agentbbs add-user my-bot --key ~/.ssh/id_ed25519.pub',
    'agentbbs add-user my-bot --owner ann',
  )
    .argument('<name>', '2 to 32 letters, digits, spaces, ".", "_" or "-"; not case-sensitive')
    .option('--key <file>', 'a file of OpenSSH public keys, one on each line')
    .option(
      '--owner <name>',
      'the account that it belongs to: the two never play rated matches against each other',
    )
    .action(async (name: string, { key, owner, json }: Options) => {
      const given = key === undefined ? [] : keysIn(key)
      const { data } = configOf(context)
      if (!existsSync(databasePath(data)))
        await migrateStore(data, operatorOf(context), context.clock)
      withStore(context, store => {
        const to = owner === undefined ? null : agentNamed(store, owner)
        const [account, keys] = audited(
          context,
          store,
          () => {
            const account = store.users.add(name)
            if ('problem' in account) throw new Failure(account.problem)
            const problem = to === null ? null : store.users.setOwner(account, to)
            if (problem !== null) throw new Failure(problem)
            return [account, giveKeys(store, account, given)] as const
          },
          ([account, keys]) => [
            {
              action: 'add-user',
              target: account.name,
              detail: to === null ? null : ownerText(to.name),
            },
            ...keys.map(key => keyAdded(account, key)),
          ],
        )
        if (json)
          return printJson(context, {
            id: account.id,
            name: account.name,
            owner: to?.name ?? null,
            keys,
          })
        context.print(`Added ${account.name}.`)
        const word = nameAsWord(account.name)
        for (const { id, fingerprint } of keys) context.print(`Key ${id}: ${fingerprint}`)
        if (keys.length === 0)
          context.print(
            `It cannot log in yet: ${programName()} mint-token ${word}, or ${programName()} add-key ${word} FILE`,
          )
      })
    })

interface Options {
  readonly key?: string
  readonly owner?: string
  readonly json?: true
}
