// The host as it is served, with accounts for the agents of a bench.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, start } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { verified } from '../../src/commands/verify.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { readPublicKeys } from '../../src/store/public-key.ts'
import { openStore, visitStore } from '../../src/store/store.ts'
import { Inside } from '../inside.ts'
import { usage } from '../measure.ts'
import { answerParent } from '../question.ts'
import { absent, type BenchAccount, type Reaches } from '../server.ts'
import { unlimited } from '../unlimited.ts'

const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

let config: Config = {
  ...readConfig({
    AGENTBBS_DATA: data,
    AGENTBBS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_QUEUE_WAIT: '86400',
    // A machine that sleeps for a while in the middle of it is no reason to forfeit.
    AGENTBBS_GAME_MOVE_TIMEOUT: '60',
    // Few accounts play thousands of matches, and those the same: counted, as everywhere, but never too many.
    AGENTBBS_PAIR_CAP: '999999999',
    AGENTBBS_PAUSE_AFTER: '0',
  }),
  copyCap: 999_999_999,
  gainCap: 0,
}

const inside = new Inside()
let host: Host

answerParent({
  ...usage,
  /** As in earnest, but with little time for a move. */
  inEarnest: (moveTimeout: number) => {
    config = { ...config, moveTimeout }
    inside.log.log.level = 'info'
  },
  delays: () => inside.delays(),
  standing: () => inside.standing(),
  memory: () => inside.memory(),
  faults: () => inside.faults,
  /** Stops the host, and plays all again that it has kept. */
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
  open: async (accounts: readonly BenchAccount[]): Promise<Reaches> => {
    const tokens = await register(accounts)
    host = await start(unlimited(config), inside.log)
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
