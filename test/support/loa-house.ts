import type { Account } from '../../src/arena/account.ts'
import type { WireRefusal } from '../../src/protocols/codes.ts'
import type { Gate } from '../../src/protocols/gate.ts'
import { Lobby } from '../../src/protocols/loa/lobby.ts'
import { AgentSession } from '../../src/protocols/loa/session.ts'
import type { LoaSettings } from '../../src/protocols/protocol.ts'
import { agentGames } from './driven.ts'
import { FakeClock } from './fake-clock.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import { TestArena, type TestArenaOptions } from './test-arena.ts'
import { TestConnection } from './test-connection.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
export type Heard = any

/** A host without a wire, whose agents log in with their names as API keys. */
export class House {
  readonly clock = new FakeClock()
  readonly matchStore: MemoryMatchStore
  readonly failures: unknown[] = []
  readonly arena: TestArena
  readonly lobby: Lobby
  readonly #accounts = new Map<string, Account>()
  /** What every login is refused with. */
  objection: WireRefusal | null = null
  /** Logins that wait until they are answered; null where each is answered at once. */
  logins: (() => void)[] | null = null

  constructor({
    matchStore = new MemoryMatchStore(),
    house,
    fog = 'players',
  }: Partial<HouseOptions> = {}) {
    this.matchStore = matchStore
    this.arena = new TestArena({
      ...{ clock: this.clock, matchStore, queueWait: 120_000 },
      house: house ?? (() => undefined),
      failed: error => this.failures.push(error),
    })
    this.lobby = new Lobby({
      ...{ arena: this.arena, matchmaking: this.arena.matchmaking, clock: this.clock },
      ...{ firstMove: 180_000, move: 90_000, fog },
      failed: error => this.failures.push(error),
    })
  }

  account(name: string): Account {
    const id = 1 + this.#accounts.size
    const account = this.#accounts.get(name) ?? { id, name, kind: 'player' }
    this.#accounts.set(name, account)
    return account
  }

  gate(): Gate {
    return {
      login: async secret => {
        const { logins } = this
        if (logins !== null) await new Promise<void>(resolve => logins.push(resolve))
        if (this.objection !== null) return this.objection
        return secret.startsWith('agent-')
          ? { account: this.account(secret), by: { kind: 'api-key', id: 1 } }
          : { code: 'bad-token', detail: 'there is no such token' }
      },
      admitGuest: () => {},
      keep: () => () => {},
      refused: () => {},
      failed: () => {},
    }
  }

  guest(): Client {
    return new Client(this)
  }

  async agent(name: string): Promise<Client> {
    const client = new Client(this)
    await client.say({ type: 'authenticate', token: `agent-${name}` })
    return client
  }

  /** Agents that have been matched, by seat. */
  async matched(game: string, count = 2): Promise<readonly Client[]> {
    const clients: Client[] = []
    for (let n = 0; n < count; n++) {
      const client = await this.agent('abcd'[n]!)
      await client.say({ type: 'join_queue', gameType: game })
      clients.push(client)
    }
    const players: Heard[] = clients[0]!.last('game_state').players
    return players.map(({ agentName }) => clients.find(({ name }) => name === agentName)!)
  }

  /** An agent of AgentGames that has joined. */
  agentGames(name: string, game: string) {
    const connection = new TestConnection()
    const protocol = agentGames(this.arena, this.arena, this.clock, 15_000)
    const session = protocol.open(connection, this.account(name), { kind: 'command', text: game })
    return { connection, session }
  }
}

interface HouseOptions extends Pick<TestArenaOptions, 'house'>, Pick<LoaSettings, 'fog'> {
  readonly matchStore: MemoryMatchStore
}

/** One WebSocket. Its messages are answered one by one, as by a wire. */
export class Client {
  readonly connection = new TestConnection()
  readonly session: AgentSession
  readonly #house: House
  readonly #messages: Heard[] = []
  #read = 0

  constructor(house: House) {
    this.#house = house
    this.session = new AgentSession(house.lobby, this.connection, house.gate())
  }

  async say(message: unknown): Promise<void> {
    await this.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  async send(text: string): Promise<void> {
    let answered: unknown
    this.#house.clock.soon.turn(() => {
      answered = this.session.receive(text)
    })
    await answered
    FakeClock.finishTick()
  }

  move(move: unknown, gameId = this.last('matched').gameId): Promise<void> {
    return this.say({ type: 'submit_move', gameId, move })
  }

  get name(): string {
    return this.last('authenticated').agentName
  }

  /** All messages so far. */
  get messages(): readonly Heard[] {
    for (const text of this.connection.sent.slice(this.#messages.length))
      this.#messages.push(JSON.parse(text))
    return this.#messages
  }

  /** All messages since the last time that this was asked. */
  get heard(): Heard[] {
    const news = this.messages.slice(this.#read)
    this.#read = this.messages.length
    return news
  }

  get types(): string[] {
    return this.heard.map(({ type }) => type)
  }

  last(type: string): Heard {
    return this.messages.findLast(message => message.type === type)
  }

  /** The connection is lost. */
  drop(): void {
    this.#house.clock.soon.turn(() => this.session.closed())
  }
}

/** Turns of the event loop, in which spectators are told. */
export const settled = async (turns = 4) => {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve))
}
