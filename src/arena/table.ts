import type { Clock } from '../clock.ts'
import type { Dice } from '../games/dice.ts'
import {
  eventsSeen,
  type Game,
  isFinal,
  type Json,
  type Look,
  type Seat,
  type Seed,
  type Setup,
  type Viewer,
} from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import type { Meter } from '../meter.ts'
import type { Account, AccountId } from './account.ts'
import { type ArenaListener, hasLiveMoves } from './arena-event.ts'
import { timeLeft, timesLeft, voteOf, wakeAt } from './clocks.ts'
import { contentBlocked } from './codes.ts'
import { culprit } from './culprit.ts'
import type { Outcome } from './ending.ts'
import type { Ladder } from './ladder.ts'
import { isIn, type Match } from './live-match.ts'
import {
  type Finished,
  type MatchId,
  type MatchStore,
  type NewMatch,
  type Played,
  Unkept,
} from './match-store.ts'
import { acceptedNews, fellNews, pastMoves, playedNews } from './move-news.ts'
import { type Notes, noNotes } from './note.ts'
import { observationsOf } from './observation.ts'
import type { Pace } from './pace.ts'
import type { Listener, Observation, PastMove, Player, Seated, SeatHandle } from './player.ts'
import { quickFalls } from './quick.ts'
import { open, step } from './referee.ts'
import type { Effect, MoveRecord, RefereeEvent, Step } from './referee-step.ts'
import { SeatListeners } from './seat-listeners.ts'
import type { LastNews } from './seats.ts'
import { shownAccounts } from './table-setup.ts'
import type { Terms } from './terms.ts'
import type { Unrated } from './unrated.ts'
import type { VoteState, VotingTimes } from './voting.ts'
import { WakeTimer } from './wake-timer.ts'

export interface Deal {
  /** The number that was reserved for the match; the next one unless given. */
  readonly id?: MatchId
  readonly game: Game
  readonly seed: Seed
  readonly setup: Setup | null
  /** By seat. */
  readonly players: readonly Player[]
  /** By seat: those of the players, unless the match has other times. */
  readonly terms: readonly Terms[]
  readonly unrated: Unrated | null
  /** The ladder on which a rated match counts. An unrated one is played as those of this ladder are. */
  readonly ladder: Ladder
  /** The event that it is a match of, and which one there. */
  readonly event: NonNullable<NewMatch['event']> | null
  readonly voting?: VotingTimes
  /** Null for a match whose boards are shown at once. */
  readonly pace?: Pace | null
}

/** What the arena gives to each table. */
export interface TableContext {
  /** Called when the match is over, just before its players are told this. */
  closed(table: Table, news: (seat: Seat) => LastNews): void
  emit: ArenaListener
  /** New dice, with a seed of their own: their throws say nothing about the luck of the match. */
  dice(): Dice
  /** Logs an internal error. */
  failed(error: unknown, match: MatchId): void
  readonly meter: Meter
  /** Whether a text has words in it that the operator does not allow. */
  blocks(text: string): boolean
}

/** Moves are saved this often, in milliseconds: a crash loses no more of a live match. */
const saveEvery = 2_000

/** Drives one match: passes events to the referee, and performs the effects that come back. It decides nothing itself. */
export class Table {
  readonly id: MatchId
  readonly deal: Deal
  readonly startedAt: number
  /** By seat: of guests with the names by which they are shown. */
  readonly accounts: readonly Account[]
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #context: TableContext
  readonly #moves: Played[] = []
  readonly #notes: { [ply: number]: string } = {}
  #savedAt: number
  #match: Match
  /** What the start of the match brings about. */
  #opening: readonly Effect[]
  readonly #timer: WakeTimer
  #over = false
  /** Whether a house player has made a move at random. */
  #hasRandomMoves = false
  readonly #listeners: SeatListeners
  /** What the players were told at the end. */
  #lastNews: ((seat: Seat) => LastNews) | null = null

  constructor(clock: Clock, matchStore: MatchStore, deal: Deal, context: TableContext) {
    this.deal = deal
    this.startedAt = clock.date()
    this.accounts = shownAccounts(
      deal.players.map(({ account }) => account),
      deal.setup,
    )
    this.#clock = clock
    this.#matchStore = matchStore
    this.#context = context
    this.#savedAt = clock.now()
    this.#listeners = new SeatListeners(deal.players, error => context.failed(error, this.id))
    this.#timer = new WakeTimer(clock, at => this.#handleEvent({ kind: 'tick', at }))
    const { game, seed, setup, terms, voting, pace } = deal
    ;[this.#match, this.#opening] = open(game, seed, terms, clock.now(), setup, voting, pace)
    this.id = matchStore.begin({
      ...(deal.id !== undefined && { id: deal.id }),
      game: deal.game.id,
      seed: deal.seed,
      setup: deal.setup,
      accounts: deal.players.map(player => player.account.id),
      protocols: deal.players.map(({ protocol = null }) => protocol),
      unrated: deal.unrated,
      ladder: deal.ladder,
      event: deal.event,
      practice: deal.players.some(({ account }) => account.kind === 'house'),
      startedAt: this.startedAt,
    })
  }

  /** Seats the players and shows them the board. */
  open(): void {
    this.#applyOrAbort(() => {
      for (const seat of this.deal.players.keys()) this.#listeners.tell(seat, this.#seated(seat))
      return [this.#match, this.#opening]
    })
    this.#opening = []
    this.#context.emit({ kind: 'began', table: this })
  }

  /** All moves so far. */
  get moves(): readonly Played[] {
    return this.#moves
  }

  /**
   * The notes that spectators may read: all but that of the last move, and all once the match is over. Where moves are hidden
   * there are none before, because a player could watch its own match.
   */
  get notes(): Notes {
    if (this.#over) return this.#notes
    if (!hasLiveMoves(this.deal.game)) return noNotes
    const { [this.#moves.length]: _, ...shown } = this.#notes
    return shown
  }

  /** What spectators see: everything, once the match is over. */
  get observation(): Observation {
    return this.observe(this.#spectator)
  }

  /**
   * What one viewer sees. For `replay` it is the true state, also while the match is live: in a game with secrets a spectator
   * who is shown that can tell a player what the others hide. It is for protocols whose reference promises it.
   */
  observe(viewer: Viewer): Observation {
    return this.#observations()(viewer)
  }

  #observations(): ReturnType<typeof observationsOf> {
    return observationsOf(this.#match, this.deal.ladder.variant.listing)
  }

  /** What the position looks like to spectators. */
  look(): Look {
    return this.deal.game.look(this.#match.state, this.#spectator)
  }

  get #spectator(): Viewer {
    return this.#over ? 'replay' : 'audience'
  }

  /** Whether it has its result, although that may not be kept yet: no move is taken any more. */
  get isOver(): boolean {
    return this.#over
  }

  /** Whether it is paused, by an absence or by the host: no move is taken until it goes on. */
  get isPaused(): boolean {
    return !this.#over && this.#match.stopped?.play === 'paused'
  }

  /** The number of the board; it grows with every board shown. */
  get turn(): number {
    return this.#match.turn
  }

  /** Milliseconds until the board is shown to which the last moves have led; 0 where it is shown already. */
  get shownIn(): number {
    const { shownAt } = this.#match
    return shownAt === null || this.#over ? 0 : Math.max(0, shownAt - this.#clock.now())
  }

  /** Milliseconds that each seat has left for a move it owes; null where it owes none. */
  get clocks(): readonly (number | null)[] {
    return this.#over
      ? this.deal.players.map(() => null)
      : timesLeft(this.#match, this.#clock.now())
  }

  /** The vote of the audience that goes on; null while there is none. */
  get vote(): VoteState | null {
    return this.#over ? null : voteOf(this.#match, this.#clock.now())
  }

  /** An agent that may vote does so: `Arena.vote` has checked that. */
  castVote(voter: AccountId, seat: Seat): void {
    this.#handleEvent({ kind: 'vote', voter, seat, at: this.#clock.now() })
  }

  /** The seat for which an agent has voted; null if it has not. */
  votedFor(voter: AccountId): Seat | null {
    return this.#match.vote?.votes.get(voter) ?? null
  }

  /** Ends the match without a result, because of an internal error or the end of the host. */
  async abort(why: string): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.#timer.cancel()
    await this.#finishAborted(why)
  }

  /** Pauses the match: all clocks stand still and moves are refused, until it is resumed. */
  pause(): void {
    this.#handleEvent({ kind: 'pause', at: this.#clock.now() })
  }

  resume(): void {
    this.#handleEvent({ kind: 'resume', at: this.#clock.now() })
  }

  /** Who hears the news of this seat; null while its connection is lost. */
  listener(seat: Seat): Listener | null {
    return this.#listeners.at(seat)
  }

  /** Whether this seat still plays for its place. */
  isIn(seat: Seat): boolean {
    return isIn(this.#match.seatStates[seat]!)
  }

  /** What this seat hears, or would, of the end of the match; null before that. */
  lastNews(seat: Seat): LastNews | null {
    return this.#lastNews?.(seat) ?? null
  }

  /** Attaches a listener to a seat, in place of any other. */
  attach(seat: Seat, listener: Listener): void {
    const at = this.#clock.now()
    this.#clock.soon.do(() => {
      const earlier = this.#listeners.attach(seat, listener)
      this.#listeners.tellSafely(earlier, { kind: 'replaced', match: this.id, seat })
      this.#listeners.tellSafely(listener, this.#seated(seat))
      const last = this.lastNews(seat)
      if (last !== null) this.#listeners.tellSafely(listener, last)
      if (this.#over) return
      const connection = this.#listeners.numberOf(seat)
      if (this.isIn(seat)) this.#handleEvent({ kind: 'back', seat, connection, at })
      else this.#applyOrAbort(() => [this.#match, [{ kind: 'show', seat }]])
    })
  }

  /** The connection of this listener is lost, if it is still attached to this seat. */
  detach(seat: Seat, listener: Listener, cause: string | undefined): void {
    const at = this.#clock.now()
    this.#clock.soon.do(() => {
      if (this.#listeners.at(seat) === listener) this.#lose(seat, cause, at)
    })
  }

  #lose(seat: Seat, cause: string | undefined, at: number): void {
    this.#listeners.detach(seat)
    const connection = this.#listeners.numberOf(seat)
    this.#handleEvent({ kind: 'lost', seat, cause, connection, at })
  }

  #seated(seat: Seat): Seated {
    const { game, terms, unrated, ladder } = this.deal
    return {
      kind: 'seated',
      handle: this.#seatHandle(seat),
      match: this.id,
      game,
      seat,
      accounts: this.accounts,
      terms,
      startedAt: this.startedAt,
      unrated,
      ladder,
    }
  }

  /** An event has the time at which it is asked. */
  #seatHandle(seat: Seat): SeatHandle {
    const connection = this.#listeners.numberOf(seat)
    const { soon } = this.#clock
    const at = () => this.#clock.now()
    // A note or last words that are not allowed are left out: they are no part of what the seat owes.
    const allowed = (text: string | undefined) =>
      text !== undefined && this.#context.blocks(text) ? undefined : text
    const ask = (event: RefereeEvent) =>
      soon.do(() => {
        if (this.#listeners.isAttached(seat, connection)) this.#handleEvent(event)
      })
    return {
      move: (move, turn, note) =>
        ask({ kind: 'move', seat, move, turn, note: allowed(note), at: at() }),
      resign: said => {
        const words = allowed(said)
        ask({ kind: 'resign', seat, ...(words !== undefined && { words }), at: at() })
      },
      lost: cause => {
        const when = at()
        soon.do(() => {
          if (this.#listeners.isAttached(seat, connection)) this.#lose(seat, cause, when)
        })
      },
      announceRandomMove: () =>
        soon.do(() => {
          if (this.#listeners.isAttached(seat, connection)) this.#announceRandomMove(seat)
        }),
      position: () => this.#positionFor(seat),
      history: () => this.#historyFor(seat),
    }
  }

  #positionFor(seat: Seat): unknown {
    const { game } = this.deal
    const { state, status } = this.#match
    if (!game.facts.secrets || isFinal(status)) return state
    try {
      if (game.imagine === undefined) throw new Error(`${game.id} has secrets and no imagine`)
      return game.imagine(state, seat, this.#context.dice())
    } catch (error) {
      this.#context.failed(error, this.id)
      this.#abortFor(error)
      return state
    }
  }

  #historyFor(seat: Seat): readonly PastMove[] {
    const { game, seed, setup, players } = this.deal
    return pastMoves({ game, seed, setup, seats: players.length, moves: this.#moves }, seat)
  }

  #announceRandomMove(seat: Seat): void {
    if (this.#over) return
    this.#hasRandomMoves = true
    const { name } = this.accounts[seat]!
    const detail = `${name} had no time to think and moves at random`
    this.#listeners.tellAll(() => ({ kind: 'at-random', match: this.id, seat, detail }))
  }

  #handleEvent(event: RefereeEvent): void {
    if (this.#over) {
      if (event.kind === 'move' || event.kind === 'resign')
        this.#listeners.tellSafely(this.#listeners.at(event.seat), {
          kind: 'refused',
          match: this.id,
          code: 'not-your-turn',
          detail: 'the match is over',
        })
      return
    }
    const before = this.#match
    const since = this.#clock.elapsed()
    if (event.kind === 'move') this.#applyMove(event)
    else this.#applyOrAbort(() => step(this.#match, event))
    if (event.kind === 'move' && this.#match !== before)
      this.#context.meter.moved(this.deal.game.id, this.#clock.elapsed() - since)
  }

  #applyOrAbort(step: () => Step): void {
    try {
      this.#apply(step())
    } catch (error) {
      // A bug in the rules of a game is an internal error: it ends this match and no other.
      this.#context.failed(error, this.id)
      this.#abortFor(error)
    }
  }

  /** If a move causes an internal error, the seat that made it forfeits: it must not be able to save itself by a bug. */
  #applyMove(event: Extract<RefereeEvent, { kind: 'move' }>): void {
    const before = this.#match
    const known = this.#moves.length
    try {
      const next = step(before, event)
      if (this.#isBlocked(next)) this.#refuseText(event.seat)
      else this.#apply(next)
    } catch (error) {
      this.#context.failed(error, this.id)
      const moves = this.#moves.slice(0, known)
      const seat = this.#over ? null : this.#culprit(moves, event)
      if (seat === null || before.seatStates[seat]!.fault !== null) {
        this.#abortFor(error)
        return
      }
      this.#match = before
      this.#moves.length = known
      delete this.#notes[known + 1]
      const detail = `the move of seat ${seat} caused an internal error`
      this.#applyOrAbort(() => step(before, { kind: 'forfeit', seat, detail, at: event.at }))
    }
  }

  /** Only a move that would be accepted is asked for its words, so that any other refusal comes first. */
  #isBlocked([, effects]: Step): boolean {
    const { freeText } = this.deal.game
    if (freeText === undefined) return false
    return effects.some(
      effect =>
        effect.kind === 'record' &&
        !effect.isFallback &&
        freeText(effect.move).some(text => this.#context.blocks(text)),
    )
  }

  #refuseText(seat: Seat): void {
    this.#perform({ ...contentBlocked, kind: 'refuse', seat })
  }

  #culprit(moves: readonly Played[], { seat, move }: { seat: Seat; move: Json | undefined }) {
    const last: Played = [seat, move ?? null, 0]
    return culprit(this.deal, [...moves, last])
  }

  #abortFor(error: unknown): void {
    void this.abort(`internal error: ${error instanceof Error ? error.message : String(error)}`)
  }

  #apply([match, effects]: Step): void {
    const known = this.#moves.length
    this.#match = match
    for (const effect of effects) this.#perform(effect)
    if (!this.#over) this.#timer.set(wakeAt(match))
    let ply = known
    for (const effect of effects)
      if (effect.kind === 'record' || effect.kind === 'drop') {
        const move = this.#moves[ply++]!
        const events = eventsSeen(this.deal.game, effect.events, 'audience')
        this.#context.emit({ kind: 'moved', table: this, ply, move, events })
      } else if (effect.kind === 'voted' || (effect.kind === 'voting' && effect.seat === undefined))
        this.#context.emit({ kind: effect.kind, table: this })
  }

  #perform(effect: Effect): void {
    const { players } = this.deal
    switch (effect.kind) {
      case 'record':
        this.#moves.push([effect.seat, effect.move, effect.ms])
        if (effect.note !== undefined) this.#notes[this.#moves.length] = effect.note
        this.#saveProgress()
        this.#tellOfMove(effect)
        break
      case 'drop':
        this.#moves.push([effect.seat, null, 0, effect.fault])
        this.#tellOfFall(effect)
        break
      case 'fell':
        this.#tellOfFall(effect)
        break
      case 'show':
        this.#show(effect.seat)
        break
      case 'refuse':
        this.#listeners.tell(effect.seat, {
          kind: 'refused',
          match: this.id,
          code: effect.code,
          detail: effect.detail,
          ...(effect.retries && { retries: effect.retries }),
        })
        break
      case 'strike': {
        const { late } = this.deal.terms[effect.seat]!
        const of = late === 'forfeit' ? 1 : late.strikes
        this.#listeners.tell(effect.seat, {
          kind: 'strike',
          match: this.id,
          strikes: effect.strikes,
          of,
        })
        break
      }
      case 'away':
      case 'back':
        for (const seat of players.keys())
          if (seat !== effect.seat) this.#listeners.tell(seat, { ...effect, match: this.id })
        break
      case 'clocks': {
        const now = this.#clock.now()
        for (const seat of players.keys())
          this.#listeners.tell(seat, {
            kind: 'clocks',
            match: this.id,
            play: effect.play,
            timeLeft: timeLeft(this.#match, seat, now),
          })
        break
      }
      case 'voting': {
        const { opensIn, closesIn } = this.vote!
        const news = { kind: 'voting', match: this.id, opensIn, closesIn } as const
        for (const seat of players.keys())
          if (effect.seat === undefined || seat === effect.seat) this.#listeners.tell(seat, news)
        break
      }
      case 'voted':
        break
      case 'end': {
        // All that may throw comes before anything is saved.
        const observation = this.#observations()
        const observations = players.map((_, seat) => observation(seat))
        const unrated = this.#hasRandomMoves
          ? 'practice against the house, which moved at random'
          : this.deal.unrated
        this.#over = true
        this.#timer.cancel()
        void this.#finish(effect.outcome, observations, unrated)
        break
      }
    }
  }

  #tellOfMove(effect: MoveRecord): void {
    if (!this.#listeners.areFollowing) return
    const { game, players } = this.deal
    const played = playedNews(game, this.id, effect)
    // All that may throw comes before the first player is told.
    const news = players.map((_, seat) => played(seat))
    const mover = this.#listeners.at(effect.seat)
    if (mover?.followsMoves && !effect.isFallback) mover.tell(acceptedNews(this.id, effect))
    this.#listeners.tellFollowers(news)
  }

  #tellOfFall(effect: Extract<Effect, { kind: 'drop' | 'fell' }>): void {
    if (!this.#listeners.areFollowing) return
    const { game, players } = this.deal
    const fell = fellNews(game, this.id, effect)
    this.#listeners.tellFollowers(players.map((_, seat) => fell(seat)))
  }

  /** Shows the board to every seat, or to this one. */
  #show(only?: Seat): void {
    const { seatStates, status, turn } = this.#match
    const clocks = timesLeft(this.#match, this.#clock.now())
    const observation = this.#observations()
    // All that may throw comes before the first player is told.
    const observations = seatStates.map((_, seat) => observation(seat))
    for (const [seat, { owes }] of seatStates.entries()) {
      if (only !== undefined && seat !== only) continue
      this.#listeners.tell(seat, {
        kind: 'shown',
        match: this.id,
        observation: observations[seat]!,
        turn,
        yourTurn: owes !== null,
        mayAct: !isFinal(status) && (status.mayAct?.includes(seat) ?? false),
        timeLeft: clocks[seat]!,
        clocks,
      })
    }
  }

  async #finish(
    outcome: Outcome,
    observations: readonly Observation[],
    reason: Unrated | null,
  ): Promise<void> {
    const since = this.#clock.elapsed()
    let finished: Finished
    try {
      finished = await this.#matchStore.finish(this.id, outcome, this.#moves, reason, this.#notes)
    } catch (error) {
      if (!(error instanceof Unkept)) this.#context.failed(error, this.id)
      await this.#finishAborted('the result could not be kept')
      return
    }
    const { changes, unrated, points, elo } = finished
    const quick = quickFalls(outcome.faults, this.#moves).includes(true)
    this.#close(seat => ({
      kind: 'ended',
      match: this.id,
      seat,
      outcome,
      observation: observations[seat]!,
      moves: this.#moves,
      unrated,
      quick,
      change: changes[seat]!,
      changes,
      points,
      elo,
    }))
    this.#context.meter.resulted(this.deal.game.id, this.#clock.elapsed() - since)
    this.#context.emit({
      ...{ kind: 'ended', table: this, outcome, changes, unrated, quick, points, elo },
    })
  }

  async #finishAborted(because: string): Promise<void> {
    const why = oneLine(because)
    try {
      await this.#matchStore.abort(this.id, why, this.#moves, this.#notes)
    } catch (error) {
      // On disk the match stays live, and the next start marks it as aborted.
      this.#context.failed(error, this.id)
    }
    this.#close(() => ({ kind: 'aborted', match: this.id, detail: why }))
    this.#context.emit({ kind: 'aborted', table: this, detail: why })
  }

  /** The match is over, and its players are told. */
  #close(news: (seat: Seat) => LastNews): void {
    this.#lastNews = news
    this.#context.closed(this, news)
    this.#listeners.tellAll(news)
  }

  #saveProgress(): void {
    const now = this.#clock.now()
    if (now - this.#savedAt < saveEvery) return
    this.#savedAt = now
    this.#matchStore.progress(this.id, this.#moves, this.#notes)
  }
}
