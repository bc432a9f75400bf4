import { randomUUID } from 'node:crypto'
import { type Account, type AccountId, agentOf } from '../arena/account.ts'
import { setupFor } from '../arena/arena.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Speed } from '../arena/pace.ts'
import type { Player } from '../arena/player.ts'
import type { TableSetup } from '../arena/table-setup.ts'
import type { Timer } from '../clock.ts'
import type { Game, Seat, Setup } from '../games/game.ts'
import type { Waiting } from './waiting.ts'

/** One that sits at a table. */
export interface PartySitter {
  /** As it came. Of a guest, whose account here means nothing, too. */
  readonly player: Player
  /** `account`: an agent or a person. A guest has no account, and a house player is built into the host. */
  readonly kind: 'account' | 'guest' | 'house'
  /** What it is called at the table; of a guest, what it calls itself. */
  readonly name: string
  /** On the standard ladder of agents, as it sat down; null for one without an account. */
  readonly rating: number | null
  readonly isReady: boolean
  /** In the match, once there is one. */
  readonly seat: Seat | null
}

/** A table that players have set up, until some minutes after its match. */
export interface PartyTable {
  readonly id: string
  /** By which players find it: six capital letters and digits. */
  readonly code: string
  readonly name: string
  readonly game: Game
  /** How many can sit here. */
  readonly seats: number
  /** By slot. Those of a match have its seats in the order of their slots. */
  readonly sitters: readonly (PartySitter | null)[]
  readonly status: 'waiting' | 'playing' | 'finished'
  readonly match: MatchId | null
  /** As a Unix time in milliseconds. */
  readonly createdAt: number
  /** The options of the rules. */
  readonly setup: Setup | null
  readonly speed: Speed
  /** The id of the protocol by which it was set up. */
  readonly protocol: string
}

/** The table that someone wants to set up. */
export interface PartyOrder {
  readonly game: Game
  readonly name: string
  /** How many can sit there: a number of seats that the game allows. */
  readonly seats: number
  readonly setup?: Setup | null
  /** How fast moves are shown to those who watch. */
  readonly speed: Speed
  readonly protocol: string
  /** The account that sets it up. Only so many tables of one may wait. */
  readonly by?: AccountId
  /**
   * Whether it starts by itself, asked when somebody sits down or is ready. Unless given it does when all its slots are
   * taken, and all that sit there are ready.
   */
  readonly autoStart?: (table: PartyTable) => boolean
}

export type PartyEvent =
  | { readonly kind: 'created'; readonly table: PartyTable }
  /** One has sat down, or has left before the match. */
  | {
      readonly kind: 'seated' | 'freed'
      readonly table: PartyTable
      readonly sitter: PartySitter
      readonly slot: number
    }
  /** The match of the table has begun, or is over. */
  | { readonly kind: 'started' | 'finished'; readonly table: PartyTable }
  /** The table is no more. */
  | { readonly kind: 'removed'; readonly table: PartyTable }

/** How a player sits down. */
export interface SitOptions {
  /** The slot that it wants; the first free one unless given. */
  readonly slot?: number
  /** For a player without an account: what it is called. */
  readonly guestName?: string
  /** Whether it is ready from the start. */
  readonly ready?: boolean
}

/** One that sits at a table as the tables keep it. */
export interface TakenSlot extends PartySitter {
  /** What plays in the match, once there is one: not the player that came where that is a guest. */
  inMatch: Player
  /** Null for guests and house players. */
  readonly waiting: Waiting | null
  isReady: boolean
  seat: Seat | null
}

/** A slot that is kept for a player whose account is being looked up. */
interface Claim {
  readonly slot: number
  isReady: boolean
}

/** A table as the tables keep it. */
export class SetTable implements PartyTable {
  readonly id = randomUUID()
  readonly code: string
  readonly createdAt: number
  readonly order: PartyOrder
  readonly slots: (TakenSlot | null)[]
  readonly claims = new Map<Player, Claim>()
  status: PartyTable['status'] = 'waiting'
  /** From the moment at which its match is being opened. */
  isStarting = false
  match: MatchId | null = null
  /** Until it is removed. */
  timer: Timer | null = null

  constructor(code: string, createdAt: number, order: PartyOrder) {
    this.code = code
    this.createdAt = createdAt
    this.order = order
    this.slots = Array.from({ length: order.seats }, () => null)
  }

  get name(): string {
    return this.order.name
  }

  get game(): Game {
    return this.order.game
  }

  get seats(): number {
    return this.order.seats
  }

  get setup(): Setup | null {
    return this.order.setup ?? null
  }

  get speed(): Speed {
    return this.order.speed
  }

  get protocol(): string {
    return this.order.protocol
  }

  get sitters(): PartyTable['sitters'] {
    return this.slots
  }

  /** Those that sit here, in the order of their slots. */
  get taken(): readonly TakenSlot[] {
    return this.slots.filter(taken => taken !== null)
  }

  /** Whether players can sit down, leave and start it. */
  get isOpen(): boolean {
    return this.status === 'waiting' && !this.isStarting
  }

  /** Those that are neither taken nor kept for a player. */
  get freeSlots(): readonly number[] {
    const claimed = new Set([...this.claims.values()].map(({ slot }) => slot))
    return [...this.slots.keys()].filter(slot => this.slots[slot] === null && !claimed.has(slot))
  }

  /** Whether this agent sits here, or is about to. */
  has(agent: AccountId): boolean {
    const accounts = this.taken.filter(({ kind }) => kind === 'account')
    const players = [...accounts.map(({ player }) => player), ...this.claims.keys()]
    return players.some(({ account }) => agentOf(account) === agent)
  }

  slotOf(player: Player): number {
    return this.slots.findIndex(taken => taken?.player === player)
  }

  stopTimer(): void {
    this.timer?.cancel()
    this.timer = null
  }
}

/** The player as it plays in a match without an account of its own: with one that guests share. */
export const asGuest = (player: Player, account: Account): Player => ({
  account,
  terms: player.terms,
  ...(player.protocol !== undefined && { protocol: player.protocol }),
  ...(player.connection !== undefined && { connection: player.connection }),
  ...(player.followsMoves !== undefined && { followsMoves: player.followsMoves }),
  tell: news => player.tell(news),
})

/** The setup of the match of a table. */
export const setupOf = (
  { id, code, name, speed, game, setup, taken }: SetTable,
  players: readonly Player[],
): Setup => {
  const guests = taken.map(({ kind, name }) => (kind === 'guest' ? name : null))
  const table: TableSetup = { id, code, name, speed, guests }
  return { ...(setup ?? setupFor(game, players)), table }
}

/** What is kept of one that has played: not its session. */
export const remembered = (taken: TakenSlot | null): TakenSlot | null => {
  if (taken === null) return null
  const { account, terms, protocol } = taken.player
  const player = { account, terms, ...(protocol !== undefined && { protocol }), tell: () => {} }
  return { ...taken, player, inMatch: player, waiting: null }
}
