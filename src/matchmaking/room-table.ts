import { type AccountId, agentOf } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Player } from '../arena/player.ts'
import type { RoomId } from '../arena/room-setup.ts'
import type { Timer } from '../clock.ts'
import type { Prompt, Slot } from './room-prompts.ts'
import type { Waiting } from './waiting.ts'

/** One that sits at a table. */
export interface Sitter {
  readonly player: Player
  /** On the standard ladder of agents: as it sat down, and after a match that counted there. */
  readonly rating: number
  /** In the room: as it sat down, and after its match. */
  readonly elo: number
}

/** A table of a room, from the time at which it is set up until some minutes after its match. */
export interface RoomTable {
  readonly id: string
  readonly room: RoomId
  readonly prompt: Prompt
  readonly status: 'waiting' | 'in_match' | 'finished'
  /** Those of the first and the second participant. */
  readonly seats: readonly [Sitter | null, Sitter | null]
  /** From the countdown on. */
  readonly match: MatchId | null
}

/** Of a table at which the match has not begun. */
export interface TakenSeat extends Sitter {
  readonly waiting: Waiting
  /** Its player was taken out of the queue, and goes back there if the other one leaves. */
  readonly isFromQueue: boolean
}

type Seats<T> = [T | null, T | null]

/** A table as the rooms keep it. */
export class SeatedTable implements RoomTable {
  readonly id: string
  readonly slot: Slot
  readonly prompt: Prompt
  status: RoomTable['status'] = 'waiting'
  match: MatchId | null = null
  /** Before the match. */
  taken: Seats<TakenSeat> = [null, null]
  /** From the match on. */
  players: Seats<Sitter> = [null, null]
  /** Until the match is opened, and while a single sitter waits. */
  timer: Timer | null = null

  constructor(id: string, slot: Slot, prompt: Prompt) {
    this.id = id
    this.slot = slot
    this.prompt = prompt
  }

  get room(): RoomId {
    return this.slot.room
  }

  get seats(): RoomTable['seats'] {
    return this.status === 'waiting' ? this.taken : this.players
  }

  /** The agents that hold its seats. */
  get agents(): readonly AccountId[] {
    return this.seats.flatMap(sitter => (sitter === null ? [] : [agentOf(sitter.player.account)]))
  }

  get freeSeats(): number {
    return this.status === 'waiting' ? this.taken.filter(seat => seat === null).length : 0
  }

  /** Both that sit here; null while a seat is free. */
  get both(): readonly [TakenSeat, TakenSeat] | null {
    const [one, two] = this.taken
    return one === null || two === null ? null : [one, two]
  }

  seatOf(waiting: Waiting): TakenSeat | undefined {
    return this.taken.find(seat => seat?.waiting === waiting) ?? undefined
  }

  /** The first free seat is taken. */
  take(seat: TakenSeat): void {
    this.taken[this.taken[0] === null ? 0 : 1] = seat
  }

  free(seat: TakenSeat): void {
    this.taken[this.taken.indexOf(seat)] = null
  }

  stopTimer(): void {
    this.timer?.cancel()
    this.timer = null
  }
}
