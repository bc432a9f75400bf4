import { pino } from 'pino'
import { systemClock } from '../../src/clock.ts'
import type { Limits } from '../../src/config.ts'
import { refused } from '../../src/protocols/agentgames/http.ts'
import { agentGames } from '../../src/protocols/agentgames/index.ts'
import type { MessageLimits } from '../../src/protocols/protocol.ts'
import { Roster } from '../../src/wire/accounts.ts'
import { type HttpOptions, listenHttp } from '../../src/wire/http.ts'
import { guardedWith, loopback, unguarded } from './limits.ts'
import { MemoryAccounts } from './memory-accounts.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import { TestArena } from './test-arena.ts'
import { WebSocketAgent } from './websocket-agent.ts'

export type HttpHost = Awaited<ReturnType<typeof startHttpHost>>

interface Settings extends Omit<Partial<HttpOptions>, 'limits'> {
  readonly limits?: Partial<Limits>
  readonly messageLimits?: MessageLimits
  readonly moveTimeout?: number
  readonly queueWait?: number
}

/** A whole server on a free loopback port, with real sockets and without a disk. */
export const startHttpHost = async (given: Settings = {}) => {
  const { moveTimeout, queueWait, limits, messageLimits, meter, log: ownLog, ...settings } = given
  const log = ownLog ?? pino({ level: 'silent' })
  const guarded = guardedWith(systemClock, log, { ...unguarded, ...limits }, meter)
  const accounts = new MemoryAccounts()
  const roster = new Roster(accounts, limits?.connectionsPerAccount)
  const matchStore = new MemoryMatchStore()
  const arena = new TestArena({
    clock: systemClock,
    matchStore,
    house: () => undefined,
    queueWait: queueWait ?? 5_000,
  })
  const http = await listenHttp({
    address: { host: '127.0.0.1', port: 0 },
    accounts,
    roster,
    protocols: [agentGames(arena, arena, systemClock, moveTimeout ?? 5_000, messageLimits)],
    refused,
    clock: systemClock,
    keepAlive: 15_000,
    trustedProxies: loopback,
    ...guarded,
    ...settings,
  })
  const address = `127.0.0.1:${http.port}`
  return {
    accounts,
    roster,
    matchStore,
    arena,
    http,
    connectionLimiter: guarded.connectionLimiter,
    port: http.port,
    address,
    /** A new account of this name, with its name as its token. */
    register: (name: string) => {
      const account = accounts.add(name)
      return { account, login: accounts.addToken(account, name) }
    },
    /** An agent that connects with this token. */
    dial: (token: string, query = 'game=ttt', headers = {}) =>
      new WebSocketAgent(`ws://${address}/play?${query}&token=${token}`, { headers }),
    close: async () => {
      await arena.close(0)
      await http.close()
    },
  }
}
