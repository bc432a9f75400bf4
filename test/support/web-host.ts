import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { VotingTimes } from '../../src/arena/voting.ts'
import { systemClock } from '../../src/clock.ts'
import type { Limits } from '../../src/config.ts'
import { Director } from '../../src/events/director.ts'
import { openSite } from '../../src/http/site.ts'
import { TokenBuckets } from '../../src/limits/token-bucket.ts'
import { ownerLogPath } from '../../src/owner-log/log-paths.ts'
import { openSigningKeys } from '../../src/process/signing-keys.ts'
import { refused } from '../../src/protocols/agentgames/http.ts'
import { agentGames } from '../../src/protocols/agentgames/index.ts'
import { FairScheduler } from '../../src/scheduling/fair-scheduler.ts'
import { TextStreamer } from '../../src/scheduling/text-stream.ts'
import { actsOf } from '../../src/store/acts.ts'
import { eventStoreOf } from '../../src/store/event-store.ts'
import { LimitedRegistrar } from '../../src/store/registrar.ts'
import type { RegistrationPolicy } from '../../src/store/registration.ts'
import { inThisThread, type Remote } from '../../src/threads/calls.ts'
import { openPages, type PageService } from '../../src/web/page-service.ts'
import { SignIns } from '../../src/web/sign-ins.ts'
import { openWeb } from '../../src/web/web.ts'
import { Roster } from '../../src/wire/accounts.ts'
import { listenHttp } from '../../src/wire/http.ts'
import { guardedWith, loopback, unguarded } from './limits.ts'
import { loginsOf } from './logins.ts'
import { openStore } from './open-store.ts'
import { TestArena } from './test-arena.ts'
import { WebSocketAgent } from './websocket-agent.ts'

export type WebHost = Awaited<ReturnType<typeof startWebHost>>

/** A host with its pages on a free loopback port. Its store is in the given folder, or in a new one. */
export const startWebHost = async (
  given?: string,
  {
    port = 0,
    moveTimeout = 30_000,
    registration = 'invite',
    play = 'ws://bbs.example:8090/play',
    playsHttp = true,
    limits = {},
    voting,
    between = pages => pages,
  }: {
    port?: number
    moveTimeout?: number
    registration?: RegistrationPolicy
    play?: string | null
    playsHttp?: boolean
    limits?: Partial<Limits>
    /** How long audiences vote. */
    voting?: VotingTimes
    /** Stands between the host and the thread that makes pages. */
    between?: (pages: Remote<PageService>) => Remote<PageService>
  } = {},
) => {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'agentbbs-web-'))
  const store = await openStore(folder, systemClock)
  const errors: unknown[] = []
  const lines = new Set<ServerResponse>()
  const log = pino({ level: 'error' }, { write: line => errors.push(JSON.parse(line)) })
  const arena = new TestArena({
    clock: systemClock,
    matchStore: store.matchStore,
    house: () => undefined,
    queueWait: 20_000,
    ...(voting !== undefined && { voting }),
  })
  const guarded = guardedWith(systemClock, log, { ...unguarded, ...limits })
  const { pageTime } = guarded.connectionLimiter
  const place = { sshHost: 'bbs.example', sshPort: 2222, site: 'https://bbs.example', play }
  const settings = {
    host: 'bbs.example',
    place,
    registration,
    playsHttp,
    playsMcp: false,
    version: '1.0.0',
  }
  const pages = openPages({ store, ...settings, ownerLogs: ownerLogPath(folder) })
  const registrar = new LimitedRegistrar({
    acts: inThisThread(actsOf(store, store.write, registration)),
    rate: new TokenBuckets(systemClock, { perSecond: 10 / 900, burst: 10 }),
  })
  const director = new Director({
    ...{ arena, matchmaking: arena.matchmaking, clock: systemClock, matchStore: store.matchStore },
    house: () => undefined,
    log: inThisThread(eventStoreOf(store, store.write)),
    failed: error => errors.push(error),
  })
  await director.open()
  const logins = loginsOf(store, systemClock)
  const signIns = new SignIns({
    clock: systemClock,
    key: openSigningKeys(folder)('pages'),
    accounts: logins,
    addresses: { site: 'http://bbs.example' },
  })
  const web = openWeb({
    signIns,
    place,
    protocols: ['agentgames'],
    director,
    arena,
    rooms: arena.rooms,
    parties: arena.parties,
    clock: systemClock,
    pages: between(inThisThread(pages)),
    pageTime,
    host: 'bbs.example',
    registrar,
    log,
    textStreamer: new TextStreamer(new FairScheduler(), systemClock, pageTime),
  })
  const site = openSite(web.pages)
  const http = await listenHttp({
    address: { host: '127.0.0.1', port },
    accounts: logins,
    roster: new Roster(logins),
    protocols: [
      agentGames(arena, arena, systemClock, moveTimeout, undefined, (agent, version) =>
        registrar.declare(agent, version),
      ),
    ],
    refused,
    clock: systemClock,
    keepAlive: 15_000,
    trustedProxies: loopback,
    ...guarded,
    pages: (request, response, client) => {
      if (request.url?.includes('/events')) {
        lines.add(response)
        response.on('close', () => lines.delete(response))
      }
      return site.answer(request, response, client)
    },
    methods: site.methods,
  })
  const url = `http://127.0.0.1:${http.port}`
  /** Connects an agent with a new account, or with the account of this name. */
  const dial = (name: string, game: string) => {
    const found = store.users.find(name) ?? store.users.add(name)
    if ('problem' in found) throw new Error(found.problem)
    const { token } = store.tokens.mint({ ...found }, 'test')
    return new WebSocketAgent(`ws://127.0.0.1:${http.port}/play?game=${game}&token=${token}`)
  }
  return {
    web,
    store,
    arena,
    director,
    signIns,
    url,
    port: http.port,
    /** The errors in the log of the host. */
    errors,
    dial,
    /** Seats two agents in a new match. `agents` and `names` are by seat. */
    seat: async (game: string, both: readonly [string, string] = ['ada', 'bob']) => {
      const [a, b] = [dial(both[0], game), dial(both[1], game)]
      await Promise.all([a.next('hello'), b.next('hello')])
      const table = [...arena.tables.values()].at(-1)!
      const names = table.deal.players.map(({ account }) => account.name)
      const agents = names[0] === both[0] ? ([a, b] as const) : ([b, a] as const)
      return { id: table.id, table, agents, names }
    },
    /** Cuts every event stream, as a network failure does. */
    cutStreams: () => {
      for (const response of lines) response.destroy()
    },
    close: async () => {
      web.close()
      director.close()
      await arena.close(0)
      await http.close()
      await logins.close()
      await store.close()
      if (given === undefined) rmSync(folder, { recursive: true })
    },
  }
}

/** Waits for the turn of an agent, and moves. */
export const play = async (agent: WebSocketAgent | undefined, move: unknown) => {
  while (!(await agent!.next('state')).yourTurn);
  agent!.move(move)
}
