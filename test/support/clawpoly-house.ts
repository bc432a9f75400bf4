import type { Account } from '../../src/arena/account.ts'
import { guests } from '../../src/arena/guests.ts'
import type { Speed } from '../../src/arena/pace.ts'
import { clawpoly } from '../../src/games/clawpoly.ts'
import { type Clawpoly, startOf } from '../../src/games/clawpoly-state.ts'
import { Dice, type DiceState } from '../../src/games/dice.ts'
import type { Seed, Setup } from '../../src/games/game.ts'
import { isRefused } from '../../src/protocols/clawpoly/codes.ts'
import { Lobby } from '../../src/protocols/clawpoly/lobby.ts'
import type { Room } from '../../src/protocols/clawpoly/room.ts'
import type { ClawpolySeat } from '../../src/protocols/clawpoly/seat.ts'
import { AgentSocket } from '../../src/protocols/clawpoly/socket.ts'
import { SpectatorSocket } from '../../src/protocols/clawpoly/spectators.ts'
import { settled } from './agon-house.ts'
import { FakeClock } from './fake-clock.ts'
import { MemoryClawpolyAgents } from './memory-clawpoly-agents.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import { TestArena } from './test-arena.ts'
import { TestConnection } from './test-connection.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
export type Heard = any

interface HouseOptions {
  /** How each match begins: seat 0 is first in the turn order, unless this says otherwise. */
  readonly start?: (state: Clawpoly) => Clawpoly
  readonly isOpen?: boolean
}

interface RoomOptions {
  readonly agents?: number
  readonly turnLimit?: number
  readonly gameSpeed?: Speed
}

/** A host of Clawpoly without a wire, with the luck that a test wants. */
export class ClawpolyHouse {
  readonly clock = new FakeClock()
  readonly matchStore = new MemoryMatchStore()
  readonly agents = new MemoryClawpolyAgents()
  readonly failures: unknown[] = []
  readonly arena: TestArena
  readonly lobby: Lobby

  constructor({ start = state => state, isOpen = true }: HouseOptions = {}) {
    const { clock, matchStore, agents } = this
    const failed = (error: unknown) => this.failures.push(error)
    const dice = Dice.fromSeed(1)
    const roll = (n: number) => dice.roll(n)
    this.arena = new TestArena({
      ...{ clock, matchStore, queueWait: 120_000, failed, roll },
      house: () => undefined,
      parties: { roll },
    })
    const game = {
      ...clawpoly,
      start: (seed: Seed, seats: number, setup?: Setup | null) => {
        const state = startOf(seed, seats, setup)
        const order = Array.from({ length: seats }, (_, seat) => seat)
        return start({ ...state, order, current: 0 })
      },
    }
    this.lobby = new Lobby({
      ...{ game, arena: this.arena, parties: this.arena.parties, clock, agents, guests, failed },
      ...{ isOpen, rooms: 100, joins: 100 },
      registrar: {
        register: () => Promise.reject(new Error('no registration')),
        mint: () => Promise.reject(new Error('no secrets')),
        declare: () => Promise.reject(new Error('no versions')),
      },
    })
  }

  room({ agents = 2, turnLimit = 200, gameSpeed = 'instant' }: RoomOptions = {}): Room {
    const order = { name: 'Reef', maxPlayers: agents, turnLimit, gameSpeed }
    const room = this.lobby.create(order)
    if (isRefused(room)) throw new Error(room.error)
    return room
  }

  async join(room: Room, name: string, account: Account | null = null): Promise<ClawpolySeat> {
    const seat = await this.lobby.join(room, { account, name })
    if (isRefused(seat)) throw new Error(seat.error)
    return seat
  }

  connect(seat: ClawpolySeat, isLegacy = false): ClawpolyClient {
    return new ClawpolyClient(this, seat, isLegacy)
  }

  watch(room: Room): { readonly connection: TestConnection; readonly socket: SpectatorSocket } {
    const connection = new TestConnection()
    return { connection, socket: new SpectatorSocket(this.lobby, room, connection) }
  }

  /** Connected agents in a game that has started, by seat. What they have heard so far is not read. */
  async playing(options: RoomOptions = {}): Promise<readonly ClawpolyClient[]> {
    const room = this.room(options)
    const seats = []
    for (const name of names.slice(0, room.table.seats)) seats.push(await this.join(room, name))
    const clients = seats.map(seat => this.connect(seat))
    await settled()
    return clients
  }

  /** Time passes, and what it brings about is done. */
  async pass(ms: number): Promise<void> {
    this.clock.pass(ms)
    await settled()
  }
}

const names = ['Nova', 'Pike', 'Vega', 'Zoe', 'Ada', 'Bo'] as const

/** One WebSocket of an agent. */
export class ClawpolyClient {
  readonly connection = new TestConnection()
  readonly seat: ClawpolySeat
  readonly socket: AgentSocket
  readonly #house: ClawpolyHouse
  #read = 0

  constructor(house: ClawpolyHouse, seat: ClawpolySeat, isLegacy = false) {
    this.#house = house
    this.seat = seat
    let socket: AgentSocket | undefined
    house.clock.soon.turn(() => {
      const limits = { messages: 20, tooFast: 20 }
      socket = new AgentSocket(house.lobby, seat, this.connection, limits, isLegacy)
    })
    this.socket = socket!
  }

  get id(): string {
    return this.seat.playerId
  }

  /** Does something, and answers with all that was heard since the last time. */
  act(name: string, data?: object): Heard[] {
    return this.send(JSON.stringify({ type: `action:${name}`, ...(data && { data }) }))
  }

  send(text: string): Heard[] {
    this.#house.clock.soon.turn(() => this.socket.receive(text))
    FakeClock.finishTick()
    return this.heard
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

  get types(): string[] {
    return this.heard.map(({ type }) => type)
  }

  last(type: string): Heard {
    return this.messages.findLast(message => message.type === type)
  }

  get closeCode(): number | undefined {
    FakeClock.finishTick()
    return this.connection.close?.code
  }

  /** The connection is lost. */
  drop(): void {
    this.#house.clock.soon.turn(() => this.socket.closed())
    FakeClock.finishTick()
  }
}

/** Dice that throw these numbers next. */
export const throwing = (...numbers: readonly number[]): DiceState => {
  for (let seed = 0; ; seed++) {
    const { state } = Dice.fromSeed(seed)
    const dice = Dice.resume(state)
    if (numbers.every(number => 1 + dice.roll(6) === number)) return state
  }
}

/** The same state with other players: the first of them in seat 0. */
export const withPlayers = (
  state: Clawpoly,
  ...changes: readonly Partial<Clawpoly['players'][number]>[]
): Clawpoly => ({
  ...state,
  players: state.players.map((player, seat) => ({ ...player, ...changes[seat] })),
})

/** The same state with other squares. */
export const withSquares = (
  state: Clawpoly,
  changes: { readonly [index: number]: Partial<Clawpoly['squares'][number]> },
): Clawpoly => ({
  ...state,
  squares: state.squares.map((square, index) => ({ ...square, ...changes[index] })),
})
