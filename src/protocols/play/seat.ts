import { randomBytes } from 'node:crypto'
import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import { agentsLadder, type Ladder, type Variant } from '../../arena/ladder.ts'
import { ladderTerms } from '../../arena/ladder-terms.ts'
import type {
  Aborted,
  Accepted,
  Ended,
  MovePlayed,
  News,
  PastMove,
  Player,
  Seated,
  Shown,
} from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { EventId } from '../../events/plan.ts'
import type { Json } from '../../games/game.ts'
import { cut } from '../../games/words.ts'
import type { Leave, Matchmaking, SeekRequest } from '../../matchmaking/matchmaking.ts'
import type { WireRefusal } from '../codes.ts'
import type { Events } from '../no-events.ts'
import { closed, over, playing, queued, type Reply, refused, superseded } from './answers.ts'
import type { PlayProtocol } from './call-text.ts'
import type { Code } from './codes.ts'
import type { Detail } from './operations.ts'
import { mostSilence } from './terms.ts'

/** What a seat is at present. */
type State =
  | { readonly kind: 'queued' }
  | { readonly kind: 'playing'; readonly seated: Seated; readonly board: Shown | null }
  | { readonly kind: 'over'; readonly seated: Seated; readonly news: Ended | Aborted }
  | { readonly kind: 'closed'; readonly why: ReplyFor }

/** An answer that waits for the protocol of a call. */
type ReplyFor = (to: PlayProtocol) => Reply

/** How a call waits. */
export interface Wait {
  /** The protocol of the call. */
  readonly to: PlayProtocol
  /** In milliseconds. */
  readonly time: number
  readonly detail: Detail
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

interface Call {
  readonly wait: Wait
  /** Also answered when the seat is out of a match that goes on. */
  readonly isLeaving: boolean
  readonly answer: (reply: Reply) => void
}

/** A move that was sent for a board, as text to compare it with. */
interface Sent {
  readonly ply: number
  readonly text: string
}

/** What a seat hears while it is here: the moves since the board that it answered last. */
export type Since = Pick<MovePlayed, 'seat' | 'move' | 'label' | 'events'>

export interface SeatHost {
  readonly arena: Arena
  readonly matchmaking: Pick<Matchmaking, 'seek'>
  readonly clock: Clock
  /** Milliseconds for a move on fast ladders. */
  readonly moveTimeout: number
}

/** A seat at a table of a room plays by the terms of a thinking ladder: it is for a model, which needs the time. */
const atTables: Variant = { speed: 'thinking', listing: 'open' }

/** The match that a seat is for. */
export interface PlayRequest extends SeekRequest {
  readonly ladder: Variant
  /** The event in which it is; a match of its own unless given. */
  readonly event?: EventId
}

/**
 * A seat of an account, from its request for a match to 10 minutes after the end. Calls come from anywhere: no connection belongs to
 * it, and at most one call waits.
 */
export class PlaySeat implements Player {
  readonly followsMoves = true
  readonly terms: Terms
  readonly id = randomBytes(9).toString('base64url')
  readonly account: Account
  readonly protocol: PlayProtocol
  /** When it was over, by the clock that never stops. */
  overAt: number | null = null
  /** Whether a call has named it: its client knows it. */
  isKnown = false
  readonly #host: SeatHost
  readonly #events: Pick<Events, 'attend'>
  readonly #request: PlayRequest
  readonly #over: () => void
  #state: State = { kind: 'queued' }
  #leaveQueue: Leave = () => {}
  #leaveHost: () => void = () => {}
  #call: Call | null = null
  #silence: Timer | null = null
  /** The connection counts as lost: news come no more. */
  #isAbsent = false
  #hasHeardEnd = false
  /** Out of a match that goes on. */
  #isOut = false
  /** The ply of the newest board that a call was answered with. */
  #told = 0
  /** A move that the referee has not answered yet. */
  #pending: Sent | null = null
  #answered: (Sent & { readonly recorded: string }) | null = null
  #refused: (Sent & { readonly why: ReplyFor }) | null = null
  #since: Since[] = []
  /** The time left for the move that is owed, and when it was so. */
  #clock: { readonly left: number | null; readonly at: number; readonly runs: boolean } = {
    left: null,
    at: 0,
    runs: true,
  }

  /** `over` is called when the match or the wait is over. */
  constructor(
    host: SeatHost,
    events: Pick<Events, 'attend'>,
    { account, protocol }: Pick<PlaySeat, 'account' | 'protocol'>,
    request: PlayRequest,
    over: () => void,
  ) {
    this.#host = host
    this.#events = events
    this.account = account
    this.protocol = protocol
    this.#request = request
    // A table has no speed of its own. Its other seat may be of a protocol that gives more time, or less.
    const variant = request.table === undefined ? request.ladder : atTables
    this.terms = ladderTerms(variant, host.moveTimeout)
    this.#over = over
  }

  /** `leaveHost`: to be called once its client has heard how it ended. */
  begin(leaveHost: () => void): void {
    this.#leaveHost = leaveHost
    const { event } = this.#request
    this.#leaveQueue =
      event === undefined
        ? this.#host.matchmaking.seek(this, this.#request)
        : this.#events.attend(this, event)
  }

  /** Whether it was made for this request. */
  isFor({ game, practice, opponent, openings, ladder, event, table }: PlayRequest): boolean {
    const own = this.#request
    return (
      this.ladder === agentsLadder(game.id, ladder) &&
      own.practice === practice &&
      own.opponent === opponent &&
      own.openings === openings &&
      own.event === event &&
      own.table === table
    )
  }

  get ladder(): Ladder {
    return agentsLadder(this.#request.game.id, this.#request.ladder)
  }

  get status(): string {
    return this.#state.kind === 'playing' && this.#owes ? 'your_turn' : this.#state.kind
  }

  get match(): number | null {
    return 'seated' in this.#state ? this.#state.seated.match : null
  }

  /** Waits for the match, the next board on which this seat may act, or the end. */
  async wait(wait: Wait): Promise<Reply> {
    await this.#comeBack()
    return this.#listen(wait)
  }

  /** Plays, and waits for what follows. The same move for the same ply is played once, with the note that came first. */
  async move(ply: number, move: Json, note: string | undefined, wait: Wait): Promise<Reply> {
    await this.#comeBack()
    const state = this.#state
    const refuse = (code: Code, error: string) => refused(wait.to, code, error, { seat: this.id })
    if (state.kind === 'queued') return refuse('no-match-yet', 'the match has not begun')
    if (state.kind !== 'playing') return this.#describe(wait)
    const text = JSON.stringify(move)
    if (this.#pending?.ply === ply && this.#pending.text === text) return this.#listen(wait)
    const { board, seated } = state
    const answered = this.#answered
    if (answered?.ply === ply) {
      if (text === answered.text || text === answered.recorded) return this.#listen(wait)
      if (board?.turn !== ply || !this.#mayMove)
        return refuse(
          'ply-played',
          `ply ${ply} was answered by ${answered.recorded.slice(0, 80)}, which stands`,
        )
    }
    if (this.#refused?.ply === ply && this.#refused.text === text) return this.#refused.why(wait.to)
    if (this.#isOut) return refuse('not-your-turn', 'this seat is out of the match')
    if (board?.turn !== ply)
      return refuse('wrong-ply', `the board is at ply ${board?.turn}, not ${ply}`)
    if (!this.#mayMove) return refuse('not-your-turn', 'another seat is to move')
    if (typeof move !== 'string' && this.#request.game.moves !== undefined)
      return refuse('unreadable', `move is ${cut(text, 40)}; expected: a string`)
    this.#pending = { ply, text }
    seated.handle.move(move, ply, note)
    return this.#listen(wait)
  }

  /** Leaves the queue, or resigns. */
  async leave(wait: Wait): Promise<Reply> {
    await this.#comeBack()
    if (this.#state.kind === 'queued') {
      this.#leaveQueue()
      this.#close(to => closed(to, 'left', 'the seat has left the queue'))
    }
    if (this.#state.kind !== 'playing') return this.#describe(wait)
    if (!this.#isOut) this.#state.seated.handle.resign()
    return this.#listen(wait, true)
  }

  /** The host ends it: a ban, a revoked token, the end of the host. */
  dismiss({ code, detail }: WireRefusal): void {
    const state = this.#state
    if (state.kind === 'queued') this.#leaveQueue(code)
    else if (state.kind === 'playing') state.seated.handle.lost(code)
    // Its client has not heard yet how its match ended.
    else return
    this.#close(to => refused(to, code, detail))
    this.#endHeard()
    this.#watchSilence()
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'seated':
        this.#seated(news)
        break
      case 'accepted':
        this.#accepted(news)
        break
      case 'played':
        this.#since.push(news)
        break
      case 'fell':
        if (this.#state.kind === 'playing' && news.seat === this.#state.seated.seat) {
          this.#isOut = true
          this.#pending = null
          this.#owesNothing()
          if (this.#call?.isLeaving && this.#state.seated.accounts.length > 2) this.#answer()
        }
        break
      case 'refused':
        this.#isRefused(news)
        break
      case 'shown':
        if (this.#state.kind === 'playing') this.#state = { ...this.#state, board: news }
        this.#setClock(news.timeLeft, true)
        this.#answerIfReady()
        break
      case 'clocks':
        this.#setClock(news.timeLeft, news.play === 'runs')
        break
      case 'ended':
      case 'aborted':
        this.end(news)
        break
      case 'unmatched':
        this.#close(to =>
          closed(
            to,
            'no-opponent',
            news.onlyOwn
              ? 'no opponent came: only agents of your own owner were waiting'
              : 'no opponent came',
          ),
        )
        break
      case 'dismissed':
        this.#close(to => refused(to, news.code, news.detail, { retryAfter: news.retryAfter }))
        break
      case 'closing':
        this.#close(to => refused(to, 'shutting-down', 'the host is stopping; try again later'))
        break
      default:
        // Queued is what it is at first; no other listener takes a seat of these terms; and there are no strikes.
        break
    }
    this.#watchSilence()
  }

  /** The match is over. Also called where its client was absent, and heard nothing. */
  end(news: Ended | Aborted): void {
    if (this.#state.kind !== 'playing') return
    this.#finish({ kind: 'over', seated: this.#state.seated, news })
  }

  #seated(seated: Seated): void {
    if (this.#state.kind === 'closed') {
      // It has left while it was being paired.
      seated.handle.resign()
      return
    }
    if (this.#state.kind === 'playing') this.#since = sinceOwn(seated)
    this.#isAbsent = false
    this.#state = { kind: 'playing', seated, board: null }
  }

  #accepted({ turn, move, isTurn }: Accepted): void {
    if (this.#pending !== null)
      this.#answered = { ...this.#pending, recorded: JSON.stringify(move) }
    this.#pending = null
    this.#since = []
    if (isTurn && this.#board?.turn === turn) this.#owesNothing()
  }

  get #board(): Shown | null {
    return this.#state.kind === 'playing' ? this.#state.board : null
  }

  /** The board stands, and nothing more is due on it. */
  #owesNothing(): void {
    const state = this.#state
    if (state.kind !== 'playing' || state.board === null) return
    this.#state = { ...state, board: { ...state.board, yourTurn: false, mayAct: false } }
    this.#setClock(null, true)
  }

  #isRefused({ code, detail, retries }: Extract<News, { kind: 'refused' }>): void {
    const pending = this.#pending
    this.#pending = null
    // The match has just ended: its result follows.
    if (code === 'not-your-turn' || pending === null) return
    const why: ReplyFor = to => refused(to, code, detail, { seat: this.id, retries })
    if (code === 'illegal-move') this.#refused = { ...pending, why }
    this.#answer(why)
  }

  #setClock(left: number | null, runs: boolean): void {
    this.#clock = { left, at: this.#host.clock.now(), runs }
  }

  get #timeLeft(): number | null {
    const { left, at, runs } = this.#clock
    if (left === null) return null
    return Math.max(0, runs ? left - (this.#host.clock.now() - at) : left)
  }

  get #owes(): boolean {
    return this.#board?.yourTurn === true
  }

  get #mayMove(): boolean {
    return this.#owes || this.#board?.mayAct === true
  }

  /** Whether there is what a call waits for. A board on which the seat may act, but need not, is news once. */
  get #isReady(): boolean {
    const state = this.#state
    if (state.kind === 'queued') return false
    if (state.kind !== 'playing') return true
    const { board } = state
    if (board === null || this.#pending !== null) return false
    return board.yourTurn || (board.turn > this.#told && (board.mayAct || this.#told === 0))
  }

  #listen(wait: Wait, isLeaving = false): Promise<Reply> {
    this.#answer(() => superseded(this.id))
    if (this.#isReady && !isLeaving) return Promise.resolve(this.#describe(wait))
    return new Promise(resolve => {
      const timer = this.#host.clock.after(wait.time, () => this.#answer())
      const left = () => {
        if (this.#call === call) this.#answer(() => superseded(this.id))
      }
      const call: Call = {
        wait,
        isLeaving,
        answer: reply => {
          timer.cancel()
          wait.signal.removeEventListener('abort', left)
          resolve(reply)
        },
      }
      this.#call = call
      wait.signal.addEventListener('abort', left)
      if (wait.signal.aborted) left()
      this.#watchSilence()
    })
  }

  #answerIfReady(): void {
    if (this.#call !== null && !this.#call.isLeaving && this.#isReady) this.#answer()
  }

  /** Answers the call that waits. */
  #answer(reply?: ReplyFor): void {
    const call = this.#call
    if (call === null) return
    this.#call = null
    call.answer(reply?.(call.wait.to) ?? this.#describe(call.wait))
    this.#watchSilence()
  }

  #describe({ to, detail }: Wait): Reply {
    const state = this.#state
    const seat = this.id
    switch (state.kind) {
      case 'queued':
        return queued(to, seat, this.ladder)
      case 'closed':
        this.#endHeard()
        return state.why(to)
      case 'over':
        this.#endHeard()
        return over({ to, seat, ...state, since: this.#since, detail })
      case 'playing': {
        const isFirst = this.#told === 0
        this.#told = state.board?.turn ?? this.#told
        const timeLeft = this.#timeLeft
        const isOut = this.#isOut
        const terms = state.seated.terms[state.seated.seat]!
        const since = this.#since
        const isNew = isFirst || !this.isKnown
        return playing({
          ...{ to, seat, ...state, since, detail, isFirst, isNew, isOut, terms, timeLeft },
        })
      }
    }
  }

  #endHeard(): void {
    this.#hasHeardEnd = true
    this.#leaveHost()
  }

  #close(why: ReplyFor): void {
    this.#finish({ kind: 'closed', why })
  }

  #finish(state: Extract<State, { kind: 'over' | 'closed' }>): void {
    this.#state = state
    this.#pending = null
    this.#isAbsent = false
    this.overAt = this.#host.clock.elapsed()
    this.#over()
    this.#answer()
    this.#watchSilence()
  }

  /** A client that comes back to its seat hears of it again before it is answered. */
  async #comeBack(): Promise<void> {
    this.#silence?.cancel()
    this.#silence = null
    this.#watchSilence()
    if (!this.#isAbsent || this.#state.kind !== 'playing') return
    const { match, seat } = this.#state.seated
    const held = this.#host.arena
      .seatsOf(this.account.id)
      .find(held => held.match === match && held.seat === seat)
    held?.attach(this)
    // What was asked is done in a microtask before this one.
    await new Promise<void>(resolve => this.#host.clock.soon.do(resolve))
  }

  /** Limits how long no call comes. */
  #watchSilence(): void {
    const isDue = this.#call === null && !this.#owes && !this.#isAbsent && !this.#hasHeardEnd
    if (!isDue) {
      this.#silence?.cancel()
      this.#silence = null
    } else this.#silence ??= this.#host.clock.after(mostSilence, () => this.#silent())
  }

  #silent(): void {
    this.#silence = null
    if (this.#state.kind === 'queued') {
      this.#leaveQueue()
      this.#close(to =>
        closed(to, 'silent', `no call came for ${mostSilence / 1000} s: the seat has left`),
      )
    } else if (this.#state.kind === 'playing') {
      this.#isAbsent = true
      this.#state.seated.handle.lost()
    } else this.#endHeard()
  }
}

/** What was played since the seat's own last move, that move included, as it would have heard it. */
const sinceOwn = ({ handle, seat }: Seated): Since[] => {
  const past: readonly PastMove[] = handle.history()
  const own = past.findLastIndex(({ seat: mover, fault }) => mover === seat && fault === null)
  return past.slice(Math.max(0, own)).filter(({ fault }) => fault === null)
}
