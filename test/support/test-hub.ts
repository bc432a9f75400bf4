import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '../../src/arena/account.ts'
import type { ArenaOptions } from '../../src/arena/arena.ts'
import type { Outcome } from '../../src/arena/ending.ts'
import type { NewMatch, Played } from '../../src/arena/match-store.ts'
import { seatRatings } from '../../src/arena/seat-ratings.ts'
import { bestMove } from '../../src/bots/best-move.ts'
import { house as houseOf } from '../../src/bots/house.ts'
import { levelNames } from '../../src/bots/levels.ts'
import { Director } from '../../src/events/director.ts'
import { gameOf } from '../../src/games/index.ts'
import { openArt } from '../../src/hub/art/art.ts'
import type { HubContext } from '../../src/hub/context.ts'
import type { HostAddresses } from '../../src/hub/host-addresses.ts'
import { type Hub, openHub } from '../../src/hub/hub.ts'
import { Results } from '../../src/hub/results.ts'
import { TokenBuckets } from '../../src/limits/token-bucket.ts'
import { ownerLogPath } from '../../src/owner-log/log-paths.ts'
import { openSigningKeys } from '../../src/process/signing-keys.ts'
import type { Connection } from '../../src/protocols/connection.ts'
import { hubCommandsOf } from '../../src/queries/hub-commands.ts'
import { hubReplaysOf } from '../../src/queries/hub-replays.ts'
import { FairScheduler } from '../../src/scheduling/fair-scheduler.ts'
import { TextStreamer } from '../../src/scheduling/text-stream.ts'
import { actsOf } from '../../src/store/acts.ts'
import { eventStoreOf } from '../../src/store/event-store.ts'
import { questionsOf } from '../../src/store/questions.ts'
import { LimitedRegistrar } from '../../src/store/registrar.ts'
import { inThisThread } from '../../src/threads/calls.ts'
import { SignIns } from '../../src/web/sign-ins.ts'
import type { HubSession, SessionRequest } from '../../src/wire/hub-session.ts'
import { FakeClock } from './fake-clock.ts'
import { HeadlessScreen } from './headless-screen.ts'
import { loginsOf } from './logins.ts'
import { openStore, type Store } from './open-store.ts'
import { newAccount } from './played.ts'
import { TestArena } from './test-arena.ts'

/** A hub with a real store and a real arena, on a fake clock, without a wire. */
export class TestHub {
  readonly clock = new FakeClock()
  readonly store: Store
  readonly arena: TestArena
  readonly director: Director
  readonly sessions: Hub
  readonly registrar: LimitedRegistrar
  readonly signIns: SignIns
  readonly failures: unknown[] = []
  readonly #folder: string
  /** The folder of the owner's logs. */
  readonly ownerLogs: string

  private constructor(
    folder: string,
    store: Store,
    clock: FakeClock,
    given: Partial<HubContext>,
    ofArena: Partial<ArenaOptions>,
  ) {
    this.#folder = folder
    this.ownerLogs = ownerLogPath(folder)
    this.store = store
    this.clock = clock
    const scheduler = new FairScheduler(run => run())
    const pageTime = { left: () => 0, use: () => {} }
    const { matchStore } = store
    const house = houseOf(
      name => store.users.house(name),
      async question => bestMove(gameOf(question.game)!, question),
    )
    this.arena = new TestArena({
      ...{ clock, matchStore, house },
      queueWait: 60_000,
      failed: error => this.failures.push(error),
      roll: () => 0,
      ...ofArena,
    })
    this.director = new Director({
      ...{ arena: this.arena, matchmaking: this.arena.matchmaking, clock, matchStore, house },
      log: inThisThread(eventStoreOf(store, store.write)),
      failed: error => this.failures.push(error),
    })
    this.signIns = new SignIns({
      clock,
      key: openSigningKeys(folder)('pages'),
      accounts: loginsOf(store, clock),
      addresses,
    })
    const acts = inThisThread(actsOf(store, store.write, 'open'))
    this.registrar = new LimitedRegistrar({
      acts,
      rate: new TokenBuckets(clock, { perSecond: 10 / 900, burst: 10 }),
    })
    this.sessions = openHub({
      clock,
      arena: this.arena,
      matchmaking: this.arena.matchmaking,
      rooms: this.arena.rooms,
      parties: this.arena.parties,
      events: this.director,
      questions: inThisThread(questionsOf(store, this.ownerLogs)),
      acts,
      commands: inThisThread(hubCommandsOf(store, clock)),
      replays: inThisThread(hubReplaysOf(store)),
      addresses,
      registration: 'open',
      art: openArt(''),
      sessionsPerClient: 1000,
      idleTimeout: 900_000,
      personTimeout: 300_000,
      peopleRated: false,
      ratings: deal => seatRatings(store.matchStore, deal),
      levels: levelNames,
      online: { accounts: [], accountCount: 0 },
      loginOf: async () => undefined,
      onRegistered: () => {},
      onAccountChanged: async () => {},
      signIns: this.signIns,
      results: new Results(this.arena),
      scheduler,
      textStreamer: new TextStreamer(scheduler, clock, pageTime),
      pageTime,
      commandRefusal: () => undefined,
      registrar: this.registrar,
      ...given,
    })
  }

  static async open(
    given: Partial<HubContext> = {},
    ofArena: Partial<ArenaOptions> = {},
  ): Promise<TestHub> {
    const folder = mkdtempSync(join(tmpdir(), 'agentbbs-hub-'))
    const clock = new FakeClock()
    return new TestHub(folder, await openStore(folder, clock), clock, given, ofArena)
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  account(name: string): Account {
    return newAccount(this.store.users, name)
  }

  /** Stores a past match. */
  async keep(match: NewMatch, outcome: Outcome, moves: readonly Played[]): Promise<void> {
    const kept = this.store.matchStore.finish(this.store.matchStore.begin(match), outcome, moves)
    this.clock.pass(10)
    await kept
  }

  /** Opens a session at a terminal; for a guest if the account is null. */
  connect(
    account: Account | null,
    columns = 80,
    rows = 24,
    request: Partial<SessionRequest> = {},
  ): TestClient {
    return new TestClient(this, account, columns, rows, request)
  }

  /** Moves the clock, and runs all that is due. */
  async settle(ms = 60): Promise<void> {
    for (let i = 0; i < 3; i++) {
      this.clock.pass(ms / 3)
      await new Promise(setImmediate)
    }
  }
}

const addresses: HostAddresses = {
  host: 'bbs.example',
  sshHost: 'bbs.example',
  sshPort: 2222,
  site: 'https://bbs.example',
  play: 'wss://bbs.example/play',
}

/** A client of the hub with a terminal in memory. */
export class TestClient implements Connection {
  readonly id = 'test'
  readonly screen: HeadlessScreen
  readonly session: HubSession
  readonly #hub: TestHub
  unsent = 0
  status: number | null = null
  wasCut = false
  /** All bytes that were sent. */
  sent = ''
  notes = ''
  #written: Promise<void> = Promise.resolve()

  constructor(
    hub: TestHub,
    account: Account | null,
    columns: number,
    rows: number,
    request: Partial<SessionRequest>,
  ) {
    this.#hub = hub
    this.screen = new HeadlessScreen(columns, rows)
    this.session = hub.sessions.open(
      {
        connection: 'test',
        user: account?.name ?? 'guest',
        address: '127.0.0.1',
        source: '127.0.0.1',
        login: account === null ? null : { account, by: { kind: 'key', id: 1 }, objection: null },
        key: null,
        screen: { columns, rows, term: 'xterm-256color', variables: new Map() },
        command: '',
        ...request,
      },
      this,
    )
  }

  send(text: string): void {
    this.sent += text
    this.#written = this.screen.write(text)
  }

  note(text: string): void {
    this.notes += text
  }

  refused(): void {}

  end(status: number): void {
    this.status ??= status
  }

  cut(): void {
    this.wasCut = true
  }

  failed(error: unknown): void {
    this.#hub.failures.push(error)
  }

  /** Types keys, and returns the text of the screen. Names of keys are in angle brackets. */
  async type(...keys: string[]): Promise<string> {
    for (const key of keys) {
      this.session.receive(Buffer.from(named.get(key) ?? key))
      // The pause keeps Esc from being taken for the start of a sequence.
      await this.#hub.settle(120)
    }
    return this.text()
  }

  async text(): Promise<string> {
    await this.#hub.settle()
    await this.#written
    return this.screen.text
  }

  async resize(columns: number, rows: number): Promise<string> {
    this.screen.resize(columns, rows)
    this.session.resized?.({ columns, rows })
    return this.text()
  }
}

const named = new Map([
  ['<enter>', '\r'],
  ['<esc>', '\x1b'],
  ['<tab>', '\t'],
  ['<up>', '\x1b[A'],
  ['<down>', '\x1b[B'],
  ['<right>', '\x1b[C'],
  ['<left>', '\x1b[D'],
  ['<ctrl-l>', '\x0c'],
])
