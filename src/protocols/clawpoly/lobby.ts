import { randomUUID } from 'node:crypto'
import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import { type Speed, speeds } from '../../arena/pace.ts'
import type { Table } from '../../arena/table.ts'
import { tableSetupOf } from '../../arena/table-setup.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { Game } from '../../games/game.ts'
import { TokenBuckets } from '../../limits/token-bucket.ts'
import type {
  PartyEvent,
  PartySitter,
  PartyTable,
  PartyTables,
} from '../../matchmaking/party-tables.ts'
import type { Spectator } from '../audience.ts'
import type { Registrar } from '../credentials.ts'
import type { Gate } from '../gate.ts'
import type { ClawpolyStore } from './agents.ts'
import { type HttpRefused, isRefused } from './codes.ts'
import { LiveMatch } from './live-match.ts'
import { refusedBy } from './refusals.ts'
import { type Applicant, type RegisteredAgent, register } from './registration.ts'
import { Room } from './room.ts'
import { ClawpolySeat, type SeatHost } from './seat.ts'
import { roomMessage, tellLog } from './spectator-words.ts'
import { awayFor, termsOf } from './terms.ts'

export interface LobbyOptions {
  readonly game: Game
  readonly arena: Arena
  readonly parties: PartyTables
  readonly clock: Clock
  readonly registrar: Registrar
  readonly agents: ClawpolyStore
  /** The accounts that seats without an account share. */
  readonly guests: readonly Account[]
  /** Whether agents without an account may sit down. */
  readonly isOpen: boolean
  /** How many rooms one address may set up, and how many seats it may take, within a minute. */
  readonly rooms: number
  readonly joins: number
  /** Called with each internal error. */
  failed(error: unknown): void
}

/** The room that someone wants. */
export interface RoomOrder {
  readonly name: string
  readonly maxPlayers: number
  readonly turnLimit: number
  readonly gameSpeed: Speed
}

/** Who sits down: an account, or a guest if it is null, and what a guest is called. */
export interface Joining {
  readonly account: Account | null
  readonly name: string
  /** The token on the board that it would like to have. */
  readonly token?: unknown
  /** Of a client that has logged in: a ban or a revoked secret ends the seat. */
  readonly gate?: Pick<Gate, 'keep'>
}

/** What all clients of Clawpoly share: the rooms, who sits in them with which token, and their matches. */
export class Lobby implements SeatHost {
  readonly game: Game
  readonly arena: Arena
  readonly parties: PartyTables
  readonly clock: Clock
  readonly registrar: Registrar
  readonly agents: ClawpolyStore
  readonly isOpen: boolean
  readonly roomLimit: TokenBuckets
  readonly joinLimit: TokenBuckets
  readonly #options: LobbyOptions
  /** By the id of the table. */
  readonly #rooms = new Map<string, Room>()
  /** Those whose match goes on. */
  readonly #byMatch = new Map<MatchId, Room>()
  /** The seats whose tokens are worth something. */
  readonly #seats = new Map<string, ClawpolySeat>()
  /** When seats without a client are given up before the match. */
  readonly #waits = new Map<ClawpolySeat, Timer>()

  constructor(options: LobbyOptions) {
    const { game, arena, parties, clock, registrar, agents, isOpen, rooms, joins } = options
    this.#options = options
    this.game = game
    this.arena = arena
    this.parties = parties
    this.clock = clock
    this.registrar = registrar
    this.agents = agents
    this.isOpen = isOpen
    this.roomLimit = new TokenBuckets(clock, aMinute(rooms))
    this.joinLimit = new TokenBuckets(clock, aMinute(joins))
    parties.watch(event => this.#guarded(() => this.#followTables(event)))
    arena.watch(event => this.#guarded(() => this.#follow(event)))
  }

  /** Registers an agent that will always give its secret, as those of MCP do. */
  async register(applicant: Applicant): Promise<RegisteredAgent | HttpRefused> {
    const made = await register(this, applicant)
    if (!isRefused(made)) await this.agents.guard(made.agent.id)
    return made
  }

  /** In the order in which they were set up. */
  get rooms(): readonly Room[] {
    return this.parties.tables().flatMap(table => this.#roomOf(table) ?? [])
  }

  /** The room of this id, or of this code in any case. */
  room(idOrCode: string): Room | undefined {
    const table = this.parties.table(idOrCode)
    return table === undefined ? undefined : (this.#roomOf(table) ?? undefined)
  }

  create({ name, maxPlayers, turnLimit, gameSpeed }: RoomOrder): Room | HttpRefused {
    const table = this.parties.create({
      ...{ game: this.game, name, seats: maxPlayers, speed: gameSpeed },
      setup: { turnLimit },
      protocol: 'clawpoly',
      autoStart: table => table.sitters.every(isReady),
    })
    return 'sitters' in table ? this.#roomOf(table)! : refusedBy(table)
  }

  /** Sits an agent down. It has a token from then on, and some minutes to connect. */
  async join(
    room: Room,
    { account, name, token, gate }: Joining,
  ): Promise<ClawpolySeat | HttpRefused> {
    const { table } = room
    if (table.status !== 'waiting') return alreadyStarted
    if (room.isFull) return roomFull(room)
    const seat = new ClawpolySeat(this, room, {
      account: account ?? this.#options.guests[0]!,
      terms: termsOf(room.speed),
      agentToken: randomUUID(),
      wanted: token,
    })
    const sat = this.parties.sit(seat, table.code, account === null ? { guestName: name } : {})
    if ('code' in sat) return refusedBy(sat)
    seat.slot = sat.slot
    const refusal = await seat.admitted
    if (refusal !== null) return refusedBy(refusal)
    this.#seats.set(seat.agentToken, seat)
    if (gate !== undefined) seat.release = gate.keep(seat)
    this.#giveUpLater(seat)
    return seat
  }

  /** The seat that this token is for; undefined where it is worth nothing. */
  seat(agentToken: string): ClawpolySeat | undefined {
    return this.#seats.get(agentToken)
  }

  /** Starts the match with those that sit there. */
  async start(room: Room): Promise<LiveMatch | HttpRefused> {
    if (room.table.status !== 'waiting') return alreadyStarted
    const started = await this.parties.start(room.code)
    if (typeof started === 'object') return refusedBy(started)
    const { live } = room
    return live ?? { code: 'INTERNAL', error: 'The game has started, and is over already.' }
  }

  /** The agent leaves its seat before the match, or is away from then on. Its token is worth nothing any more. */
  leave(seat: ClawpolySeat): void {
    this.#forget(seat)
    seat.end()
    this.parties.leave(seat)
  }

  /** How many watch a room, and what they are told from now on. */
  watch(room: Room, spectator: Spectator): void {
    room.audience.add(spectator)
  }

  begun(seat: ClawpolySeat, match: MatchId): LiveMatch {
    const table = this.table(match)
    const room = table && this.#roomPlaying(table)
    if (room === undefined || table === undefined)
      throw new Error(`the match ${match} of ${seat.playerId} is at no table`)
    return this.#liveOf(room, table)
  }

  table(match: MatchId): Table | undefined {
    return this.arena.tables.get(match)
  }

  dismissed(seat: ClawpolySeat): void {
    this.leave(seat)
  }

  connected(seat: ClawpolySeat): void {
    this.#waits.get(seat)?.cancel()
    this.#waits.delete(seat)
    this.parties.ready(seat)
    if (seat.live !== null) this.#tellRoom(seat, 'room:player_reconnected')
  }

  disconnected(seat: ClawpolySeat): void {
    if (seat.live === null) this.#giveUpLater(seat)
    this.#tellRoom(seat, 'room:player_disconnected')
  }

  followed({ room, live }: ClawpolySeat): void {
    const table = live === null ? undefined : this.table(live.match)
    if (room instanceof Room && table !== undefined) this.#publish(room, table)
  }

  #giveUpLater(seat: ClawpolySeat): void {
    if (seat.isConnected || seat.isOver || seat.live !== null) return
    this.#waits.set(
      seat,
      this.clock.after(awayFor, () => {
        this.#waits.delete(seat)
        if (seat.live === null && !seat.isConnected) this.leave(seat)
      }),
    )
  }

  #forget(seat: ClawpolySeat): void {
    this.#seats.delete(seat.agentToken)
    this.#waits.get(seat)?.cancel()
    this.#waits.delete(seat)
  }

  #roomOf(table: PartyTable): Room | null {
    if (table.game.id !== this.game.id) return null
    let room = this.#rooms.get(table.id)
    if (room === undefined) {
      room = new Room(table)
      this.#rooms.set(table.id, room)
    }
    return room
  }

  #liveOf(room: Room, table: Table): LiveMatch {
    room.live ??= new LiveMatch(table, room.people, this.clock)
    room.playedAt = table.isOver ? null : table
    this.#byMatch.set(table.id, room)
    return room.live
  }

  #followTables(event: PartyEvent): void {
    if (event.kind === 'removed') this.#remove(event.table)
    const room = event.kind === 'removed' ? null : this.#roomOf(event.table)
    if (room === null) return
    switch (event.kind) {
      case 'seated':
        this.#seated(room, event)
        break
      case 'freed':
        room.freed(event.slot)
        if (event.sitter.player instanceof ClawpolySeat) {
          this.#forget(event.sitter.player)
          event.sitter.player.end()
        }
        break
      case 'created':
      case 'started':
      case 'finished':
        // What matters of these is told by the arena.
        break
    }
  }

  #remove({ id }: PartyTable): void {
    const room = this.#rooms.get(id)
    this.#rooms.delete(id)
    room?.audience.end()
  }

  #seated(room: Room, { slot, sitter }: { slot: number; sitter: PartySitter }): void {
    room.seated(slot, sitter)
    const one = room.occupants.find(occupant => occupant.slot === slot)
    if (one !== undefined) room.tell([roomMessage('room:player_joined', one, this.clock.date())])
  }

  #follow(event: ArenaEvent): void {
    const { table } = event
    if (table.deal.game.id !== this.game.id) return
    const room = this.#roomPlaying(table)
    if (room === undefined) return
    const live = this.#liveOf(room, table)
    switch (event.kind) {
      case 'began':
        this.#publish(room, table)
        break
      case 'moved':
        this.#publish(room, table)
        if (event.move[3] !== undefined) this.#lost(room, event.move[0])
        break
      case 'ended':
      case 'aborted':
        live.follow(table.moves)
        live.ended(event.kind === 'ended' ? event.outcome : null)
        room.playedAt = null
        this.#show(room)
        this.#later(room, () => room.audience.end())
        live.log.pack()
        this.#byMatch.delete(table.id)
        for (const seat of [...this.#seats.values()])
          if (seat.room === room) {
            this.#forget(seat)
            seat.end()
          }
        break
      case 'voting':
      case 'voted':
      case 'reacted':
        break
    }
  }

  #roomPlaying({ id, deal }: Table): Room | undefined {
    const known = this.#byMatch.get(id)
    if (known !== undefined || tableSetupOf(deal.setup) === null) return known
    return this.rooms.find(({ table }) => table.match === id)
  }

  /** A seat that has been away for too long is no more. Others stay, and hear how the match ends. */
  #lost(room: Room, at: number): void {
    for (const seat of [...this.#seats.values()])
      if (seat.room === room && seat.seat === at && !seat.isConnected) {
        this.#forget(seat)
        seat.end()
      }
  }

  #publish(room: Room, table: Table): void {
    this.#liveOf(room, table).follow(table.moves)
    this.#show(room)
  }

  /** Spectators are told of one event after the other, at the speed of the room. */
  #show(room: Room): void {
    const { event, turn } = speeds[room.speed]
    const entries = room.untold()
    // Those that come later are told the state first.
    if (room.audience.size === 0) return
    for (const entry of entries) {
      this.#later(room, () => room.tell(tellLog([entry])))
      room.shownAt += event + (entry.type === 'turn_start' ? turn : 0)
    }
  }

  /** Does this once the spectators have been told of what was before. */
  #later(room: Room, run: () => void): void {
    const now = this.clock.now()
    if (room.shownAt <= now) {
      room.shownAt = now
      run()
    } else this.clock.after(room.shownAt - now, run)
  }

  #tellRoom(seat: ClawpolySeat, type: string): void {
    const { room } = seat
    if (!(room instanceof Room)) return
    const one = room.occupants.find(({ own }) => own === seat)
    if (one !== undefined) room.tell([roomMessage(type, one, this.clock.date())])
  }

  /** A listener that throws would be removed, and with it all that this protocol tells. */
  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#options.failed(error)
    }
  }
}

const aMinute = (count: number) => ({ perSecond: count / 60, burst: count })

/** Whether a slot is taken by one that can play at once. */
const isReady = (sitter: PartySitter | null): boolean =>
  sitter !== null &&
  (sitter.player instanceof ClawpolySeat ? sitter.player.isConnected : sitter.isReady)

const alreadyStarted: HttpRefused = {
  code: 'GAME_ALREADY_STARTED',
  error: 'The game of this room has started already: join another room, or create one.',
}

const roomFull = ({ table }: Room): HttpRefused => ({
  code: 'ROOM_FULL',
  error: `All ${table.seats} seats of this room are taken: join another room, or create one.`,
})
