// The wiring diagram: everything is built here, in the order in which a move travels.

import { pino } from 'pino'
import { Arena } from './arena/arena.ts'
import { house } from './bots/house.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { agentGames } from './dialects/agentgames/index.ts'
import { openStore } from './store/store.ts'
import { Roster } from './wire/accounts.ts'
import { hostKey } from './wire/host-key.ts'
import { listenHttp } from './wire/http.ts'
import { listenSsh } from './wire/ssh.ts'

export interface Host {
  /** The ports it listens on. */
  readonly ssh: number
  readonly http: number
  /** Takes nobody in any more, lets live matches finish for as long as the settings say, and closes everything. */
  stop(): Promise<void>
}

export const start = async (config: Config): Promise<Host> => {
  const clock = systemClock
  // Standard output is for the operator; the log goes beside it.
  const log = pino({ level: config.logLevel }, pino.destination(2))
  const store = await openStore(config.data, clock)
  const players = house(store.houseAccount)
  const arena = new Arena(clock, store.ledger, players.seat, config.queueWait)
  const dialect = agentGames(arena, clock, config.moveTimeout)
  const roster = new Roster(store.accounts)
  const common = { accounts: store.accounts, roster, dialect, clock, keepAlive: config.keepAlive, log }
  const http = await listenHttp({ ...common, address: config.http })
  const ssh = await listenSsh({ ...common, address: config.ssh, hostKey: hostKey(config.data) })
  const unwatch = store.watch(() => roster.review())
  return {
    ssh: ssh.port,
    http: http.port,
    stop: async () => {
      unwatch()
      const closed = Promise.all([ssh.close(), http.close()])
      await arena.close(config.drain)
      roster.clear({ code: 'shutting-down', detail: 'the host is stopping; try again later' })
      await closed
      await players.stop()
      await store.close()
    },
  }
}
