import { randomInt } from 'node:crypto'
import { type AccountId, agentOf } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { internalError, type Refusal, stopping } from '../arena/codes.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { MatchId, MatchStore } from '../arena/match-store.ts'
import { hubProtocol, type Player } from '../arena/player.ts'
import { type RoomId, type RoomSetup, roomIds } from '../arena/room-setup.ts'
import type { Clock } from '../clock.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import { quoted } from '../games/words.ts'
import type { Leave, Matchmaking, Tables } from './matchmaking.ts'
import { type Prompt, type RoomSettings, type Slot, slotsOf } from './room-prompts.ts'
import { type RoomTable, SeatedTable, type Sitter, type TakenSeat } from './room-table.ts'
import { Telling } from './telling.ts'
import type { Waiting } from './waiting.ts'

export { type Prompt, type RoomId, type RoomSettings, type RoomTable, roomIds, type Sitter }

export interface RoomsOptions {
  readonly arena: Arena
  readonly matchmaking: Matchmaking
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly settings: RoomSettings
  /** Whether a match with a person counts, on the people's ladder. */
  readonly peopleRated?: boolean
  /** Called with each internal error. */
  readonly failed?: (error: unknown) => void
  /** A whole number from 0 to n − 1, for seeds, topics and the ids of tables. */
  readonly roll?: (n: number) => number
}

export type RoomEvent =
  /** A player has sat down at a table, or has left it before the match. */
  | { readonly kind: 'seated' | 'freed'; readonly table: RoomTable; readonly player: Player }
  /** Both seats are taken: the match of this number opens in so many seconds. */
  | {
      readonly kind: 'countdown'
      readonly table: RoomTable
      readonly match: MatchId
      readonly seconds: number
    }
  /** One of two has left in the countdown, or the match could not be opened. */
  | { readonly kind: 'cancelled'; readonly table: RoomTable }
  | { readonly kind: 'began' | 'finished'; readonly table: RoomTable }
  /** Tables of the room, their seats or their status have changed. Follows each of the others. */
  | { readonly kind: 'changed'; readonly room: RoomId }

/** A player that sits alone is offered those that wait in the queue after so many milliseconds, and again every second. */
const offerAfter = 10_000
const offerEvery = 1_000
/** A table is listed for so many milliseconds after its match. */
const listedFor = 300_000

/**
 * The rooms, where players choose the table at which they sit down. A table with two players counts down, and has the
 * arena open its match. Each prompt of a room has a table with a free seat at all times.
 */
export class Rooms implements Tables {
  readonly #options: RoomsOptions
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #roll: (n: number) => number
  readonly #slots: readonly Slot[]
  /** In the order in which they were set up. */
  readonly #tables = new Map<string, SeatedTable>()
  /** Those at which no match has begun. */
  readonly #waiting = new Set<SeatedTable>()
  /** Where agents sit or play, until their match is over. */
  readonly #byAgent = new Map<AccountId, SeatedTable>()
  readonly #byMatch = new Map<MatchId, SeatedTable>()
  /** Players of `sit` whose account is being looked up: their seats are kept for them. */
  readonly #claims = new Map<Player, SeatedTable>()
  readonly #leaves = new WeakMap<Player, Leave>()
  readonly #telling = new Telling<RoomEvent>(error => this.#failed(error))
  #closing = false

  constructor(options: RoomsOptions) {
    const { arena, matchmaking, clock, matchStore, settings } = options
    this.#options = options
    this.#clock = clock
    this.#matchStore = matchStore
    this.#roll = options.roll ?? (n => randomInt(n))
    this.#slots = slotsOf(settings, this.#roll)
    for (const slot of this.#slots) this.#setUp(slot)
    matchmaking.useTables(this)
    arena.watch(event => this.#follow(event))
  }

  /** All tables of a room: those with a free seat first, in the order of their prompts; then the newest first. */
  tables(room: RoomId): readonly RoomTable[] {
    const all = [...this.#tables.values()].filter(table => table.room === room)
    const free = all.filter(({ freeSeats }) => freeSeats > 0)
    const slot = ({ slot }: SeatedTable) => this.#slots.indexOf(slot)
    return [
      ...free.sort((a, b) => slot(a) - slot(b)),
      ...all.filter(({ freeSeats }) => freeSeats === 0).reverse(),
    ]
  }

  table(id: string): RoomTable | undefined {
    return this.#tables.get(id)
  }

  /** The table at which this agent sits or plays. */
  tableOf(agent: AccountId): RoomTable | undefined {
    return this.#byAgent.get(agent)
  }

  /**
   * Sits this player down at a table, or says why not. What takes time is answered by news, as of `Matchmaking.seek`: `queued`
   * once it sits, and `seated` with the match; or `dismissed`. None comes before this returns.
   */
  sit(player: Player, id: string): Refusal | null {
    const table = this.#tables.get(id)
    const refusal = this.#refusal(player, id, table?.prompt.game)
    if (refusal !== null || table === undefined) return refusal
    this.#claims.set(player, table)
    const isPerson = player.protocol === hubProtocol
    const leave = this.#options.matchmaking.seek(player, {
      game: table.prompt.game,
      table: id,
      // It waits without end.
      inOrder: true,
      ...(isPerson && { ladder: this.#options.peopleRated === true ? 'people' : 'none' }),
    })
    this.#leaves.set(player, leave)
    return null
  }

  /** The player has left: its seat is free again, or its connection to the match is lost. */
  leave(player: Player, cause?: string): void {
    const leave = this.#leaves.get(player)
    this.#leaves.delete(player)
    if (leave === undefined) this.#options.arena.leave(player, cause)
    else leave(cause)
  }

  /** Calls the listener with each event, until the returned function is called. */
  watch(listener: (event: RoomEvent) => void): () => void {
    return this.#telling.watch(listener)
  }

  /** Refuses players, and opens no more matches. Those that sit are dismissed by the matchmaking. */
  close(): void {
    this.#closing = true
    for (const table of this.#tables.values()) table.stopTimer()
  }

  /** Those that no other tables know are refused here. */
  knows(): boolean {
    return true
  }

  refusal({ player, game }: Pick<Waiting, 'player' | 'game'>, id: string): Refusal | null {
    // The seat that is asked for may be its own, which is kept for it.
    return this.#claims.get(player)?.id === id ? null : this.#refusal(player, id, game)
  }

  join(waiting: Waiting, id: string): void {
    const table = this.#tables.get(id)!
    this.#claims.delete(waiting.player)
    this.#seat(table, waiting, false)
    this.#telling.tellAll()
  }

  unclaim(player: Player): void {
    const table = this.#claims.get(player)
    if (table === undefined) return
    this.#claims.delete(player)
    this.#review(table.slot)
    this.#telling.tellAll()
  }

  left(waiting: Waiting): boolean {
    const table = this.#byAgent.get(agentOf(waiting.player.account))
    const seat = table?.seatOf(waiting)
    if (table === undefined || seat === undefined) return false
    table.stopTimer()
    this.#free(table, seat)
    const wasCounting = table.match !== null
    table.match = null
    if (wasCounting) this.#telling.add({ kind: 'cancelled', table })
    this.#sitOn(table)
    this.#telling.tellAll()
    return true
  }

  isCounting(waiting: Waiting): boolean {
    const table = this.#byAgent.get(agentOf(waiting.player.account))
    return table?.seatOf(waiting) !== undefined && table.match !== null
  }

  #refusal(player: Player, id: string, game: Game | undefined): Refusal | null {
    if (this.#closing) return stopping
    const table = this.#tables.get(id)
    if (table === undefined || game === undefined)
      return { code: 'no-such-table', detail: `there is no table ${quoted(id)}` }
    if (table.prompt.game.id !== game.id)
      return {
        code: 'no-such-table',
        detail: `${id} is a table for ${table.prompt.game.id}, not for ${game.id}`,
      }
    const agent = agentOf(player.account)
    const own = this.#byAgent.get(agent) ?? this.#claimOf(agent)
    if (own !== undefined)
      return { code: 'already-seated', detail: `this account sits at the table ${own.id} already` }
    return this.#unclaimedSeats(table) === 0
      ? { code: 'seat-taken', detail: `both seats of the table ${id} are taken` }
      : null
  }

  #claimOf(agent: AccountId): SeatedTable | undefined {
    for (const [{ account }, table] of this.#claims) if (agentOf(account) === agent) return table
    return undefined
  }

  #unclaimedSeats(table: SeatedTable): number {
    const claims = [...this.#claims.values()].filter(claimed => claimed === table).length
    return table.freeSeats - claims
  }

  /** Sets up a table of this slot. */
  #setUp(slot: Slot): void {
    const others = [...this.#waiting].filter(
      table => table.room === slot.room && table.freeSeats > 0,
    )
    const prompt = slot.next(others.map(({ prompt }) => prompt.title))
    let id = this.#newId()
    while (this.#tables.has(id)) id = this.#newId()
    const table = new SeatedTable(id, slot, prompt)
    this.#tables.set(id, table)
    this.#waiting.add(table)
  }

  #newId(): string {
    return `t-${Array.from({ length: idLetters }, () => letters[this.#roll(letters.length)]).join('')}`
  }

  /** Sets up a table where a slot has none with a free seat, and takes away an empty one where it has another. */
  #review(slot: Slot): void {
    this.#telling.add({ kind: 'changed', room: slot.room })
    if (this.#closing) return
    const free = [...this.#waiting].filter(table => table.slot === slot && table.freeSeats > 0)
    if (free.length === 0) this.#setUp(slot)
    else if (free.length > 1) {
      const claimed = new Set(this.#claims.values())
      const empty = free.filter(table => table.freeSeats === 2 && !claimed.has(table))
      const surplus = empty.length === free.length ? empty.slice(1) : empty
      for (const table of surplus) {
        this.#tables.delete(table.id)
        this.#waiting.delete(table)
      }
    }
  }

  #seat(table: SeatedTable, waiting: Waiting, isFromQueue: boolean): void {
    const { player, game } = waiting
    const { rating } = this.#matchStore.standing(player.account.id, agentsLadder(game.id))
    const elo = this.#matchStore.elo(player.account.id, table.room)
    table.take({ player, rating, elo, waiting, isFromQueue })
    this.#byAgent.set(agentOf(player.account), table)
    this.#telling.add({ kind: 'seated', table, player })
    const { both } = table
    if (both === null) this.#offerIn(table, offerAfter)
    else this.#countDown(table, both)
    this.#review(table.slot)
  }

  #free(table: SeatedTable, seat: TakenSeat): void {
    const { player } = seat
    table.free(seat)
    this.#byAgent.delete(agentOf(player.account))
    this.#telling.add({ kind: 'freed', table, player })
  }

  /** One of two has left a table. The other one sits on, or goes back to the queue if it was taken from there. */
  #sitOn(table: SeatedTable): void {
    const other = table.taken.find(seat => seat !== null) ?? null
    if (other?.isFromQueue === true && !this.#closing) {
      this.#free(table, other)
      this.#clock.soon.do(() => this.#options.matchmaking.backToQueue(other.waiting))
    } else if (other !== null && !this.#joinAnother(table, other)) {
      const waited = this.#clock.elapsed() - other.waiting.since
      this.#offerIn(table, Math.max(offerEvery, offerAfter - waited))
    }
    this.#review(table.slot)
  }

  /**
   * Another player may sit alone at the table that was set up for the time of the countdown: the two need not wait for each
   * other at two tables of one prompt. Returns whether it has moved here.
   */
  #joinAnother(table: SeatedTable, { player }: TakenSeat): boolean {
    const family = (player: Player) => this.#matchStore.family(player.account.id)
    for (const beside of this.#waiting) {
      const seat = beside.taken.find(seat => seat !== null)
      if (beside === table || beside.prompt !== table.prompt || beside.both !== null) continue
      if (seat == null || this.#unclaimedSeats(table) === 0) continue
      if (family(seat.player) === family(player)) continue
      beside.stopTimer()
      this.#free(beside, seat)
      this.#seat(table, seat.waiting, seat.isFromQueue)
      return true
    }
    return false
  }

  #offerIn(table: SeatedTable, ms: number): void {
    if (this.#closing) return
    table.stopTimer()
    table.timer = this.#clock.after(ms, () => {
      table.timer = null
      try {
        this.#offer(table)
      } catch (error) {
        this.#failed(error)
      }
      this.#telling.tellAll()
    })
  }

  /** Has the one that sits here meet one that waits in the queue. */
  #offer(table: SeatedTable): void {
    const sitter = table.taken.find(seat => seat !== null)
    if (sitter == null) return
    // The free seat may be kept for a player whose account is being looked up.
    if (this.#unclaimedSeats(table) === 0) {
      this.#offerIn(table, offerEvery)
      return
    }
    const hasSeat = ({ account }: Player) => this.#byAgent.has(agentOf(account))
    const other = this.#options.matchmaking.takeFor(
      sitter.waiting,
      player => !hasSeat(player) && this.#claimOf(agentOf(player.account)) === undefined,
    )
    if (other === undefined) this.#offerIn(table, offerEvery)
    else this.#seat(table, other, true)
  }

  #countDown(table: SeatedTable, both: readonly [TakenSeat, TakenSeat]): void {
    const { countdown } = this.#options.settings
    table.stopTimer()
    try {
      table.match = this.#matchStore.reserve()
    } catch (error) {
      this.#failed(error)
      this.#clock.soon.do(() => {
        for (const { waiting } of both)
          if (table.seatOf(waiting)) this.#options.matchmaking.dismiss(waiting, internalError)
      })
      return
    }
    this.#telling.add({
      ...{ kind: 'countdown', table, match: table.match },
      seconds: countdown / 1000,
    })
    table.timer = this.#clock.after(countdown, () => {
      table.timer = null
      this.#open(table).catch(error => this.#failed(error))
    })
  }

  /** Opens the match of a table. Its players are told; if it cannot begin, the seats are free again. */
  async #open(table: SeatedTable): Promise<void> {
    const { both, match, room, prompt } = table
    if (both === null || match === null) return
    const seed = this.#roll(2 ** 32)
    const isSwapped = prompt.flips && Dice.fromSeed(seed).roll(2) === 1
    const setup: RoomSetup = {
      ...{ id: room, table: table.id, title: prompt.title },
      participants: isSwapped ? [1, 0] : [0, 1],
    }
    const players = both.map(({ player }) => player)
    if (isSwapped) players.reverse()
    this.#byMatch.set(match, table)
    const isOpen = await this.#options.matchmaking.open(
      both.map(({ waiting }) => waiting),
      { game: prompt.game, players, id: match, seed, setup: { ...prompt.setup, room: setup } },
    )
    if (isOpen) return
    this.#byMatch.delete(match)
    table.match = null
    for (const seat of both) this.#free(table, seat)
    this.#telling.add({ kind: 'cancelled', table })
    this.#review(table.slot)
    this.#telling.tellAll()
  }

  #follow(event: ArenaEvent): void {
    const table = this.#byMatch.get(event.table.id)
    if (table === undefined) return
    try {
      if (event.kind === 'began') this.#began(table)
      else if (event.kind === 'ended' || event.kind === 'aborted') this.#finish(table, event)
      this.#telling.tellAll()
    } catch (error) {
      // The arena would remove a listener that throws.
      this.#failed(error)
    }
  }

  #began(table: SeatedTable): void {
    const [one, two] = table.taken
    table.players = [one && sitterOf(one), two && sitterOf(two)]
    table.status = 'in_match'
    table.taken = [null, null]
    this.#waiting.delete(table)
    this.#telling.add({ kind: 'began', table }, { kind: 'changed', room: table.room })
  }

  #finish(table: SeatedTable, event: Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>): void {
    for (const agent of table.agents) this.#byAgent.delete(agent)
    this.#byMatch.delete(event.table.id)
    const { players, ladder } = event.table.deal
    const counts = ladder.id === agentsLadder(ladder.game).id
    const ended = event.kind === 'ended' ? event : null
    const seatOf = ({ player }: Sitter) =>
      players.findIndex(({ account }) => account.id === player.account.id)
    const finished = (sitter: Sitter | null): Sitter | null =>
      sitter && {
        player: remembered(sitter.player),
        rating: (counts ? ended : null)?.changes[seatOf(sitter)]?.rating ?? sitter.rating,
        elo: ended?.elo?.[seatOf(sitter)]?.rating ?? sitter.elo,
      }
    const [one, two] = table.players
    table.players = [finished(one), finished(two)]
    table.status = 'finished'
    this.#telling.add({ kind: 'finished', table }, { kind: 'changed', room: table.room })
    if (this.#closing) return
    table.timer = this.#clock.after(listedFor, () => {
      this.#tables.delete(table.id)
      this.#telling.add({ kind: 'changed', room: table.room })
      this.#telling.tellAll()
    })
  }

  #failed(error: unknown): void {
    this.#options.failed?.(error)
  }
}

const letters = 'abcdefghijkmnpqrstuvwxyz'
const idLetters = 8

const sitterOf = ({ player, rating, elo }: Sitter): Sitter => ({ player, rating, elo })

/** What is kept of a player that has played: not its session. */
const remembered = ({ account, terms, protocol }: Player): Player => ({
  ...{ account, terms },
  ...(protocol !== undefined && { protocol }),
  tell: () => {},
})

/** The tables of a room for people: of those that are over only the newest few, since a busy room has hundreds of them listed. */
export const withFewOver = (tables: readonly RoomTable[]): readonly RoomTable[] => {
  let over = 0
  return tables.filter(({ status }) => status !== 'finished' || ++over <= mostOver)
}

const mostOver = 5
