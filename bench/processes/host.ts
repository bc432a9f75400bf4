// The host as it is in service, with accounts for the agents of a benchmark.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, start } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { verified } from '../../src/commands/verify.ts'
import { readConfig } from '../../src/config.ts'
import { readPublicKeys } from '../../src/store/public-key.ts'
import { openStore, visitStore } from '../../src/store/store.ts'
import { Inspector } from '../inspector.ts'
import { usage } from '../measure.ts'
import { type Addresses, absent, answerParent, type BenchAccount, type Opening } from '../server.ts'

const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

let inspector: Inspector
let host: Host

answerParent({
  ...usage,
  delays: () => inspector.delays(),
  counts: () => inspector.counts(),
  memory: () => inspector.memory(),
  faults: () => inspector.faults,
  /** Stops the host, and plays all stored matches again. */
  close: async () => {
    await host.stop()
    const store = visitStore(data, systemClock)
    try {
      const integrity = store.db.file.pragma('integrity_check', { simple: true })
      return { ...verified(store), integrity }
    } finally {
      store.db.file.close()
    }
  },
  open: async ({ accounts, settings }: Opening): Promise<Addresses> => {
    const config = readConfig({
      AGENTBBS_DATA: data,
      AGENTBBS_ADDR: '127.0.0.1:0',
      AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
      ...settings,
    })
    const tokens = await register(accounts)
    inspector = new Inspector(config.logLevel)
    host = await start(config, inspector.log)
    return { ws: host.http, ssh: host.ssh, tokens }
  },
})

const register = async (accounts: readonly BenchAccount[]): Promise<readonly string[]> => {
  const { users, keys, tokens, write, close } = await openStore(data, systemClock)
  const given = await write(() => {
    users.add(absent)
    return accounts.map(({ name, publicKey }) => {
      const account = users.add(name)
      if ('problem' in account) throw new Error(account.problem)
      const own = publicKey === undefined ? [] : readPublicKeys(publicKey)
      if ('problem' in own) throw new Error(own.problem)
      for (const key of own) keys.add(account, key)
      return tokens.mint(account, 'bench').token
    })
  })
  await close()
  return given
}
