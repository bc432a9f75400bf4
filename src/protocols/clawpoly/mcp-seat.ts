import type { Account } from '../../arena/account.ts'
import type { Outcome } from '../../arena/ending.ts'
import type { News, Player, Seated, Shown } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock } from '../../clock.ts'
import { clawpoly } from '../../games/clawpoly.ts'
import { type Clawpoly, isOut } from '../../games/clawpoly-state.ts'
import { stateOf } from '../../games/game.ts'
import type { WireRefusal } from '../codes.ts'
import { autopilot, type LegacyPrompt, legacyPrompt } from './autopilot.ts'
import { answersTo, type Decision } from './mcp-decisions.ts'
import type { SeatView } from './mcp-state.ts'

/** Where a match is played, and by whom. */
export type Place = Pick<SeatView, 'people' | 'roomCode' | 'gameSpeed'>

/** What the seat tells of itself. */
interface SeatTelling {
  /** The agent has a decision to make. */
  decision(seat: McpSeat, prompt: LegacyPrompt): void
  /** Its wait has ended without a match, or its match is over. */
  over(seat: McpSeat): void
}

interface SeatOptions {
  readonly account: Account
  readonly terms: Terms
  readonly clock: Clock
  readonly telling: SeatTelling
  placeOf(seated: Seated): Place
}

/** What a decision has come to. */
export interface ActionResult {
  readonly success: boolean
  readonly action: string
  readonly message: string
}

/** How a match has ended: the state after it, and the places by seat; or why it has none. */
type End = { readonly state: Clawpoly } & (
  | { readonly places: readonly number[] }
  | { readonly aborted: string }
)

type State =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'playing'; readonly seated: Seated }
  | { readonly kind: 'over'; readonly seated: Seated; readonly end: End }
  /** No match has come of it. */
  | { readonly kind: 'closed'; readonly why: string }

/** So many decisions in a row that its agent did not make lose: the moves of the autopilot do not count. */
const mostMissed = 5

/**
 * A seat of an agent that plays by calls of tools, from its wait on. It throws the dice and ends turns by itself, and asks its agent
 * only for what the public implementation asks. No connection belongs to it.
 */
export class McpSeat implements Player {
  readonly account: Account
  readonly terms: Terms
  readonly protocol = 'clawpoly'
  readonly followsMoves = true
  readonly #options: SeatOptions
  /** Leaves the queue or the room, as long as there is no match. */
  leaveQueue: (cause?: string) => void = () => {}
  #state: State = { kind: 'waiting' }
  #place: Place | null = null
  #isQueued = false
  #board: Shown | null = null
  #shownAt = 0
  #prompt: LegacyPrompt | null = null
  /** The move that is being answered: of its agent, or null for the autopilot. */
  #moving: { readonly decision: Decision; done(result: ActionResult): void } | null = null
  #isPaused = false
  #missed = 0
  /** The code of the room in which it waits; null in the queue. */
  table: string | null = null
  readonly #waiters = new Set<() => void>()

  constructor(options: SeatOptions) {
    this.#options = options
    this.account = options.account
    this.terms = options.terms
  }

  get status(): State['kind'] {
    return this.#state.kind
  }

  get match(): number | null {
    return 'seated' in this.#state ? this.#state.seated.match : null
  }

  /** Why no match has come of it, or why its match has no result. */
  get why(): string | null {
    if (this.#state.kind === 'closed') return this.#state.why
    return this.#state.kind === 'over' && 'aborted' in this.#state.end
      ? this.#state.end.aborted
      : null
  }

  /** What its agent is asked; null while its answer is on its way, and in a pause. */
  get prompt(): LegacyPrompt | null {
    return this.#moving === null && !this.#isPaused ? this.#prompt : null
  }

  /** What can be seen of the match; null before it. */
  get view(): SeatView | null {
    const state = this.#state
    if (!('seated' in state) || this.#place === null) return null
    const { handle, seat } = state.seated
    const common = { ...this.#place, seat }
    if (state.kind === 'over') {
      const { end } = state
      const places = 'places' in end ? end.places : null
      return {
        ...common,
        state: end.state,
        places,
        phase: 'finished',
        prompt: null,
        timeLeft: null,
      }
    }
    return {
      ...common,
      state: handle.position() as Clawpoly,
      places: null,
      phase: this.#isPaused ? 'paused' : 'playing',
      prompt: this.prompt,
      timeLeft: this.#timeLeft,
    }
  }

  /** Whether it plays, and is not bankrupt. */
  get isPlaying(): boolean {
    if (this.#state.kind !== 'playing') return false
    const { handle, seat } = this.#state.seated
    return (handle.position() as Clawpoly).players[seat]!.bankruptAt === null
  }

  /** Resolves when it waits in the queue or at its table, or has ended. */
  async queued(): Promise<void> {
    while (this.#state.kind === 'waiting' && !this.#isQueued)
      await new Promise<void>(resolve => this.#waiters.add(resolve))
  }

  /** Resolves when there is a decision to make or nothing more to wait for, after this time, or when the client has left. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isReady || signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        timer.cancel()
        signal.removeEventListener('abort', done)
        this.#waiters.delete(done)
        resolve()
      }
      const timer = this.#options.clock.after(ms, done)
      signal.addEventListener('abort', done)
      this.#waiters.add(done)
    })
  }

  /** Makes a decision. */
  decide(decision: Decision): Promise<ActionResult> {
    const { text } = decision
    const refuse = (message: string) => Promise.resolve({ success: false, action: text, message })
    const { prompt } = this
    const state = this.#state
    if (state.kind !== 'playing' || prompt === null)
      return refuse(
        `action is "${text}", and no decision is pending: it is not your turn, or its 30 s are over`,
      )
    const answers = answersTo(prompt)
    if (decision.answers !== prompt.type || !answers.includes(text))
      return refuse(
        `action is "${text}"; the pending decision is ${prompt.type}, expected: ${answers.join(', ')}`,
      )
    return new Promise(done => {
      this.#moving = { decision, done }
      state.seated.handle.move(decision.move, this.#board!.turn)
    })
  }

  /** Leaves the queue or the room; in a match it gives up. */
  leave(): void {
    const state = this.#state
    if (state.kind === 'playing') state.seated.handle.resign()
    else if (state.kind === 'waiting') {
      this.leaveQueue()
      this.#close('the agent has left')
    }
  }

  /** The host ends it: a ban, a revoked token, the end of the host. */
  dismiss({ code, detail }: WireRefusal): void {
    const state = this.#state
    if (state.kind === 'playing') state.seated.handle.lost(code)
    else if (state.kind === 'waiting') this.leaveQueue(code)
    else return
    this.#close(detail)
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'seated':
        this.#seated(news)
        break
      case 'queued':
        this.#isQueued = true
        this.#wake()
        break
      case 'shown':
        this.#shown(news)
        break
      case 'accepted':
        this.#accepted()
        break
      case 'refused':
        this.#refused(news.detail)
        break
      case 'strike':
        this.#struck()
        break
      case 'clocks':
        this.#isPaused = news.play === 'paused'
        break
      case 'ended':
        this.#end(({ handle }) => endOf(handle.position() as Clawpoly, news.outcome))
        break
      case 'aborted':
        this.#end(({ handle }) => ({
          state: handle.position() as Clawpoly,
          aborted: news.detail,
        }))
        break
      case 'unmatched':
        this.#close('no other agents came: join the queue again')
        break
      case 'dismissed':
        this.#close(news.detail)
        break
      case 'closing':
        this.#close('the host is stopping; try again later')
        break
      case 'replaced':
        this.#close('another client of this account plays on in this game')
        break
      default:
        break
    }
  }

  #seated(seated: Seated): void {
    if (this.#state.kind === 'closed') {
      seated.handle.resign()
      return
    }
    this.#place = this.#options.placeOf(seated)
    this.#state = { kind: 'playing', seated }
  }

  #shown(board: Shown): void {
    const { kind } = this.#state
    if (kind !== 'playing') return
    const isNew = this.#board?.turn !== board.turn
    this.#board = board
    this.#shownAt = this.#options.clock.now()
    this.#isPaused = false
    const { handle, seat } = this.#state.seated
    if (!board.yourTurn) {
      this.#prompt = null
      return
    }
    const state = handle.position() as Clawpoly
    this.#prompt = legacyPrompt(state, seat)
    if (this.#prompt === null) {
      const move = autopilot(state, seat)
      if (move !== null) handle.move(move, board.turn)
      return
    }
    this.#wake()
    if (isNew) this.#options.telling.decision(this, this.#prompt)
  }

  #accepted(): void {
    const moving = this.#moving
    this.#moving = null
    this.#prompt = null
    if (moving === null) return
    this.#missed = 0
    const { text } = moving.decision
    moving.done({ success: true, action: text, message: doneWords(text) })
  }

  #refused(detail: string): void {
    const moving = this.#moving
    this.#moving = null
    if (moving === null) return
    const { text } = moving.decision
    moving.done({ success: false, action: text, message: `action is "${text}": ${detail}` })
  }

  /** A decision was not made in time. The fallback move follows. */
  #struck(): void {
    this.#prompt = null
    this.#refused('its 30 s are over')
    this.#missed++
    if (this.#missed >= mostMissed && this.#state.kind === 'playing')
      this.#state.seated.handle.resign()
  }

  #end(end: (seated: Seated) => End): void {
    if (this.#state.kind !== 'playing') return
    const { seated } = this.#state
    this.#finish({ kind: 'over', seated, end: end(seated) })
  }

  #close(why: string): void {
    if (this.#state.kind === 'over' || this.#state.kind === 'closed') return
    this.#finish({ kind: 'closed', why })
  }

  #finish(state: Extract<State, { kind: 'over' | 'closed' }>): void {
    this.#state = state
    this.#prompt = null
    this.#refused('the game is over')
    this.#wake()
    this.#options.telling.over(this)
  }

  get #isReady(): boolean {
    const { kind } = this.#state
    return kind === 'over' || kind === 'closed' || this.prompt !== null
  }

  get #timeLeft(): number | null {
    const left = this.#board?.timeLeft ?? null
    if (left === null || this.prompt === null) return null
    return Math.max(0, left - (this.#options.clock.now() - this.#shownAt))
  }

  #wake(): void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const done of waiters) done()
  }
}

/** A fault that ends the match is no move: the state does not have it yet. */
const endOf = (last: Clawpoly, { places, faults }: Outcome): End => {
  let state = last
  for (const [seat, fault] of faults.entries())
    if (fault !== null && !isOut(state, seat) && state.phase !== 'over')
      state = stateOf(clawpoly.drop!(state, seat))
  return { state, places }
}

const doneWords = (text: string): string => {
  const [verb = '', square] = text.split(':')
  return (done[verb] ?? 'Done.').replace('SQUARE', `square ${square}`)
}

const done: Readonly<Record<string, string>> = {
  buy: 'You bought the square.',
  pass: 'You did not buy the square.',
  build: 'You built a Reef Outpost on SQUARE.',
  upgrade: 'You built a Sea Fortress on SQUARE.',
  skip_build: 'You build nothing more in this turn.',
  escape_pay: 'You paid 50 Shells and left the Lobster Pot.',
  escape_card: 'You used an escape card and left the Lobster Pot.',
  escape_roll: 'You threw the dice for the way out of the Lobster Pot.',
}
