import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '../../src/arena/account.ts'
import { Arena } from '../../src/arena/arena.ts'
import type { Outcome } from '../../src/arena/ending.ts'
import type { NewMatch, Played } from '../../src/arena/match-store.ts'
import { bestMove } from '../../src/bots/best-move.ts'
import { house as houseOf } from '../../src/bots/house.ts'
import { levelNames } from '../../src/bots/levels.ts'
import { gameOf } from '../../src/games/index.ts'
import { openArt } from '../../src/hub/art/art.ts'
import type { House } from '../../src/hub/house.ts'
import { type Hub, hub } from '../../src/hub/hub.ts'
import { Results } from '../../src/hub/results.ts'
import { TokenBuckets } from '../../src/limits/token-bucket.ts'
import type { Connection } from '../../src/protocols/connection.ts'
import { FairScheduler } from '../../src/scheduling/fair-scheduler.ts'
import { TextStreamer } from '../../src/scheduling/text-stream.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import type { HubSession, SessionRequest } from '../../src/wire/hub-session.ts'
import { FakeClock } from './fake-clock.ts'
import { HeadlessScreen } from './headless-screen.ts'
import { newAccount } from './played.ts'

/** A hub with a real store and arena, on a clock that is moved by hand, and without a wire. */
export class HubHouse {
  readonly clock = new FakeClock()
  readonly store: Store
  readonly arena: Arena
  readonly hub: Hub
  readonly failures: unknown[] = []
  readonly #folder: string

  private constructor(folder: string, store: Store, clock: FakeClock, given: Partial<House>) {
    this.#folder = folder
    this.store = store
    this.clock = clock
    const scheduler = new FairScheduler(run => run())
    const pageTime = { left: () => 0, use: () => {} }
    this.arena = new Arena({
      clock,
      matchStore: store.matchStore,
      house: houseOf(
        name => store.users.house(name),
        async question => bestMove(gameOf(question.game)!, question),
      ),
      queueWait: 60_000,
      failed: error => this.failures.push(error),
      roll: () => 0,
    })
    this.hub = hub({
      clock,
      arena: this.arena,
      store,
      place: {
        host: 'bbs.example',
        sshHost: 'bbs.example',
        sshPort: 2222,
        play: 'wss://bbs.example/play',
      },
      registration: 'open',
      art: openArt(''),
      visits: 1000,
      idle: 900_000,
      personTimeout: 300_000,
      peopleRated: false,
      rating: (account, game) => store.matchStore.standing(account, game).rating,
      strengths: levelNames,
      present: { accounts: [], accountCount: 0 },
      joined: () => {},
      results: new Results(this.arena),
      scheduler,
      textStreamer: new TextStreamer(scheduler, clock, pageTime),
      pageTime,
      noAnswer: () => undefined,
      joining: new TokenBuckets(clock, { perSecond: 10 / 900, burst: 10 }),
      ...given,
    })
  }

  static async open(given: Partial<House> = {}): Promise<HubHouse> {
    const folder = mkdtempSync(join(tmpdir(), 'agentbbs-hub-'))
    const clock = new FakeClock()
    return new HubHouse(folder, await openStore(folder, clock), clock, given)
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  account(name: string): Account {
    return newAccount(this.store.users, name)
  }

  /** Keeps a match as if it had been played. */
  async keep(match: NewMatch, outcome: Outcome, moves: readonly Played[]): Promise<void> {
    const kept = this.store.matchStore.finish(this.store.matchStore.begin(match), outcome, moves)
    this.clock.pass(10)
    await kept
  }

  /** Somebody at a terminal; null for a guest. */
  sit(
    account: Account | null,
    columns = 80,
    rows = 24,
    visit: Partial<SessionRequest> = {},
  ): Sitter {
    return new Sitter(this, account, columns, rows, visit)
  }

  /** Lets everything happen that is due by now. */
  async settle(ms = 60): Promise<void> {
    for (let i = 0; i < 3; i++) {
      this.clock.pass(ms / 3)
      await new Promise(setImmediate)
    }
  }
}

/** A person at a terminal without a window. */
export class Sitter implements Connection {
  readonly id = 'test'
  readonly screen: HeadlessScreen
  readonly session: HubSession
  readonly #house: HubHouse
  unsent = 0
  status: number | null = null
  wasCut = false
  /** All that was sent, as it was sent. */
  sent = ''
  notes = ''
  #written: Promise<void> = Promise.resolve()

  constructor(
    house: HubHouse,
    account: Account | null,
    columns: number,
    rows: number,
    visit: Partial<SessionRequest>,
  ) {
    this.#house = house
    this.screen = new HeadlessScreen(columns, rows)
    this.session = house.hub.open(
      {
        connection: 'test',
        user: account?.name ?? 'guest',
        address: '127.0.0.1',
        source: '127.0.0.1',
        login: account === null ? null : { account, by: { kind: 'key', id: 1 }, objection: null },
        key: null,
        screen: { columns, rows, term: 'xterm-256color', variables: new Map() },
        command: '',
        ...visit,
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
    this.#house.failures.push(error)
  }

  /** Types, and reads what is then on the screen. Names of keys go between angle brackets. */
  async type(...keys: string[]): Promise<string> {
    for (const key of keys) {
      this.session.receive(Buffer.from(named.get(key) ?? key))
      // An escape must not be taken for the start of a sequence.
      await this.#house.settle(120)
    }
    return this.text()
  }

  async text(): Promise<string> {
    await this.#house.settle()
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
  ['<anew>', '\x0c'],
])
