import { randomInt } from 'node:crypto'
import type { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { contentBlocked, internalError, type Refusal, stopping } from '../arena/codes.ts'
import { guests } from '../arena/guests.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { MatchId, MatchStore } from '../arena/match-store.ts'
import { speeds } from '../arena/pace.ts'
import type { Player } from '../arena/player.ts'
import type { Clock } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { cut, unbroken } from '../games/words.ts'
import type { Leave, Matchmaking, Tables } from './matchmaking.ts'
import {
  hasStarted,
  noLevel,
  noTable,
  orderRefusal,
  sitRefusal,
  slotTaken,
  startRefusal,
  type TableRefusal,
  tooFewFree,
} from './party-refusals.ts'
import {
  asGuest,
  type PartyEvent,
  type PartyOrder,
  type PartySitter,
  type PartyTable,
  remembered,
  SetTable,
  type SitOptions,
  setupOf,
} from './party-table.ts'
import type { House } from './practice.ts'
import { newTableCode, tableCodeOf } from './table-code.ts'
import { Telling } from './telling.ts'
import type { Waiting } from './waiting.ts'

export type { PartyEvent, PartyOrder, PartySitter, PartyTable }

export interface PartyTablesOptions {
  readonly arena: Arena
  readonly matchmaking: Matchmaking
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly house: House
  /** The names of the levels of a game, for a refusal that lists them. */
  readonly levels?: (game: Game) => readonly string[]
  /** Whether a text that a player has written has words in it that the operator does not allow. */
  readonly blocks?: (text: string) => boolean
  /** Called with each internal error. */
  readonly failed?: (error: unknown) => void
  /** A whole number from 0 to n − 1, for codes. */
  readonly roll?: (n: number) => number
}

/** A table at which no player sits vanishes after so many milliseconds. */
const emptyFor = 900_000
/** A table is listed for so many milliseconds after its match. */
const listedFor = 300_000
/** Only so many are, the newest: a protocol may keep much of what happened at each. */
const mostFinished = 100
/** Of the name of a table, in characters. */
const longestName = 60

/** Tables that players set up, for as many as a game has seats. Who knows the code of one sits down there, by any protocol. */
export class PartyTables implements Tables {
  readonly #options: PartyTablesOptions
  readonly #clock: Clock
  readonly #roll: (n: number) => number
  /** By code, in the order in which they were set up. */
  readonly #tables = new Map<string, SetTable>()
  readonly #byId = new Map<string, SetTable>()
  /** Those whose match is over, the oldest first. */
  readonly #finished = new Set<SetTable>()
  readonly #byMatch = new Map<MatchId, SetTable>()
  readonly #byPlayer = new Map<Player, SetTable>()
  /** Players of `sit` whose account is being looked up: their slots are kept for them. */
  readonly #claims = new Map<Player, SetTable>()
  readonly #leaves = new WeakMap<Player, Leave>()
  readonly #telling = new Telling<PartyEvent>(error => this.#failed(error))
  #closing = false

  constructor(options: PartyTablesOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#roll = options.roll ?? (n => randomInt(n))
    options.matchmaking.useTables(this)
    options.arena.watch(event => this.#follow(event))
  }

  /** All tables, in the order in which they were set up. */
  tables(): readonly PartyTable[] {
    return [...this.#tables.values()]
  }

  /** The table of this code, in any case, or of this id. */
  table(codeOrId: string): PartyTable | undefined {
    return this.#table(codeOrId) ?? this.#byId.get(codeOrId)
  }

  /** The table at which this player sits, or whose match it plays. */
  tableOf(player: Player): PartyTable | undefined {
    return this.#byPlayer.get(player)
  }

  /** Sets up a table, or says why not. */
  create(order: PartyOrder): PartyTable | TableRefusal {
    if (this.#closing) return stopping
    const waiting = [...this.#tables.values()].filter(({ status }) => status === 'waiting')
    const refusal = orderRefusal(order, waiting)
    if (refusal !== null) return refusal
    const name = cut(unbroken(order.name).trim(), longestName)
    if (this.#blocks(name)) return { code: 'bad-table', detail: `name: ${contentBlocked.detail}` }
    let code = newTableCode(this.#roll)
    while (this.#tables.has(code)) code = newTableCode(this.#roll)
    const table = new SetTable(code, this.#clock.date(), { ...order, name })
    this.#tables.set(code, table)
    this.#byId.set(table.id, table)
    this.#telling.add({ kind: 'created', table })
    this.#removeIn(table, emptyFor)
    this.#telling.tellAll()
    return table
  }

  /**
   * Sits this player down at a table, and says in which slot, or why not. What takes time is answered by news, as of
   * `Matchmaking.seek`: `queued` once it sits, and `seated` with the match; or `dismissed`. None comes before this returns.
   */
  sit(player: Player, code: string, options: SitOptions = {}): { slot: number } | Refusal {
    const { slot: wanted, guestName, ready = false } = options
    const isGuest = guestName !== undefined
    const table = this.#table(code)
    if (table === undefined) return this.#closing ? stopping : noTable(code)
    const refusal = this.#refusal(table, player, table.game, isGuest)
    if (refusal !== null) return refusal
    if (isGuest && this.#blocks(guestName)) return contentBlocked
    const free = table.freeSlots
    const slot = wanted ?? free[0]!
    if (!free.includes(slot)) return slotTaken(table, slot)
    if (isGuest) {
      this.#clock.soon.do(() => {
        if (this.#byPlayer.get(player) === table) player.tell({ kind: 'queued', game: table.game })
      })
      this.#seat(table, slot, {
        ...{ player, kind: 'guest', name: guestName, rating: null, isReady: ready },
      })
      this.#telling.tellAll()
      return { slot }
    }
    this.#claims.set(player, table)
    table.claims.set(player, { slot, isReady: ready })
    // It waits without end.
    const request = { game: table.game, table: table.code, inOrder: true }
    this.#leaves.set(player, this.#options.matchmaking.seek(player, request))
    return { slot }
  }

  /** The player can play as soon as the others can. */
  ready(player: Player): void {
    const claim = this.#claims.get(player)?.claims.get(player)
    if (claim !== undefined) claim.isReady = true
    const table = this.#byPlayer.get(player)
    const taken = table?.slots[table.slotOf(player)]
    if (table === undefined || taken == null) return
    taken.isReady = true
    this.#startWhenDue(table)
  }

  /** The player has left: its slot is free again, or its connection to the match is lost. */
  leave(player: Player, cause?: string): void {
    const leave = this.#leaves.get(player)
    this.#leaves.delete(player)
    if (leave !== undefined) {
      leave(cause)
      return
    }
    const table = this.#byPlayer.get(player)
    const slot = table?.slotOf(player) ?? -1
    const taken = table?.slots[slot]
    if (table === undefined || taken == null) return
    if (table.isOpen) this.#free(table, slot)
    else this.#options.arena.leave(taken.inMatch, cause)
    this.#telling.tellAll()
  }

  /** Sits house players of this level down in the first free slots. Resolves with these. */
  async addHouse(code: string, level: string, count = 1): Promise<readonly number[] | Refusal> {
    const table = this.#table(code)
    if (table === undefined) return noTable(code)
    const make = await this.#options.house(table.game, level)
    if (make === undefined)
      return noLevel(table.game, level, this.#options.levels?.(table.game) ?? [])
    if (!table.isOpen || this.#table(code) !== table) return hasStarted(table)
    const free = table.freeSlots
    if (!Number.isInteger(count) || count < 1 || count > free.length)
      return tooFewFree(table, count)
    const slots = free.slice(0, count)
    for (const slot of slots) {
      const player = make()
      const { name } = player.account
      this.#seat(table, slot, { player, kind: 'house', name, rating: null, isReady: true })
    }
    this.#telling.tellAll()
    return slots
  }

  /** The house player in this slot makes room. Returns whether one sat there. */
  removeHouse(code: string, slot: number): boolean {
    const table = this.#table(code)
    if (table?.isOpen !== true || table.slots[slot]?.kind !== 'house') return false
    this.#free(table, slot)
    this.#telling.tellAll()
    return true
  }

  /** Starts the match of a table with those that sit there. Resolves with its number once it has begun. */
  async start(code: string): Promise<MatchId | Refusal> {
    const table = this.#table(code)
    if (this.#closing) return stopping
    if (table === undefined) return noTable(code)
    return startRefusal(table) ?? this.#practiceRefusal(table) ?? this.#open(table)
  }

  /** Calls the listener with each event, until the returned function is called. */
  watch(listener: (event: PartyEvent) => void): () => void {
    return this.#telling.watch(listener)
  }

  /** Refuses players, and opens no more matches. Those with an account are dismissed by the matchmaking. */
  close(): void {
    this.#closing = true
    for (const table of this.#tables.values()) {
      table.stopTimer()
      if (!table.isOpen) continue
      for (const { kind, player } of table.taken) {
        if (kind !== 'guest') continue
        this.#free(table, table.slotOf(player))
        this.#tell(player, { kind: 'closing' })
      }
    }
    this.#telling.tellAll()
  }

  knows(table: string): boolean {
    return tableCodeOf(table) !== null
  }

  refusal({ player, game }: Pick<Waiting, 'player' | 'game'>, code: string): Refusal | null {
    const table = this.#table(code)
    if (table === undefined) return this.#closing ? stopping : noTable(code)
    // The slot that it asks for is kept for it.
    if (this.#claims.get(player) === table) return table.isOpen ? null : hasStarted(table)
    return this.#refusal(table, player, game, false)
  }

  join(waiting: Waiting, code: string): void {
    const { player } = waiting
    const table = this.#table(code)!
    const claim = table.claims.get(player)
    this.unclaim(player)
    const { slot, isReady } = claim ?? { slot: table.freeSlots[0]!, isReady: true }
    const { id, name } = player.account
    const { rating } = this.#options.matchStore.standing(id, agentsLadder(table.game.id))
    this.#seat(table, slot, { player, kind: 'account', name, rating, isReady }, waiting)
    this.#telling.tellAll()
  }

  unclaim(player: Player): void {
    this.#claims.get(player)?.claims.delete(player)
    this.#claims.delete(player)
  }

  left(waiting: Waiting): boolean {
    const table = this.#byPlayer.get(waiting.player)
    const slot = table?.slots.findIndex(taken => taken?.waiting === waiting) ?? -1
    if (table === undefined || slot < 0) return false
    this.#free(table, slot)
    this.#telling.tellAll()
    return true
  }

  /** A wait here ends when the match is opened. */
  isCounting(): boolean {
    return false
  }

  #table(code: string): SetTable | undefined {
    return this.#tables.get(tableCodeOf(code) ?? '')
  }

  #refusal(table: SetTable, player: Player, game: Game, isGuest: boolean): Refusal | null {
    const sits = isGuest ? this.#byPlayer.get(player) === table : null
    return this.#closing ? stopping : sitRefusal(table, player, game, sits)
  }

  #seat(
    table: SetTable,
    slot: number,
    sitter: Omit<PartySitter, 'seat'>,
    waiting: Waiting | null = null,
  ): void {
    const taken = { ...sitter, waiting, inMatch: sitter.player, seat: null }
    table.slots[slot] = taken
    this.#byPlayer.set(sitter.player, table)
    if (sitter.kind !== 'house') table.stopTimer()
    this.#telling.add({ kind: 'seated', table, sitter: taken, slot })
    this.#startWhenDue(table)
  }

  #free(table: SetTable, slot: number): void {
    const taken = table.slots[slot]!
    table.slots[slot] = null
    this.#byPlayer.delete(taken.player)
    this.#telling.add({ kind: 'freed', table, sitter: taken, slot })
    if (table.taken.every(({ kind }) => kind === 'house')) this.#removeIn(table, emptyFor)
  }

  #removeIn(table: SetTable, ms: number): void {
    if (this.#closing) return
    table.stopTimer()
    table.timer = this.#clock.after(ms, () => {
      this.#remove(table)
      this.#telling.tellAll()
    })
  }

  #remove(table: SetTable): void {
    table.stopTimer()
    this.#tables.delete(table.code)
    this.#byId.delete(table.id)
    this.#finished.delete(table)
    this.#forget(table)
    this.#telling.add({ kind: 'removed', table })
  }

  #startWhenDue(table: SetTable): void {
    const isFull = () => table.slots.every(taken => taken?.isReady === true)
    // Once the code that seats a player has returned.
    this.#clock.soon.do(() => {
      if (this.#closing || !table.isOpen) return
      if (!(table.order.autoStart?.(table) ?? isFull())) return
      this.start(table.code).catch(error => this.#failed(error))
    })
  }

  #practiceRefusal({ taken }: SetTable): Refusal | null {
    if (taken.every(({ kind }) => kind !== 'house')) return null
    for (const { kind, player } of taken) {
      const refusal = kind === 'account' ? this.#options.matchmaking.practiceRefusal(player) : null
      if (refusal !== null)
        return { ...refusal, detail: `${player.account.name}: ${refusal.detail}` }
    }
    return null
  }

  /** Opens the match of a table. Its players are told; if it cannot begin, all leave the table. */
  async #open(table: SetTable): Promise<MatchId | Refusal> {
    const { taken, game, speed } = table
    const pace = speeds[speed]
    table.isStarting = true
    table.stopTimer()
    let isOpen = false
    try {
      const match = this.#reserve(table)
      for (const [seat, sitter] of taken.entries()) {
        sitter.seat = seat
        if (sitter.kind === 'guest') sitter.inMatch = asGuest(sitter.player, guests[seat]!)
      }
      const players = taken.map(({ inMatch }) => inMatch)
      this.#byMatch.set(match, table)
      table.match = match
      isOpen = await this.#options.matchmaking.open(
        taken.flatMap(({ waiting }) => waiting ?? []),
        { game, players, id: match, setup: setupOf(table, players), pace },
      )
    } catch (error) {
      this.#failed(error)
    }
    if (isOpen) return table.match!
    if (table.match !== null) this.#byMatch.delete(table.match)
    table.match = null
    table.isStarting = false
    for (const [slot, sitter] of table.slots.entries()) {
      if (sitter === null) continue
      if (sitter.waiting !== null) this.#options.matchmaking.dismiss(sitter.waiting, internalError)
      if (table.slots[slot] !== null) this.#free(table, slot)
    }
    this.#telling.tellAll()
    return this.#closing ? stopping : internalError
  }

  #reserve({ taken }: SetTable): MatchId {
    try {
      return this.#options.matchStore.reserve()
    } catch (error) {
      // All others are told by the matchmaking.
      for (const { kind, player } of taken)
        if (kind === 'guest') this.#tell(player, { kind: 'dismissed', ...internalError })
      throw error
    }
  }

  #follow(event: ArenaEvent): void {
    const table = this.#byMatch.get(event.table.id)
    if (table === undefined) return
    try {
      if (event.kind === 'began') {
        table.status = 'playing'
        this.#telling.add({ kind: 'started', table })
      } else if (event.kind === 'ended' || event.kind === 'aborted') this.#finish(table)
      this.#telling.tellAll()
    } catch (error) {
      // The arena would remove a listener that throws.
      this.#failed(error)
    }
  }

  #finish(table: SetTable): void {
    this.#byMatch.delete(table.match!)
    this.#forget(table)
    table.slots.splice(0, table.slots.length, ...table.slots.map(remembered))
    table.status = 'finished'
    this.#telling.add({ kind: 'finished', table })
    this.#removeIn(table, listedFor)
    this.#finished.add(table)
    const [oldest] = this.#finished
    if (oldest !== undefined && this.#finished.size > mostFinished) this.#remove(oldest)
  }

  #forget(table: SetTable): void {
    for (const { player } of table.taken)
      if (this.#byPlayer.get(player) === table) this.#byPlayer.delete(player)
  }

  /** If telling one player throws, the others are still served. */
  #tell(player: Player, news: Parameters<Player['tell']>[0]): void {
    try {
      player.tell(news)
    } catch (error) {
      this.#failed(error)
    }
  }

  #blocks(text: string): boolean {
    return this.#options.blocks?.(text) ?? false
  }

  #failed(error: unknown): void {
    this.#options.failed?.(error)
  }
}
