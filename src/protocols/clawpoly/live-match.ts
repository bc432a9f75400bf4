import type { Outcome } from '../../arena/ending.ts'
import type { MatchId, Played } from '../../arena/match-store.ts'
import { startOf } from '../../arena/opening.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock } from '../../clock.ts'
import type { ClawpolyEvent } from '../../games/clawpoly-events.ts'
import { type Clawpoly, isOut, reasonOf } from '../../games/clawpoly-state.ts'
import { eventsOf, type Game, isIllegal, type Json, type Seat, stateOf } from '../../games/game.ts'
import { EventLog } from './events.ts'
import { finalStandings, type LogEntry, type Person } from './words.ts'

/** How a match has ended, as all are told. */
export interface GameOver {
  readonly winnerId: string | null
  readonly reason: string
  readonly finalStandings: readonly object[]
}

/** A match at a table, followed move by move: its state and its log. */
export class LiveMatch {
  readonly match: MatchId
  /** By seat. */
  readonly people: readonly Person[]
  readonly log: EventLog
  readonly #game: Game
  readonly #clock: Clock
  #state: Clawpoly
  /** How many of the moves of the table have been followed. */
  #followed = 0
  #over: GameOver | null = null

  constructor(table: Table, people: readonly Person[], clock: Clock) {
    const { game, seed, setup, players } = table.deal
    this.match = table.id
    this.people = people
    this.#game = game
    this.#clock = clock
    this.#state = startOf(game, seed, players.length, setup) as Clawpoly
    this.log = new EventLog(people)
    const { order, current } = this.#state
    const first = people[current]!.id
    const turnOrder = order.map(seat => people[seat]!.id)
    this.#tell('started', null, { turnOrder })
    this.#tell('turn_start', first, {})
  }

  /** After all moves that were followed. */
  get state(): Clawpoly {
    return this.#state
  }

  get turnOrder(): readonly string[] {
    return this.#state.order.map(seat => this.people[seat]!.id)
  }

  /** The seat of a player; undefined where there is none of this id. */
  seatOf(id: string): Seat | undefined {
    const seat = this.people.findIndex(person => person.id === id)
    return seat < 0 ? undefined : seat
  }

  /** Follows the moves that are new at the table. Returns what has happened. */
  follow(moves: readonly Played[]): readonly LogEntry[] {
    const known = this.log.length
    for (const [seat, move, , fault] of moves.slice(this.#followed))
      if (fault === undefined) this.#play(seat, move)
      else this.#drop(seat)
    this.#followed = moves.length
    return this.log.since(known)
  }

  /** How the match has ended. What is asked for later is what was said first. `outcome`: null where it has no result. */
  ended(outcome: Outcome | null): GameOver {
    if (this.#over !== null) return this.#over
    // A fault that ends the match is no move.
    for (const [seat, fault] of (outcome?.faults ?? []).entries())
      if (fault !== null && !isOut(this.#state, seat) && this.#state.phase !== 'over')
        this.#drop(seat)
    const places = outcome?.places ?? this.people.map((_, seat) => seat + 1)
    const winner = outcome === null ? -1 : places.indexOf(1)
    this.#over = {
      winnerId: this.people[winner]?.id ?? null,
      reason: outcome === null ? 'aborted' : reasonOf(this.#state),
      finalStandings: finalStandings(this.#state, this.people, places),
    }
    this.#tell('finished', this.#over.winnerId, this.#over)
    return this.#over
  }

  #play(seat: Seat, move: Json): void {
    const next = this.#game.play(this.#state, seat, move)
    if (isIllegal(next))
      throw new Error(`the move ${JSON.stringify(move)} cannot be followed: ${next.reason}`)
    this.#goOn(next)
  }

  #drop(seat: Seat): void {
    const next = this.#game.drop?.(this.#state, seat)
    if (next !== undefined) this.#goOn(next)
  }

  #goOn(next: unknown): void {
    const at = this.#clock.date()
    for (const event of eventsOf(next)) this.log.add(event as ClawpolyEvent, at)
    this.#state = stateOf(next) as Clawpoly
  }

  #tell(type: string, playerId: string | null, data: object): void {
    const { turnNumber } = this.#state
    this.log.append({ type, turnNumber, playerId, data }, this.#clock.date())
  }
}
