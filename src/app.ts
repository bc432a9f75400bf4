// The wiring diagram: everything is built here, in the order in which a move travels.

import { readFileSync } from 'node:fs'
import type { Account, AccountId } from './arena/account.ts'
import { Arena } from './arena/arena.ts'
import { codes, stopping } from './arena/codes.ts'
import { guests } from './arena/guests.ts'
import { seatRatings } from './arena/seat-ratings.ts'
import { wordList } from './arena/word-list.ts'
import { house } from './bots/house.ts'
import { levelNames } from './bots/levels.ts'
import { MoveWorker } from './bots/move-worker.ts'
import { systemClock, type Timer } from './clock.ts'
import {
  type Address,
  addressText,
  type Config,
  ConfigError,
  localAddress,
  settings,
} from './config.ts'
import { Director } from './events/director.ts'
import { openSite } from './http/site.ts'
import { openArt } from './hub/art/art.ts'
import { addressesOf, registrationOf, sshCommand } from './hub/host-addresses.ts'
import { openHub } from './hub/hub.ts'
import { Results } from './hub/results.ts'
import { TokenBuckets } from './limits/token-bucket.ts'
import { logEvents } from './log/events.ts'
import { type Log, openLog } from './log/log.ts'
import { logMatches } from './log/matches.ts'
import { Matchmaking } from './matchmaking/matchmaking.ts'
import { PartyTables } from './matchmaking/party-tables.ts'
import { Rooms } from './matchmaking/rooms.ts'
import { openMetrics } from './metrics/metrics.ts'
import { HttpClient } from './outgoing/http-client.ts'
import { startOwnerLog } from './owner-log/start-owner-log.ts'
import { watchDescriptors } from './process/file-descriptors.ts'
import { openSigningKeys } from './process/signing-keys.ts'
import { StallWatch } from './process/stall-watch.ts'
import { refused } from './protocols/agentgames/http.ts'
import { wireCodes } from './protocols/codes.ts'
import { protocolModules } from './protocols/index.ts'
import { Play } from './protocols/play/play.ts'
import type { ProtocolHost, ProtocolModule } from './protocols/protocol.ts'
import type { Reader, ReaderOptions } from './reader.ts'
import { FairScheduler } from './scheduling/fair-scheduler.ts'
import { TextStreamer } from './scheduling/text-stream.ts'
import { announce } from './store/announce.ts'
import type { Alarm } from './store/database-error.ts'
import { Logins } from './store/logins.ts'
import { nameAsWord } from './store/names.ts'
import { closeToOthers } from './store/privacy.ts'
import { LimitedRegistrar } from './store/registrar.ts'
import { startStore } from './store/start-store.ts'
import type { Fitter } from './strength/fitter.ts'
import { StrengthUpdates } from './strength/strength-updates.ts'
import { packageFile } from './text/package-file.ts'
import { followed } from './threads/calls.ts'
import { ServiceThread } from './threads/service-thread.ts'
import { startThread } from './threads/start-thread.ts'
import { shortAnswer } from './web/short-answers.ts'
import { SignIns } from './web/sign-ins.ts'
import { openWeb } from './web/web.ts'
import { Roster } from './wire/accounts.ts'
import { ConnectionLimiter } from './wire/connection-limiter.ts'
import { type Health, listenHealth } from './wire/health-endpoints.ts'
import { openHostKey } from './wire/host-key.ts'
import { listenHttp } from './wire/http.ts'
import { listenSsh } from './wire/ssh.ts'

export interface Host {
  /** The ports it listens on. */
  readonly ssh: number
  readonly http: number
  /**
   * Drains the host: no new connections and no new matches. Live matches may finish within the time that the settings
   * give, or until `hurried` resolves. Then everything is closed.
   */
  stop(hurried?: Promise<void>): Promise<void>
}

/** `modules`: the protocols that agents may speak; those that the settings name unless given. */
export const start = async (
  config: Config,
  logbook: Log = openLog(config.logLevel),
  modules: readonly ProtocolModule[] = protocolModules.filter(({ id }) =>
    config.protocols.includes(id),
  ),
): Promise<Host> => {
  const { keepAlive, limits, moveTimeout, queueWait, pairCap, copyCap, gainCap, pauseAfter } =
    config
  const { log, run } = logbook
  const blocks = wordList(blockedWordsOf(config))
  const { version } = JSON.parse(packageFile('package.json')!)
  const clock = new StallWatch(systemClock)
  const metrics = openMetrics(clock, version, refusalCodesOf(modules))
  const { meter } = metrics

  const alarm: Alarm = {
    raised: problem =>
      log.error(
        { data: config.data },
        `the database takes nothing: ${problem}. Results wait for 12 s, then their matches are aborted`,
      ),
    over: ms =>
      log.warn({ data: config.data, ms: Math.round(ms) }, 'the database takes results again'),
  }
  for (const exposed of closeToOthers(config.data))
    log.warn(
      { path: exposed.path },
      `${exposed.path} is open to others (mode ${exposed.mode}): ${exposed.advice}`,
    )
  const registration = registrationOf(config)
  let isStopping = false
  const store = await startStore(
    { folder: config.data, policy: registration, pauseAfter, gainCap, copyCap },
    clock,
    {
      ...alarm,
      committed: commits => {
        for (const commit of commits) meter.committed(...commit)
      },
      changed: () => {
        strengths.changed()
        if (isStopping) return
        void reviewAccounts()
        void director.refresh()
      },
      audited: ({ id, by, via, action, target, detail, reason }) =>
        log.info({ audit: id, by, via, action, target, detail, reason }, 'audit'),
    },
    // No result can be kept any more.
    error => {
      throw error
    },
  )
  const { matchStore } = store
  // Filled in once the wires listen. No client can ask for them earlier.
  const ports = { ssh: 0, http: 0 }
  const addresses = addressesOf(config, ports)
  const reader = new ServiceThread<Reader>(
    () =>
      startThread(import.meta.url, './reader-thread', {
        workerData: {
          ...{ data: config.data, host: config.host, registration, version },
          place: { ...addresses },
          playsHttp: modules.some(({ id }) => id === 'http'),
          playsMcp: modules.some(({ id }) => id === 'mcp'),
        } satisfies ReaderOptions,
      }),
    err => log.error({ err }, 'reader thread failed'),
  )
  const fitter = new ServiceThread<Fitter>(
    () =>
      startThread(import.meta.url, './strength/fitter-thread', {
        workerData: { data: config.data },
      }),
    err => log.error({ err }, 'thread of the strengths failed'),
  )
  const accounts = new Logins(reader.service.credentials, uses => store.noteUses(uses), clock)
  const acts = followed(store.acts, () => accounts.changed())
  const signingKeys = openSigningKeys(config.data)
  const signIns = new SignIns({ clock, key: signingKeys('pages'), accounts, addresses })
  const moveWorker = new MoveWorker(clock, err => log.error({ err }, 'house player failed'))
  const arena = new Arena({
    clock,
    matchStore,
    failed: (err, match) => log.error({ match, err }, 'match failed'),
    meter,
    voting: { time: config.voting, leaving: config.votingAfterLeaving },
    blocks,
  })
  const houseAccounts = new HouseAccounts(name => acts.house(name))
  const housePlayers = house(
    name => houseAccounts.named(name),
    // The agents of one owner share what thinking it has. House players that meet in an event have no owner.
    (question, account, unwanted) =>
      moveWorker.ask(
        question,
        houseAccounts.has(account) ? account : matchStore.family(account),
        unwanted,
      ),
  )
  const strengths = new StrengthUpdates({
    clock,
    fitter: fitter.service,
    keep: async fit => {
      await store.keepFit(fit)
      matchStore.fitted(fit)
    },
    failed: err => log.error({ err }, 'strengths could not be fitted'),
  })
  arena.watch(({ kind }) => {
    if (kind === 'ended') strengths.changed()
  })
  strengths.changed()
  const matchmaking = new Matchmaking({
    arena,
    clock,
    matchStore,
    house: housePlayers,
    levels: levelNames,
    queueWait,
    seatsPerAccount: limits.matchesPerAccount,
    practicePerAccount: limits.practicePerAccount,
    pairCap,
    opponent: name => reader.service.questions.opponent(name),
    unpauseCommand: (name, owner) => `${sshCommand(addresses, owner)} unpause ${nameAsWord(name)}`,
    failed: err => log.error({ err }, 'matchmaking failed'),
    meter,
  })
  const rooms = new Rooms({
    ...{ arena, matchmaking, clock, matchStore },
    settings: {
      classical: config.agonClassical,
      blitz: config.agonBlitz,
      go: config.agonGo,
      debate: config.agonDebate,
      trade: config.agonTrade,
      firstTurn: config.agonFirstTurn,
      countdown: config.agonCountdown,
      grace: config.agonGrace,
    },
    peopleRated: config.peopleRated,
    failed: err => log.error({ err }, 'room failed'),
  })
  const parties = new PartyTables({
    ...{ arena, matchmaking, clock, matchStore },
    ...{ house: housePlayers, levels: levelNames },
    blocks,
    failed: err => log.error({ err }, 'table failed'),
  })
  const director = new Director({
    ...{ arena, matchmaking, clock, matchStore, pairCap },
    log: store.events,
    house: housePlayers,
    seatsPerAccount: limits.matchesPerAccount,
    peopleRated: config.peopleRated,
    recurring: config.recurring,
    failed: err => log.error({ err }, 'event failed'),
  })
  logMatches(arena, clock, log)
  logEvents(director, log)
  const ownerLog = await startOwnerLog(config, {
    ...{ clock, arena },
    failed: err =>
      log.error({ err }, "the owner's logs cannot be written: lines are left out and counted"),
    recovered: () => log.warn("the owner's logs are written again"),
  })
  const { register, registerKey, mint } = acts
  const registrar = new LimitedRegistrar({
    // No login depends on a version.
    acts: { register, registerKey, mint, declare: store.acts.declare },
    rate: new TokenBuckets(clock, {
      perSecond: limits.registrationsPerAddress / 900,
      burst: limits.registrationsPerAddress,
    }),
  })
  const loa = {
    prefix: config.loaPrefix,
    host: config.loaHost,
    firstMove: config.loaFirstMove,
    move: config.loaMove,
    fog: config.loaFog,
  }
  const outgoing = new HttpClient({ clock, meter, callOut: config.callOut })
  const league = {
    prefix: config.leaguePrefix,
    host: config.leagueHost,
    folder: config.data,
    store: store.league,
    agents: await store.league.liveAgents(),
  }
  const points: ProtocolHost['points'] = {
    escrow: (match, amount) => matchStore.escrow(match, amount),
    balance: account => reader.service.questions.balance(account),
    wagers: account => reader.service.questions.wagers(account),
  }
  const { roomElo, versus, kept } = reader.service.questions
  const agon = {
    prefix: config.agonPrefix,
    host: config.agonHost,
    actions: config.agonActions,
    wagers: config.agonWagers,
    key: openSigningKeys(config.data)('agon'),
    records: { elo: roomElo, versus, match: kept },
  }
  const clawpoly = {
    prefix: config.clawpolyPrefix,
    host: config.clawpolyHost,
    isOpen: registration === 'open',
    rooms: config.clawpolyRooms,
    joins: config.clawpolyJoins,
    agents: store.clawpoly,
  }
  const api: ProtocolHost['api'] = (path, source) =>
    shortAnswer({ arena, pages: reader.service.pages, pageTime }, path, source)
  const play = new Play({
    ...{ arena, matchmaking, rooms, parties, registrar, clock, api, moveTimeout, ownerLog },
    events: director,
  })
  const protocols = modules.map(module =>
    module.open({
      ...{ arena, matchmaking, play, registrar, api, clock, moveTimeout, loa },
      ...{ rooms, parties, director, league, agon, clawpoly, points, guests, http: outgoing },
      ...{ limits, addresses, version },
      failed: err => log.error({ err }, 'protocol failed'),
      introduction: (account, protocol) =>
        reader.service.credentials.introduction(account, protocol),
    }),
  )
  const roster = new Roster(accounts, limits.connectionsPerAccount)
  /** Accounts have changed, or the one of this name has. */
  const reviewAccounts = async (name?: string) => {
    accounts.changed()
    reviewLogins(name)
    await matchStore.refresh()
    matchmaking.review()
    director.review()
  }
  let reviewTimer: Timer | null = null
  const reviewLogins = (name?: string) => {
    roster.review(name).catch(err => {
      if (reviewTimer !== null) return
      log.error({ err }, 'the logins of open connections could not be checked: trying again')
      reviewTimer = clock.after(1_000, () => {
        reviewTimer = null
        reviewLogins()
      })
    })
  }
  const connectionLimiter = new ConnectionLimiter({ clock, limits, meter, log })
  const shared = {
    accounts,
    roster,
    protocols,
    clock,
    keepAlive,
    connectionLimiter,
    limits,
    log,
    run,
    meter,
    ownerLog,
  }
  const scheduler = new FairScheduler()
  const { pageTime } = connectionLimiter
  const textStreamer = new TextStreamer(new FairScheduler(), clock, pageTime)
  const people = openHub({
    clock,
    arena,
    matchmaking,
    rooms,
    parties,
    events: director,
    questions: reader.service.questions,
    acts,
    commands: reader.service.commands,
    replays: reader.service.replays,
    addresses,
    registration,
    art: openArt(config.art),
    sessionsPerClient: limits.hubSessions,
    idleTimeout: config.idle,
    personTimeout: config.personTimeout,
    peopleRated: config.peopleRated,
    ratings: deal => seatRatings(matchStore, deal),
    levels: levelNames,
    online: roster,
    loginOf: key => accounts.byKey(key),
    onRegistered: (login, session) => {
      accounts.proven(login)
      roster.enter(login, session)
    },
    onAccountChanged: reviewAccounts,
    signIns,
    results: new Results(arena),
    scheduler,
    textStreamer,
    pageTime,
    commandRefusal: source => connectionLimiter.pageRefusal('ssh', source),
    registrar,
  })
  const wires: { stopAccepting(): void; close(): Promise<void> }[] = []
  const closeAll = async () => {
    await Promise.all(wires.map(wire => wire.close()))
    outgoing.close()
    await Promise.all(protocols.map(protocol => protocol.close?.()))
    connectionLimiter.close()
    metrics.close()
    clock.close()
    await ownerLog?.close()
    await accounts.close()
    strengths.close()
    await fitter.close()
    await reader.close()
    await store.close()
  }
  try {
    const hostKey = openHostKey(config.data)
    await director.open()
    const web = openWeb({
      ...{
        arena,
        clock,
        log,
        pageTime,
        textStreamer,
        registrar,
        rooms,
        parties,
        director,
        signIns,
      },
      place: addresses,
      protocols: modules.map(({ id }) => id),
      pages: reader.service.pages,
      host: config.host,
    })
    clock.watch(ms => {
      log.warn(
        { ms: Math.round(ms) },
        `the process stood still for ${(ms / 1000).toFixed(1)} s: every clock and deadline was given that time back`,
      )
      web.resendClocks()
    })
    const health: Health = {
      ready: () => !isStopping,
      metrics: config.metrics === 'off' ? null : () => metrics.text(),
    }
    const site = openSite(
      web.pages,
      protocols.flatMap(({ routes }) => routes ?? []),
    )
    const http = await listening(
      'http',
      config.http,
      listenHttp({
        ...shared,
        address: config.http,
        host: config.host,
        trustedProxies: config.trustedProxies,
        health,
        refused,
        pages: site.answer,
        methods: site.methods,
      }),
    )
    wires.push({
      stopAccepting: () => http.stopAccepting(stopping),
      close: async () => {
        web.close()
        for (const protocol of protocols) protocol.endStreams?.()
        await http.close()
      },
    })
    const ssh = await listening(
      'ssh',
      config.ssh,
      listenSsh({ ...shared, address: config.ssh, hostKey, people }),
    )
    wires.push(ssh)
    ports.ssh = ssh.port
    ports.http = http.port
    reader.open()
    if (typeof config.metrics === 'object')
      // Metrics stay available until the host has stopped.
      wires.push({
        stopAccepting: () => {},
        ...(await listening('metrics', config.metrics, listenHealth(config.metrics, health, log))),
      })
    metrics.readFrom({
      arena,
      matchmaking,
      connections: () => {
        const { agents, people, arriving } = ssh.count()
        return {
          'ssh-agent': agents,
          'ssh-person': people,
          'websocket-agent': http.agents,
          'event-stream': web.streams.open,
          arriving,
        }
      },
      spectators: () => ({ 'event-stream': web.streams.following, hub: people.spectators }),
      accounts: () => roster.accountCount,
      dropped: logbook.dropped,
      ready: health.ready,
    })
    const { play } = addresses
    const local = `ws://${localAddress({ ...config.http, port: http.port })}/play`
    const recall = play === null ? () => {} : announce(config.data, { play, local })
    log.info({ version, ssh: ssh.port, http: http.port }, 'host opened')
    const unwatchDescriptors = watchDescriptors(clock, exhausted => {
      if (exhausted)
        log.error(
          'no connection can be taken: all file descriptors are in use. Raise LimitNOFILE, or ulimit -n',
        )
      else log.warn('connections can be taken again')
    })
    return {
      ssh: ssh.port,
      http: http.port,
      stop: async hurried => {
        isStopping = true
        unwatchDescriptors()
        const live = arena.tables.size
        recall()
        log.info({ live, drain: config.drain / 1000 }, 'the host is stopping')
        for (const wire of wires) wire.stopAccepting()
        if (live > 0)
          people.broadcast(
            `The host is stopping. Matches may go on for ${config.drain / 1000} s; no new ones begin.`,
          )
        rooms.close()
        parties.close()
        matchmaking.close()
        director.close()
        await arena.close(config.drain, hurried)
        await director.closed()
        roster.clear(stopping)
        http.dismiss(stopping)
        people.close(stopping)
        await closeAll()
        log.info('host closed')
      },
    }
  } catch (error) {
    director.close()
    await director.closed()
    await closeAll()
    throw error
  }
}

/** The accounts of house players, each asked for once. */
class HouseAccounts {
  readonly #find: (name: string) => Promise<Account>
  readonly #known = new Map<string, Account>()
  readonly #ids = new Set<AccountId>()

  constructor(find: (name: string) => Promise<Account>) {
    this.#find = find
  }

  named(name: string): Account | Promise<Account> {
    return (
      this.#known.get(name) ??
      this.#find(name).then(account => {
        this.#known.set(name, account)
        this.#ids.add(account.id)
        return account
      })
    )
  }

  has(account: AccountId): boolean {
    return this.#ids.has(account)
  }
}

/** The words that players may not write, one a line. */
const blockedWordsOf = ({ blockedWords }: Config): string => {
  if (blockedWords === '') return ''
  try {
    return readFileSync(blockedWords, 'utf8')
  } catch (error) {
    const { variable } = settings.blockedWords
    throw new ConfigError(`${variable}=${blockedWords}: ${(error as Error).message}`)
  }
}

/** Names the setting where an address cannot be listened on. */
const listening = async <T>(
  which: 'ssh' | 'http' | 'metrics',
  address: Address,
  wire: Promise<T>,
): Promise<T> => {
  try {
    return await wire
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'another program listens there' : message
    throw new ConfigError(`${settings[which].variable}=${addressText(address)}: ${why}`)
  }
}

/** All codes with which clients are refused. */
const refusalCodesOf = (modules: readonly ProtocolModule[]): ReadonlySet<string> =>
  new Set([
    ...Object.keys(codes),
    ...Object.keys(wireCodes),
    ...modules.flatMap(module => module.codes),
  ])
