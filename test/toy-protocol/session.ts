import { randomUUID } from 'node:crypto'
import type { Account } from '../../src/arena/account.ts'
import type { News, Player, SeatHandle } from '../../src/arena/player.ts'
import type { Terms } from '../../src/arena/terms.ts'
import type { Clock, Timer } from '../../src/clock.ts'
import type { Leave } from '../../src/matchmaking/matchmaking.ts'
import type { WireRefusal } from '../../src/protocols/codes.ts'

/** In milliseconds. */
export interface ToyTimes {
  /** A poll is answered after so long, also without news. */
  readonly poll: number
  /** The next poll has to come within this, or the connection counts as lost. */
  readonly pause: number
}

/** What stands in for a connection: from the request for a seat to the end of the match, or until polls cease to come. */
export class ToySession implements Player {
  readonly protocol = 'toy'
  readonly id = randomUUID()
  readonly account: Account
  readonly terms: Terms
  leaveQueue: Leave = () => {}
  readonly #clock: Clock
  readonly #times: ToyTimes
  #leaveHost: () => void = () => {}
  #forget: () => void = () => {}
  #handle: SeatHandle | null = null
  /** What the next poll is answered with. */
  #news: object[] = []
  #answerPoll: (() => void) | null = null
  #timer: Timer | null = null
  #isOver = false

  constructor(account: Account, terms: Terms, clock: Clock, times: ToyTimes) {
    this.account = account
    this.terms = terms
    this.#clock = clock
    this.#times = times
  }

  /** `forget` is called once nothing is left to be heard of this session. */
  begin(leaveHost: () => void, forget: () => void): void {
    this.#leaveHost = leaveHost
    this.#forget = forget
    this.#expectPoll()
  }

  /** All news since the last poll; waits for some. A poll that is cut is a lost connection. */
  wait(signal: AbortSignal): Promise<readonly object[]> {
    this.#answerPoll?.()
    return new Promise(resolve => {
      const answer = () => {
        this.#answerPoll = null
        resolve(this.#news.splice(0))
        this.#expectPoll()
      }
      this.#answerPoll = answer
      this.#setTimer(this.#times.poll, answer)
      signal.addEventListener('abort', () => {
        if (this.#answerPoll === answer) this.#lose()
      })
      if (this.#news.length > 0 || this.#isOver) answer()
    })
  }

  /** Returns whether there is a match to move in. */
  move(move: string): boolean {
    this.#handle?.move(move)
    return this.#handle !== null
  }

  resign(): void {
    if (this.#handle === null) this.#lose()
    else this.#handle.resign()
  }

  dismiss({ code, detail }: WireRefusal): void {
    if (this.#isOver) return
    this.#news.push({ no: code, because: detail })
    this.#lose(code)
  }

  tell(news: News): void {
    if (this.#isOver) return
    if (news.kind === 'seated') this.#handle = news.handle
    const words = wordsFor(news)
    if (words === null) return
    this.#news.push(words)
    if (isLast(news)) this.#end()
    else this.#answerPoll?.()
  }

  /** The connection is lost, which costs what the terms say. */
  #lose(cause?: string): void {
    if (this.#handle === null) this.leaveQueue(cause)
    else this.#handle.lost(cause)
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#handle = null
    this.#answerPoll?.()
  }

  #expectPoll(): void {
    this.#setTimer(this.#isOver ? 0 : this.#times.pause, () => {
      if (!this.#isOver) this.#lose()
      this.#leaveHost()
      this.#forget()
    })
  }

  #setTimer(ms: number, run: () => void): void {
    this.#timer?.cancel()
    this.#timer = this.#clock.after(ms, run)
  }
}

const isLast = ({ kind }: News): boolean =>
  ['ended', 'aborted', 'replaced', 'unmatched', 'dismissed', 'closing'].includes(kind)

/** What the toy says of each news; null for nothing. */
const wordsFor = (news: News): object | null => {
  switch (news.kind) {
    case 'seated':
      return { sit: news.match, as: news.seat, with: news.accounts.map(({ name }) => name) }
    case 'shown':
      return { board: news.observation, yours: news.yourTurn }
    case 'refused':
    case 'dismissed':
      return { no: news.code, because: news.detail }
    case 'away':
      return { gone: news.seat, seconds: news.grace / 1000 }
    case 'back':
      return { back: news.seat }
    case 'ended':
      return { place: news.outcome.places[news.seat], rating: news.change.rating }
    case 'aborted':
      return { no: 'aborted', because: news.detail }
    case 'replaced':
    case 'unmatched':
    case 'closing':
      return { no: news.kind }
    default:
      return null
  }
}
