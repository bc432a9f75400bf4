import type { Account } from '../arena/account.ts'
import {
  type Ended,
  hubProtocol,
  type News,
  type Player,
  type Seated,
  type SeatHandle,
} from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'
import type { Json } from '../games/game.ts'
import type { Leave } from '../matchmaking/matchmaking.ts'

/** A person as a player. The referee and the opponent cannot tell a person from an agent. */
export class Person implements Player {
  readonly account: Account
  readonly terms: Terms
  readonly connection: string
  readonly protocol = hubProtocol
  readonly #changed: () => void
  #state: PersonState = { kind: 'waiting' }
  #leaveMatch: Leave | null = null
  /** Why the referee refused the last move. */
  refusal: string | null = null
  /** A note on the opponent's last move. */
  note: string | null = null
  /** Milliseconds left for the move that is owed, when the turn began. */
  timeLeft: number | null = null

  constructor(account: Account, connection: string, moveTimeout: number, changed: () => void) {
    this.account = account
    this.connection = connection
    this.terms = termsOfPeople(moveTimeout)
    this.#changed = changed
  }

  get state(): PersonState {
    return this.#state
  }

  /** Joins a queue or an event, or sits down at once for practice. */
  seek(join: (player: Player) => Leave): void {
    this.#leaveMatch = join(this)
  }

  tell(message: News): void {
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
          legal: message.yourTurn || message.mayAct ? wordsOf(message.observation.legal) : null,
          turn: message.turn,
        })
        break
      case 'voting':
        this.#changed()
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
        this.#stopPlaying(`The match was aborted: ${message.detail}`)
        break
      case 'unmatched':
        this.#stopPlaying(
          message.onlyOwn
            ? 'Only your own agents were waiting.'
            : 'No opponent came. Try again later.',
        )
        break
      case 'dismissed':
        this.#stopPlaying(message.detail)
        break
      case 'closing':
        this.#stopPlaying('The host is stopping. Try again later.')
        break
      case 'strike':
        // The terms of people have no strikes.
        break
    }
  }

  get handle(): SeatHandle | null {
    return this.#state.kind === 'playing' ? this.#state.seated.handle : null
  }

  /** Leaves the queue or the match. */
  leave(cause?: string): void {
    this.#leaveMatch?.(cause)
  }

  #stopPlaying(reason: string): void {
    this.#become({ kind: 'stopped', reason })
  }

  #become(state: PersonState): void {
    this.#state = state
    this.#changed()
  }
}

export type PersonState =
  | { readonly kind: 'waiting' }
  | Playing
  | { readonly kind: 'over'; readonly seated: Seated; readonly ended: Ended }
  | { readonly kind: 'stopped'; readonly reason: string }

export interface Playing {
  readonly kind: 'playing'
  readonly seated: Seated
  readonly yourTurn: boolean
  readonly mayAct: boolean
  /** The legal moves; null where they are no words, or the game does not list them. */
  readonly legal: readonly string[] | null
  readonly turn: number
}

const wordsOf = (legal: readonly Json[] = []): readonly string[] | null =>
  legal.length > 0 && legal.every(move => typeof move === 'string') ? legal : null

/** Minutes for a move. An illegal move is explained and may be tried again. */
const termsOfPeople = (move: number): Terms => ({
  move,
  illegal: 'retry',
  late: 'forfeit',
  away: 'forfeit',
})
