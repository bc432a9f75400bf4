import type { Account } from '../arena/account.ts'
import type { Arena, SeekRequest } from '../arena/arena.ts'
import type { Code } from '../arena/codes.ts'
import type { Ended, Player, PlayerMessage, Seated, SeatHandle } from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'

/** A person in a seat. To the referee and to whoever sits opposite a player like any other. */
export class Person implements Player {
  readonly account: Account
  readonly terms: Terms
  readonly connection: string
  readonly isPerson = true
  readonly #changed: () => void
  #state: PersonState = { kind: 'waiting' }
  #stopWaiting: (() => void) | null = null
  /** The referee's last word on a move that it would not take. */
  refusal: string | null = null
  /** What is to be known of the other side's last move. */
  note: string | null = null
  /** When the move that is owed runs out, on the clock of the one who asks. */
  timeLeft: number | null = null

  constructor(account: Account, connection: string, moveTimeout: number, changed: () => void) {
    this.account = account
    this.connection = connection
    this.terms = humanTerms(moveTimeout)
    this.#changed = changed
  }

  get state(): PersonState {
    return this.#state
  }

  /** Looks for a match; false with a reason when there can be none. */
  seek(arena: Arena, request: SeekRequest): void {
    const waiting = arena.seek(this, request, () => {})
    if (typeof waiting === 'function') this.#stopWaiting = waiting
    else this.#become({ kind: 'nothing', why: waiting.detail })
  }

  tell(message: PlayerMessage): void {
    switch (message.kind) {
      case 'seated':
        this.#become({
          kind: 'playing',
          seated: message,
          yourTurn: false,
          mayAct: false,
          legal: null,
          turn: 0,
        })
        break
      case 'shown':
        if (this.#state.kind !== 'playing') break
        this.refusal = null
        if (!message.yourTurn) this.note = null
        this.timeLeft = message.timeLeft
        this.#become({
          ...this.#state,
          yourTurn: message.yourTurn,
          mayAct: message.mayAct,
          legal: message.yourTurn || message.mayAct ? (message.observation.legal ?? null) : null,
          turn: message.turn,
        })
        break
      case 'refused':
        this.refusal = message.detail
        this.#changed()
        break
      case 'ended':
        if (this.#state.kind === 'playing')
          this.#become({ kind: 'over', seated: this.#state.seated, ended: message })
        break
      case 'at-random':
        this.note = message.detail
        break
      case 'aborted':
        this.#become({ kind: 'nothing', why: `The match was aborted: ${message.detail}` })
        break
      case 'unmatched':
        this.#become({
          kind: 'nothing',
          why: message.onlyOwn
            ? 'Only agents of your own were waiting.'
            : 'Nobody turned up to play with. Try again later.',
        })
        break
      case 'dismissed':
        this.#become({ kind: 'nothing', why: message.detail })
        break
      case 'closing':
        this.#become({ kind: 'nothing', why: 'The host is stopping; try again later.' })
        break
      case 'strike':
        // People are never late and stay.
        break
    }
  }

  get handle(): SeatHandle | null {
    return this.#state.kind === 'playing' ? this.#state.seated.handle : null
  }

  /** Gives up whatever is under way: the wait, or the match. */
  leave(cause?: Code): void {
    this.#stopWaiting?.()
    this.#stopWaiting = null
    this.handle?.lost(cause)
  }

  #become(state: PersonState): void {
    this.#state = state
    if (state.kind !== 'waiting') this.#stopWaiting = null
    this.#changed()
  }
}

export type PersonState =
  | { readonly kind: 'waiting' }
  | Playing
  | { readonly kind: 'over'; readonly seated: Seated; readonly ended: Ended }
  | { readonly kind: 'nothing'; readonly why: string }

export interface Playing {
  readonly kind: 'playing'
  readonly seated: Seated
  readonly yourTurn: boolean
  readonly mayAct: boolean
  /** Moves that will be taken, where the game lists them. */
  readonly legal: readonly string[] | null
  readonly turn: number
}

/** Minutes to think, and a wrong move is explained and may be taken back. */
const humanTerms = (move: number): Terms => ({
  firstMove: move,
  move,
  illegal: 'retry',
  late: { strikes: 1, otherwise: 'clock' },
  away: { grace: 0, clock: 'runs' },
})
