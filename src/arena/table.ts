import type { Clock, Timer } from '../clock.ts'
import type { Dice } from '../games/dice.ts'
import {
  type Game,
  isFinal,
  type Json,
  type Look,
  type Seat,
  type Seed,
  type Setup,
  type View,
  type Viewer,
} from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import type { Meter } from '../meter.ts'
import type { Watcher } from './audience.ts'
import { culprit } from './culprit.ts'
import type { Outcome } from './ending.ts'
import { type Finished, type MatchId, type MatchStore, type Played, Unkept } from './match-store.ts'
import type { Chair, News, Player, Sight } from './player.ts'
import { quickFalls } from './quick.ts'
import {
  type Effect,
  type Happening,
  type Match,
  open,
  type Step,
  step,
  wakeAt,
} from './referee.ts'
import type { Unrated } from './unrated.ts'

export interface Deal {
  readonly game: Game
  readonly seed: Seed
  readonly setup: Setup | null
  /** By seat. */
  readonly players: readonly Player[]
  readonly unrated: Unrated | null
  /** Whose ratings a rated match changes. */
  readonly ladder: string
}

/** What a table needs of the house around it. */
export interface Around {
  /** Why a rated match that has ended so changes no rating after all, or null. */
  objection(table: Table, outcome: Outcome): Unrated | null
  /** The match is over and its players are free; they are told right after. */
  closed(table: Table): void
  happened: Watcher
  /** Fresh dice, whose throws have nothing to do with the luck of the match. */
  dice(): Dice
  /** A fault of ours, to be logged. */
  failed(error: unknown, match: MatchId): void
  readonly meter: Meter
}

/** How much of a live match a crash may lose. */
const progressEvery = 2_000

/** The thin driver of one match: asks the referee, and does what the referee says. It rules on nothing itself. */
export class Table {
  readonly id: MatchId
  readonly deal: Deal
  readonly startedAt: number
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #around: Around
  readonly #moves: Played[] = []
  #keptAt: number
  #match!: Match
  #timer: Timer | null = null
  #timerAt = 0
  #wakeAt = Number.POSITIVE_INFINITY
  #over = false
  /** Whether a player of the house has moved without thinking. */
  #hasRandomMoves = false

  constructor(clock: Clock, matchStore: MatchStore, deal: Deal, around: Around) {
    this.deal = deal
    this.startedAt = clock.date()
    this.#clock = clock
    this.#matchStore = matchStore
    this.#around = around
    this.#keptAt = clock.now()
    this.id = matchStore.begin({
      game: deal.game.id,
      seed: deal.seed,
      setup: deal.setup,
      accounts: deal.players.map(player => player.account.id),
      unrated: deal.unrated,
      ladder: deal.ladder,
      startedAt: this.startedAt,
    })
  }

  /** Seats the players and shows them the board. */
  open(): void {
    const { game, seed, setup, players, unrated } = this.deal
    const accounts = players.map(player => player.account)
    for (const [seat, player] of players.entries())
      player.tell({
        kind: 'seated',
        chair: this.#chair(seat),
        match: this.id,
        game,
        seat,
        accounts,
        unrated,
      })
    // Whoever left on being seated has lost a match that must exist first.
    const leftEarly = this.#early
    this.#early = null
    const terms = players.map(player => player.terms)
    this.#attempt(() => open(game, seed, terms, this.#clock.now(), setup))
    this.#around.happened({ kind: 'began', table: this })
    for (const event of leftEarly ?? []) this.#happen(event)
  }

  /** All moves so far. */
  get moves(): readonly Played[] {
    return this.#moves
  }

  /** What spectators see: once the match is over, all there is. */
  get sight(): Sight {
    return this.#sights()(this.#spectator)
  }

  /** What the position looks like to spectators. */
  look(): Look {
    return this.deal.game.look(this.#match.state, this.#spectator)
  }

  get #spectator(): Viewer {
    return this.#over ? 'replay' : 'audience'
  }

  /** Milliseconds that each seat has left for a move it owes; null where it owes none. */
  get clocks(): readonly (number | null)[] {
    const now = this.#clock.now()
    return this.#match.chairs.map(({ owes }) =>
      owes === null || this.#over ? null : Math.max(0, Math.round(owes.until - now)),
    )
  }

  /** Ends the match without a result, for a fault of ours. */
  async abort(why: string): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.#timer?.cancel()
    await this.#aborted(why)
  }

  #early: Happening[] | null = []

  #chair(seat: Seat): Chair {
    const at = () => this.#clock.now()
    return {
      move: (move, turn) =>
        this.#happen({ kind: 'move', seat, move, ...(turn !== undefined && { turn }), at: at() }),
      resign: () => this.#happen({ kind: 'resign', seat, at: at() }),
      lost: cause => this.#happen({ kind: 'lost', seat, cause, at: at() }),
      back: () => this.#happen({ kind: 'back', seat, at: at() }),
      atRandom: () => this.#announceRandom(seat),
      position: () => this.#positionFor(seat),
    }
  }

  #positionFor(seat: Seat): unknown {
    const { game } = this.deal
    const { state, status } = this.#match
    if (!game.facts.secrets || isFinal(status)) return state
    try {
      if (game.imagine === undefined) throw new Error(`${game.id} has secrets and no imagine`)
      return game.imagine(state, seat, this.#around.dice())
    } catch (error) {
      this.#around.failed(error, this.id)
      this.#abortFor(error)
      return state
    }
  }

  #announceRandom(seat: Seat): void {
    if (this.#over) return
    this.#hasRandomMoves = true
    const { name } = this.deal.players[seat]!.account
    const detail = `${name} had no time to think and moves at random`
    this.#tellAll(() => ({ kind: 'at-random', seat, detail }))
  }

  #happen(event: Happening): void {
    if (this.#early !== null) {
      this.#early.push(event)
      return
    }
    if (this.#over) {
      if (event.kind === 'move' || event.kind === 'resign')
        this.deal.players[event.seat]!.tell({
          kind: 'refused',
          code: 'not-your-turn',
          detail: 'the match is over',
        })
      return
    }
    const before = this.#match
    const since = this.#clock.elapsed()
    if (event.kind === 'move') this.#tryMove(event)
    else this.#attempt(() => step(this.#match, event))
    if (event.kind === 'move' && this.#match !== before)
      this.#around.meter.moved(this.deal.game.id, this.#clock.elapsed() - since)
  }

  #attempt(step: () => Step): void {
    try {
      this.#do(step())
    } catch (error) {
      // A fault in the rules of a game is ours: it ends this match and no other.
      this.#around.failed(error, this.id)
      this.#abortFor(error)
    }
  }

  /** An exception in our own code never saves the seat whose move caused it: that seat forfeits, and no other loses by it. */
  #tryMove(event: Extract<Happening, { kind: 'move' }>): void {
    const before = this.#match
    const known = this.#moves.length
    try {
      this.#do(step(before, event))
    } catch (error) {
      this.#around.failed(error, this.id)
      const moves = this.#moves.slice(0, known)
      const seat = this.#over ? null : this.#culprit(moves, event)
      if (seat === null || before.chairs[seat]!.fault !== null) {
        this.#abortFor(error)
        return
      }
      this.#match = before
      this.#moves.length = known
      const detail = `the move of seat ${seat} caused an internal error`
      this.#attempt(() => step(before, { kind: 'forfeit', seat, detail, at: event.at }))
    }
  }

  #culprit(moves: readonly Played[], { seat, move }: { seat: Seat; move: Json | undefined }) {
    const last: Played = [seat, move ?? null, 0]
    return culprit(this.deal, [...moves, last])
  }

  #abortFor(error: unknown): void {
    void this.abort(`internal error: ${error instanceof Error ? error.message : String(error)}`)
  }

  #do([match, effects]: Step): void {
    const known = this.#moves.length
    this.#match = match
    for (const effect of effects) this.#effect(effect)
    if (!this.#over) this.#setTimer(wakeAt(match))
    for (let ply = known; ply < this.#moves.length; ply++)
      this.#around.happened({ kind: 'moved', table: this, ply: ply + 1, move: this.#moves[ply]! })
  }

  #effect(effect: Effect): void {
    const { players } = this.deal
    switch (effect.kind) {
      case 'record':
        this.#moves.push([effect.seat, effect.move, effect.ms])
        this.#keepProgress()
        break
      case 'drop':
        this.#moves.push([effect.seat, null, 0, effect.fault])
        break
      case 'show':
        this.#show()
        break
      case 'refuse':
        players[effect.seat]!.tell({ kind: 'refused', code: effect.code, detail: effect.detail })
        break
      case 'strike': {
        const of = players[effect.seat]!.terms.late.strikes
        players[effect.seat]!.tell({ kind: 'strike', strikes: effect.strikes, of })
        break
      }
      case 'end': {
        // What can fail for a fault of ours comes before anything is kept.
        const sight = this.#sights()
        const sights = players.map((_, seat) => sight(seat))
        const unrated = this.#hasRandomMoves
          ? 'practice against the house, which moved at random'
          : (this.deal.unrated ?? this.#around.objection(this, effect.outcome))
        this.#over = true
        this.#timer?.cancel()
        void this.#end(effect.outcome, sights, unrated)
        break
      }
    }
  }

  #show(): void {
    const { chairs, status, turn } = this.#match
    const now = this.#clock.now()
    const sight = this.#sights()
    // What can fail for a fault of ours comes before anybody is told.
    const sights = chairs.map((_, seat) => sight(seat))
    for (const [seat, player] of this.deal.players.entries()) {
      const { owes } = chairs[seat]!
      player.tell({
        kind: 'shown',
        sight: sights[seat]!,
        turn,
        yourTurn: owes !== null,
        mayAct: !isFinal(status) && (status.mayAct?.includes(seat) ?? false),
        timeLeft: owes === null ? null : Math.max(0, Math.round(owes.until - now)),
      })
    }
  }

  /** What each seat may see: one object for all where there are no secrets. */
  #sights(): (viewer: Viewer) => Sight {
    const { game } = this.deal
    const { state, status } = this.#match
    const sight = (viewer: Viewer): Sight => {
      const view: View = game.view(state, viewer)
      if (isFinal(status))
        return game.moves === undefined
          ? { ...view, toMove: -1 }
          : { ...view, toMove: -1, legal: [] }
      const toMove = game.facts.turns === 'alternate' ? status.toMove[0]! : status.toMove
      if (game.moves === undefined) return { ...view, toMove }
      // Another's moves may tell what it has in its hand.
      const mover = game.facts.secrets ? viewer : status.toMove[0]!
      const legal = typeof mover === 'number' ? game.moves(state, mover) : []
      return { ...view, toMove, legal }
    }
    if (game.facts.secrets) return sight
    const shared = sight(0)
    return () => shared
  }

  async #end(outcome: Outcome, sights: readonly Sight[], objection: Unrated | null): Promise<void> {
    const since = this.#clock.elapsed()
    let finished: Finished
    try {
      finished = await this.#matchStore.finish(this.id, outcome, this.#moves, objection)
    } catch (error) {
      if (!(error instanceof Unkept)) this.#around.failed(error, this.id)
      await this.#aborted('the result could not be kept')
      return
    }
    const { changes, unrated } = finished
    const quick = quickFalls(outcome.faults, this.#moves).includes(true)
    this.#around.closed(this)
    this.#tellAll(seat => ({
      kind: 'ended',
      match: this.id,
      seat,
      outcome,
      sight: sights[seat]!,
      unrated,
      quick,
      change: changes[seat]!,
    }))
    this.#around.meter.resulted(this.deal.game.id, this.#clock.elapsed() - since)
    this.#around.happened({ kind: 'ended', table: this, outcome, changes, unrated, quick })
  }

  async #aborted(because: string): Promise<void> {
    const why = oneLine(because)
    try {
      await this.#matchStore.abort(this.id, why, this.#moves)
    } catch (error) {
      // It stays live on disk, and the next start lists it as aborted.
      this.#around.failed(error, this.id)
    }
    this.#around.closed(this)
    this.#tellAll(() => ({ kind: 'aborted', match: this.id, detail: why }))
    this.#around.happened({ kind: 'aborted', table: this, detail: why })
  }

  /** Whoever cannot be told for a fault of ours takes it from nobody else. */
  #tellAll(news: (seat: Seat) => News): void {
    for (const [seat, player] of this.deal.players.entries())
      try {
        player.tell(news(seat))
      } catch (error) {
        this.#around.failed(error, this.id)
      }
  }

  /** Deadlines nearly always move away, so the timer is left to run, and set again when it was too early. */
  #setTimer(at: number): void {
    this.#wakeAt = at
    if (this.#timer !== null && this.#timerAt <= at) return
    this.#timer?.cancel()
    this.#timer = null
    if (at === Number.POSITIVE_INFINITY) return
    this.#timerAt = at
    this.#timer = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#timer = null
      const now = this.#clock.now()
      if (now < this.#wakeAt) this.#setTimer(this.#wakeAt)
      else this.#happen({ kind: 'tick', at: now })
    })
  }

  #keepProgress(): void {
    const now = this.#clock.now()
    if (now - this.#keptAt < progressEvery) return
    this.#keptAt = now
    this.#matchStore.progress(this.id, this.#moves)
  }
}
