/** Hears what spectators are told. */
export interface Spectator {
  /** How many bytes wait for the client to read them. */
  readonly unsent: number
  hear(lines: readonly string[]): void
  /** Nothing more follows. */
  left(audience: Audience): void
}

/** Messages that belong together. One with a board stands on its own. */
interface Batch {
  readonly lines: readonly string[]
  readonly hasBoard: boolean
}

/** Spectators served in one turn of the event loop: 8 boards of 100×100 tiles take about 0.3 ms. */
const servedAtOnce = 8
/** A spectator that is further behind goes on with the newest board, unless another number is given. */
const keptBatches = 16
/** In bytes. A spectator that leaves more unread hears nothing until it has read all. */
const mostUnsent = 65_536

/**
 * The spectators of one match, or of one room. They hear in turns of the event loop of their own, a few at a time, so that the players never
 * wait for them. One that cannot keep up misses boards, but never part of one.
 */
export class Audience {
  readonly #batches: Batch[] = []
  readonly #kept: number
  /** How many batches there have been. */
  #count = 0
  /** How many batches each has heard, or has been past when it came. */
  readonly #heard = new Map<Spectator, number>()
  /** Those that are to be served, in this order. */
  readonly #queue = new Set<Spectator>()
  #isServing = false
  #isOver = false

  constructor(kept = keptBatches) {
    this.#kept = kept
  }

  get size(): number {
    return this.#heard.size
  }

  /** Hears what is published from now on. */
  add(spectator: Spectator): void {
    this.#heard.set(spectator, this.#count)
  }

  remove(spectator: Spectator): void {
    this.#heard.delete(spectator)
    this.#queue.delete(spectator)
  }

  /** The spectator has read all that it was sent. */
  drained(spectator: Spectator): void {
    if (!this.#heard.has(spectator) || this.#heard.get(spectator) === this.#count) return
    this.#queue.add(spectator)
    this.#serveLater()
  }

  publish(lines: readonly string[], hasBoard: boolean): void {
    this.#count++
    if (this.#batches.push({ lines, hasBoard }) > this.#kept) this.#batches.shift()
    for (const spectator of this.#heard.keys()) this.#queue.add(spectator)
    this.#serveLater()
  }

  /** The match is over: each spectator leaves once it has heard all. */
  end(): void {
    this.#isOver = true
    for (const spectator of this.#heard.keys()) this.#queue.add(spectator)
    this.#serveLater()
  }

  #serveLater(): void {
    if (this.#isServing) return
    this.#isServing = true
    setImmediate(() => this.#serve())
  }

  #serve(): void {
    this.#isServing = false
    let served = 0
    for (const spectator of this.#queue) {
      if (served++ === servedAtOnce) break
      this.#queue.delete(spectator)
      if (spectator.unsent > mostUnsent) continue
      const news = this.#newsFor(this.#heard.get(spectator)!)
      this.#heard.set(spectator, this.#count)
      if (news.length > 0) spectator.hear(news)
      if (!this.#isOver) continue
      this.#heard.delete(spectator)
      spectator.left(this)
    }
    if (this.#queue.size > 0) this.#serveLater()
  }

  #newsFor(heard: number): readonly string[] {
    const missed = this.#batches.length - (this.#count - heard)
    const from =
      missed >= 0
        ? missed
        : Math.max(
            0,
            this.#batches.findLastIndex(({ hasBoard }) => hasBoard),
          )
    return this.#batches.slice(from).flatMap(({ lines }) => lines)
  }
}
