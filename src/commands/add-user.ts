import { existsSync } from 'node:fs'
import { databasePath } from '../store/database.ts'
import { migrateStore } from '../store/store.ts'
import { command, configOf, type Desk, Failure, printJson, withStore } from './desk.ts'
import { giveKeys, keysIn } from './people.ts'

export const addUser = (desk: Desk) =>
  command(
    'add-user',
    'Make an account. With a key it can log in by SSH; mint-token lets it in by WebSocket.',
    'agentbbs add-user my-bot --key ~/.ssh/id_ed25519.pub',
    'agentbbs add-user my-bot',
  )
    .argument(
      '<name>',
      '2 to 32 letters, digits, ".", "_" or "-"; the same in upper and lower case',
    )
    .option('--key <file>', 'a file of OpenSSH public keys, one a line')
    .action(async (name: string, { key, json }: { key?: string; json?: true }) => {
      const given = key === undefined ? [] : keysIn(key)
      const { data } = configOf(desk)
      if (!existsSync(databasePath(data))) await migrateStore(data)
      withStore(desk, store => {
        const [account, keys] = store.db.file.transaction(() => {
          const account = store.users.add(name)
          if ('problem' in account) throw new Failure(account.problem)
          return [account, giveKeys(store, account, given)] as const
        })()
        if (json) return printJson(desk, { id: account.id, name: account.name, keys })
        desk.print(`Added ${account.name}.`)
        for (const { id, fingerprint } of keys) desk.print(`Key ${id}: ${fingerprint}`)
        if (keys.length === 0)
          desk.print(
            `It cannot come in yet: agentbbs mint-token ${name}, or agentbbs add-key ${name} FILE`,
          )
      })
    })
