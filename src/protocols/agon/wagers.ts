import type { Points } from '../../arena/wagers.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { Json, Seat } from '../../games/game.ts'
import { isWhole } from '../../games/json.ts'
import { type Refused, refusals } from './codes.ts'
import type { Fields } from './messages.ts'

/** A proposal expires after so many milliseconds, or with this message. */
const answerWithin = 60_000
const closesAt = 3

const least = 10
const most = 1_000

interface WagersOptions {
  readonly clock: Clock
  readonly points: Points
  readonly match: number
  /** By seat. */
  readonly accounts: readonly { readonly id: number; readonly name: string }[]
  /** Tells both participants. */
  tell(event: string, fields: Fields): void
}

/** The wager of one match: at most one proposal at a time, and one that was accepted. The stakes are held by the store. */
export class Wager {
  readonly #options: WagersOptions
  #proposal: { readonly seat: Seat; readonly amount: number } | null = null
  #timer: Timer | null = null
  #isAccepted = false
  #isOver = false

  constructor(options: WagersOptions) {
    this.#options = options
  }

  /** `messages`: how many the match has had. */
  async propose(seat: Seat, amount: Json | undefined, messages: number): Promise<Refused | null> {
    const refusal = () => this.#isClosed(messages) ?? this.#isTaken()
    const early = refusal()
    if (early !== null) return early
    if (!isWhole(amount, least, most)) return refusals.badAmount
    if (!(await this.#canPay(amount))) return refusals.poor
    // Another one may have been proposed meanwhile.
    const late = this.#isOver ? refusals.wagersClosed : this.#isTaken()
    if (late !== null) return late
    this.#proposal = { seat, amount }
    this.#timer = this.#options.clock.after(answerWithin, () => this.#expire())
    this.#options.tell('wager_proposed', {
      proposer_name: this.#options.accounts[seat]!.name,
      ...{ amount, currency, expires_in_seconds: answerWithin / 1000 },
    })
    return null
  }

  async accept(seat: Seat, messages: number): Promise<Refused | null> {
    const proposal = this.#proposal
    const refusal = this.#isClosed(messages) ?? this.#answerRefusal(seat)
    if (refusal !== null || proposal === null) return refusal ?? refusals.noWager
    const { amount } = proposal
    this.#drop()
    this.#isAccepted = true
    const escrow = await this.#options.points.escrow(this.#options.match, amount)
    if ('ok' in escrow) {
      this.#options.tell('wager_accepted', { amount, currency })
      return null
    }
    this.#isAccepted = false
    return 'poor' in escrow ? refusals.poor : refusals.wagersClosed
  }

  decline(seat: Seat): Refused | null {
    const refusal = this.#answerRefusal(seat)
    if (refusal === null) this.#end('wager_declined')
    return refusal
  }

  cancel(seat: Seat): Refused | null {
    if (this.#proposal === null) return refusals.noWager
    if (this.#proposal.seat !== seat) return refusals.othersWager
    this.#end('wager_cancelled')
    return null
  }

  /** The match has had so many messages. */
  said(messages: number): void {
    if (messages >= closesAt && this.#proposal !== null) this.#expire()
  }

  /** The match is over. */
  close(): void {
    this.#isOver = true
    this.#drop()
  }

  #isClosed(messages: number): Refused | null {
    return this.#isOver || messages >= closesAt ? refusals.wagersClosed : null
  }

  #isTaken(): Refused | null {
    if (this.#isAccepted) return refusals.wagerAccepted
    return this.#proposal === null ? null : refusals.wagerPending
  }

  #answerRefusal(seat: Seat): Refused | null {
    if (this.#proposal === null) return refusals.noWager
    return this.#proposal.seat === seat ? refusals.ownWager : null
  }

  async #canPay(amount: number): Promise<boolean> {
    const { accounts, points } = this.#options
    const balances = await Promise.all(accounts.map(({ id }) => points.balance(id)))
    return balances.every(balance => balance >= amount)
  }

  #expire(): void {
    this.#end('wager_expired')
  }

  #end(event: string): void {
    this.#drop()
    this.#options.tell(event, {})
  }

  #drop(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#proposal = null
  }
}

export const currency = 'AP'
