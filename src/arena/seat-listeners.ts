import type { Seat } from '../games/game.ts'
import type { Listener, News } from './player.ts'

/** Who hears the news of each seat of one match. */
export class SeatListeners {
  /** Null while the connection of the seat is lost. */
  readonly #listeners: (Listener | null)[]
  /** How many listeners have replaced others at each seat: the number of the one that is attached. */
  readonly #numbers: number[]
  readonly #failed: (error: unknown) => void

  /** `failed` is told of what a listener throws. */
  constructor(listeners: readonly Listener[], failed: (error: unknown) => void) {
    this.#listeners = [...listeners]
    this.#numbers = listeners.map(() => 0)
    this.#failed = failed
  }

  at(seat: Seat): Listener | null {
    return this.#listeners[seat]!
  }

  /** The number of the newest listener at this seat. */
  numberOf(seat: Seat): number {
    return this.#numbers[seat]!
  }

  /** Whether the listener with this number is still attached. */
  isAttached(seat: Seat, number: number): boolean {
    return this.#numbers[seat] === number && this.#listeners[seat] !== null
  }

  /** Returns the listener that was attached before. */
  attach(seat: Seat, listener: Listener): Listener | null {
    const earlier = this.at(seat)
    this.#listeners[seat] = listener
    this.#numbers[seat]!++
    return earlier
  }

  detach(seat: Seat): void {
    this.#listeners[seat] = null
  }

  /** Whether any of them wants to be told of moves and falls. */
  get areFollowing(): boolean {
    return this.#listeners.some(listener => listener?.followsMoves)
  }

  tell(seat: Seat, news: News): void {
    this.#listeners[seat]?.tell(news)
  }

  /** Tells the listeners that follow moves what their seats may know. */
  tellFollowers(news: readonly News[]): void {
    for (const [seat, listener] of this.#listeners.entries())
      if (listener?.followsMoves) listener.tell(news[seat]!)
  }

  tellAll(news: (seat: Seat) => News): void {
    for (const [seat, listener] of this.#listeners.entries()) this.tellSafely(listener, news(seat))
  }

  /** What the listener throws stops nothing. */
  tellSafely(listener: Listener | null, news: News): void {
    try {
      listener?.tell(news)
    } catch (error) {
      this.#failed(error)
    }
  }
}
