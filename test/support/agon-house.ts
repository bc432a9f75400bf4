import type { Account } from '../../src/arena/account.ts'
import type { RoomId } from '../../src/arena/room-setup.ts'
import { Dice } from '../../src/games/dice.ts'
import { Lobby } from '../../src/protocols/agon/lobby.ts'
import type { AgonRecords } from '../../src/protocols/agon/records.ts'
import { AgentSession } from '../../src/protocols/agon/session.ts'
import { agentGames } from './driven.ts'
import { FakeClock } from './fake-clock.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import { TestArena, type TestArenaOptions } from './test-arena.ts'
import { TestConnection } from './test-connection.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
export type Heard = any

type Options = Partial<Pick<TestArenaOptions, 'house'>> & {
  /** Of every match at a table. With 1 the first participant has seat 0, with 0 the second. */
  readonly seed?: number
  readonly wagers?: boolean
  readonly records?: Partial<AgonRecords>
}

/** A host without a wire, whose agents have logged in. */
export class AgonHouse {
  readonly clock = new FakeClock()
  readonly matchStore = new MemoryMatchStore()
  readonly failures: unknown[] = []
  readonly arena: TestArena
  readonly lobby: Lobby
  readonly #accounts = new Map<string, Account>()
  readonly #clients: AgonClient[] = []

  constructor({ wagers = false, records = {}, seed = 1, house }: Options = {}) {
    const { clock, matchStore } = this
    const dice = Dice.fromSeed(1)
    const roll = (n: number) => (n === 2 ** 32 ? seed : dice.roll(n))
    const failed = (error: unknown) => this.failures.push(error)
    this.arena = new TestArena({
      ...{ clock, matchStore, queueWait: 120_000, failed },
      house: house ?? (() => undefined),
      rooms: { roll },
    })
    this.lobby = new Lobby({
      ...{ arena: this.arena, rooms: this.arena.rooms, clock, wagers, actions: 20, failed },
      points: matchStore.points,
      records: {
        elo: () => Promise.resolve([]),
        versus: () => Promise.resolve({ wins: 0, losses: 0, draws: 0 }),
        match: () => Promise.resolve(undefined),
        ...records,
      },
    })
  }

  account(name: string): Account {
    const account = this.#accounts.get(name) ?? {
      id: 1 + this.#accounts.size,
      name,
      kind: 'player',
    }
    this.#accounts.set(name, account)
    return account
  }

  /** An agent that has just connected. */
  agent(name: string): AgonClient {
    const client = new AgonClient(this, this.account(name))
    this.#clients.push(client)
    return client
  }

  /** Time passes, and all clients that are still connected answer keep-alives meanwhile. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 30_000) {
      for (const { session } of this.#clients) session.alive()
      this.clock.pass(Math.min(left, 30_000))
    }
  }

  /** An agent of AgentGames that has joined. */
  agentGames(name: string, join: string) {
    const connection = new TestConnection()
    const protocol = agentGames(this.arena, this.arena, this.clock, 15_000)
    const session = protocol.open(connection, this.account(name), { kind: 'command', text: join })
    return { connection, session }
  }

  /** Two agents at the first table of a room, when the match has begun. What they have heard so far is read. */
  async match(room: RoomId, table = 0): Promise<readonly [AgonClient, AgonClient]> {
    const [one, two] = await this.seated(room, table)
    this.clock.pass(3_000)
    await settled()
    return [one, two]
  }

  /** The same before the countdown is over. */
  async seated(room: RoomId, table = 0): Promise<readonly [AgonClient, AgonClient]> {
    const clients = [this.agent('Nova'), this.agent('Pike')] as const
    const { id } = this.arena.rooms.tables(room)[table]!
    for (const client of clients) {
      await client.say({ action: 'enter_room', room })
      await client.say({ action: 'sit_table', room, table_id: id })
    }
    return clients
  }
}

/** One WebSocket of an agent. Its messages are answered one by one, as by a wire. */
export class AgonClient {
  readonly connection = new TestConnection()
  readonly session: AgentSession
  readonly account: Account
  readonly #house: AgonHouse
  #read = 0

  constructor(house: AgonHouse, account: Account) {
    this.#house = house
    this.account = account
    let session: AgentSession | undefined
    house.clock.soon.turn(() => {
      session = new AgentSession(house.lobby, this.connection, account)
    })
    this.session = session!
  }

  async say(message: unknown): Promise<void> {
    let answered: unknown
    this.#house.clock.soon.turn(() => {
      answered = this.session.receive(
        typeof message === 'string' ? message : JSON.stringify(message),
      )
    })
    await answered
    FakeClock.finishTick()
  }

  /** Writes a message in the match that has begun last. */
  write(content: string, matchId = this.matchId): Promise<void> {
    return this.say({ action: 'send_message', match_id: matchId, content })
  }

  /** Asks for something else in that match. */
  act(action: string, fields: object = {}): Promise<void> {
    return this.say({ action, match_id: this.matchId, ...fields })
  }

  get matchId(): string {
    return this.messages.findLast(({ event }) => event === 'match_countdown').match_id
  }

  /** All messages so far. */
  get messages(): readonly Heard[] {
    return this.connection.messages
  }

  /** All messages since the last time that this was asked. */
  get heard(): Heard[] {
    const { messages } = this
    const news = messages.slice(this.#read)
    this.#read = messages.length
    return news
  }

  get events(): string[] {
    return this.heard.map(({ event }) => event)
  }

  last(event: string): Heard {
    return this.messages.findLast(message => message.event === event)
  }

  /** The connection is lost. */
  drop(): void {
    this.#house.clock.soon.turn(() => this.session.closed())
    FakeClock.finishTick()
  }
}

/** Turns of the event loop, in which spectators are told. */
export const settled = async (turns = 4) => {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve))
  FakeClock.finishTick()
}
