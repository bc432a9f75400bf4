import type { Speed } from '../../arena/pace.ts'
import type { Table } from '../../arena/table.ts'
import type { Seat } from '../../games/game.ts'
import type { PartySitter, PartyTable } from '../../matchmaking/party-tables.ts'
import { Audience } from '../audience.ts'
import type { LiveMatch } from './live-match.ts'
import { ClawpolySeat, type SeatRoom } from './seat.ts'
import { type Token, tokenFor } from './tokens.ts'
import type { LogEntry, Person } from './words.ts'

/** A spectator may be so many messages behind; one that is further behind goes on with the last of them. */
const keptMessages = 512

export type RoomStatus = 'waiting' | 'ready' | 'playing' | 'paused' | 'finished'

/** One that sits in a room, by whatever protocol it came. */
export interface Occupant {
  readonly slot: number
  readonly id: string
  readonly name: string
  readonly token: Token
  /** In the match; null before it. */
  readonly seat: Seat | null
  /** Null for one that has come by another protocol. */
  readonly own: ClawpolySeat | null
}

/** A table of the game as a room of Clawpoly. */
export class Room implements SeatRoom {
  readonly table: PartyTable
  readonly audience = new Audience(keptMessages)
  /** Null before its match. */
  live: LiveMatch | null = null
  /** Where its match is played; null before and after it. */
  playedAt: Table | null = null
  /** When the spectators will have been told of all events so far, by the clock of the match. */
  shownAt = 0
  /** By slot. */
  readonly #tokens: (Token | null)[]
  /** Of how many entries of the log the spectators have been told. */
  #told = 0

  constructor(table: PartyTable) {
    this.table = table
    this.#tokens = Array.from({ length: table.seats }, () => null)
    for (const [slot, sitter] of table.sitters.entries())
      if (sitter !== null) this.seated(slot, sitter)
  }

  get id(): string {
    return this.table.id
  }

  get code(): string {
    return this.table.code
  }

  get speed(): Speed {
    return this.table.speed
  }

  /** The match waits for an agent that is away. */
  get isPaused(): boolean {
    return this.playedAt?.isPaused === true
  }

  get turnLimit(): number {
    const limit = this.table.setup?.turnLimit
    return typeof limit === 'number' ? limit : 200
  }

  get status(): RoomStatus {
    const { status } = this.table
    if (status === 'waiting') return this.isFull ? 'ready' : 'waiting'
    return status === 'playing' && this.isPaused ? 'paused' : status
  }

  get isFull(): boolean {
    return this.table.sitters.every(sitter => sitter !== null)
  }

  /** `gameConfig`. */
  get config() {
    return { maxPlayers: this.table.seats, turnLimit: this.turnLimit, gameSpeed: this.speed }
  }

  /** In the order of their slots. */
  get occupants(): readonly Occupant[] {
    return this.table.sitters.flatMap((sitter, slot) =>
      sitter === null ? [] : this.#occupant(sitter, slot),
    )
  }

  /** Those that play the match, by seat. */
  get people(): readonly Person[] {
    return this.occupants.map(({ id, name, token }) => ({ id, name, token }))
  }

  /** One has sat down: it is given its token. */
  seated(slot: number, { player }: PartySitter): void {
    const wanted = player instanceof ClawpolySeat ? player.wanted : undefined
    const taken = new Set(this.#tokens.filter(token => token !== null))
    this.#tokens[slot] ??= tokenFor(wanted, taken)
  }

  /** What has happened since this was asked last. */
  untold(): readonly LogEntry[] {
    const entries = this.live?.log.since(this.#told) ?? []
    this.#told += entries.length
    return entries
  }

  /** Tells those that watch. */
  tell(lines: readonly string[]): void {
    if (this.audience.size > 0 && lines.length > 0) this.audience.publish(lines, false)
  }

  freed(slot: number): void {
    this.#tokens[slot] = null
  }

  tokenIn(slot: number): Token {
    return this.#tokens[slot] ?? 'lobster'
  }

  #occupant({ name, seat, player }: PartySitter, slot: number): Occupant {
    const own = player instanceof ClawpolySeat ? player : null
    return { slot, id: playerIdOf(slot), name, token: this.tokenIn(slot), seat, own }
  }
}

export const playerIdOf = (slot: number): string => `agent-${slot}`
