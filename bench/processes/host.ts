// The host as it is in service, with accounts for the agents of a benchmark.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, start } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { verified } from '../../src/commands/verify.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { readPublicKeys } from '../../src/store/public-key.ts'
import { openStore, visitStore } from '../../src/store/store.ts'
import { Inspector } from '../inspector.ts'
import { usage } from '../measure.ts'
import { type Addresses, absent, type BenchAccount, type Opening } from '../measured-server.ts'
import { answerParent } from '../process.ts'
import { withoutLimits } from '../without-limits.ts'

const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

const config: Config = {
  ...readConfig({
    AGENTBBS_DATA: data,
    AGENTBBS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_QUEUE_WAIT: '86400',
    // A machine that stalls for a while must cause no forfeit.
    AGENTBBS_GAME_MOVE_TIMEOUT: '60',
    // Few accounts play thousands of the same matches: they are counted, as in service, but no cap is reached.
    AGENTBBS_PAIR_CAP: '999999999',
    AGENTBBS_PAUSE_AFTER: '0',
  }),
  copyCap: 999_999_999,
  gainCap: 0,
}

const inspector = new Inspector()
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
  open: async ({ accounts, moveTimeout }: Opening): Promise<Addresses> => {
    const tokens = await register(accounts)
    if (moveTimeout !== undefined) inspector.log.log.level = 'info'
    const given = { ...config, moveTimeout: moveTimeout ?? config.moveTimeout }
    host = await start(withoutLimits(given), inspector.log)
    return { ws: { port: host.http, tokens }, ssh: { port: host.ssh, tokens } }
  },
})

const register = async (accounts: readonly BenchAccount[]): Promise<readonly string[]> => {
  const store = await openStore(data, systemClock)
  store.users.add(absent)
  const tokens = accounts.map(({ name, publicKey }) => {
    const account = store.users.add(name)
    if ('problem' in account) throw new Error(account.problem)
    const keys = publicKey === undefined ? [] : readPublicKeys(publicKey)
    if ('problem' in keys) throw new Error(keys.problem)
    for (const key of keys) store.keys.add(account, key)
    return store.tokens.mint(account, 'bench').token
  })
  await store.close()
  return tokens
}
