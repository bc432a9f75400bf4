// The wiring diagram: everything is built here, in the order in which a move travels.

import { pino } from 'pino'
import { Arena } from './arena/arena.ts'
import { house, strengthsOf } from './bots/house.ts'
import { Thinker } from './bots/thinker.ts'
import { systemClock as clock } from './clock.ts'
import { type Config, ConfigError, settings } from './config.ts'
import { agentGames } from './dialects/agentgames/index.ts'
import { openArt } from './hub/art/art.ts'
import { hub } from './hub/hub.ts'
import { placeOf, registrationOf } from './hub/place.ts'
import { Results } from './hub/results.ts'
import { Throttle } from './hub/throttle.ts'
import { unmetered } from './meter.ts'
import { openStore } from './store/store.ts'
import { Turns } from './turns.ts'
import { openWeb } from './web/web.ts'
import { Roster } from './wire/accounts.ts'
import { openHostKey } from './wire/host-key.ts'
import { listenHttp } from './wire/http.ts'
import { Porter } from './wire/porter.ts'
import { listenSsh } from './wire/ssh.ts'

export interface Host {
  /** The ports it listens on. */
  readonly ssh: number
  readonly http: number
  /** Takes nobody in any more, lets live matches finish for as long as the settings say, and closes everything. */
  stop(): Promise<void>
}

export const start = async (config: Config): Promise<Host> => {
  const { keepAlive, limits, moveTimeout, queueWait } = config
  // Standard output is for the operator; the log goes beside it.
  const log = pino({ level: config.logLevel }, pino.destination(2))
  const meter = unmetered

  const store = await openStore(config.data, clock)
  const { ledger, logins: accounts, users } = store
  const thinker = new Thinker(err => log.error({ err }, 'a house player failed'))
  const arena = new Arena({
    clock,
    keeper: ledger,
    house: house(
      name => users.house(name),
      question => thinker.ask(question),
    ),
    queueWait,
    seatsPerAccount: limits.matchesPerAccount,
    failed: (err, match) => log.error({ match, err }, 'a match failed'),
  })
  const dialect = agentGames(arena, clock, moveTimeout, limits, meter)
  const roster = new Roster(accounts, limits.connectionsPerAccount)
  const porter = new Porter({ clock, limits, meter, log })
  const shared = { accounts, roster, dialect, clock, keepAlive, porter, limits, meter, log }
  // The ports are known once the wires listen, and nobody can ask for them before.
  const ports = { ssh: 0, http: 0 }
  const people = hub({
    clock,
    arena,
    store,
    place: placeOf(config, ports),
    registration: registrationOf(config),
    art: openArt(config.art),
    meter,
    visits: limits.visits,
    idle: config.idle,
    personTimeout: config.personTimeout,
    peopleRated: config.peopleRated,
    rating: (account, game) => ledger.standing(account, game).rating,
    strengths: strengthsOf,
    present: () => roster.accounts,
    joined: (key, present) => {
      const login = accounts.byKey(key)
      if (login === undefined) return
      accounts.proven(login)
      roster.enter(login, present)
    },
    results: new Results(arena),
    turns: new Turns(),
    joining: new Throttle(clock, 20, 15 * 60_000),
  })
  const wires: { stopAccepting(): void; close(): Promise<void> }[] = []
  const closeAll = async () => {
    await Promise.all(wires.map(wire => wire.close()))
    porter.close()
    await store.close()
  }
  try {
    const hostKey = openHostKey(config.data)
    const web = openWeb({
      ...{ arena, store, clock, log },
      keeper: ledger,
      host: config.host,
      sshPort: config.ssh.port,
      registration: registrationOf(config),
    })
    const http = await listening(
      'http',
      config,
      listenHttp({
        ...shared,
        address: config.http,
        trustedProxies: config.trustedProxies,
        pages: web.listener,
      }),
    )
    wires.push({
      stopAccepting: () => http.stopAccepting(),
      close: async () => {
        web.close()
        await http.close()
      },
    })
    const ssh = await listening(
      'ssh',
      config,
      listenSsh({ ...shared, address: config.ssh, hostKey, people }),
    )
    wires.push(ssh)
    ports.ssh = ssh.port
    ports.http = http.port
    const unwatch = accounts.watch(() => roster.review())
    return {
      ssh: ssh.port,
      http: http.port,
      stop: async () => {
        unwatch()
        for (const wire of wires) wire.stopAccepting()
        await arena.close(config.drain)
        roster.clear(stopping)
        people.close(stopping)
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Names the setting where an address cannot be listened on. */
const listening = async <T>(
  which: 'ssh' | 'http',
  config: Config,
  wire: Promise<T>,
): Promise<T> => {
  try {
    return await wire
  } catch (error) {
    const { host, port } = config[which]
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'another program listens there' : message
    throw new ConfigError(`${settings[which].variable}=${host}:${port}: ${why}`)
  }
}

const stopping = {
  code: 'shutting-down',
  detail: 'the host is stopping; try again later',
} as const
