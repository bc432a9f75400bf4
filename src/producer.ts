import type { Clock, Timer } from './clock.ts'
import { ConcurrencyLimit } from './limits/concurrency-limit.ts'
import type { Turns } from './turns.ts'

/** One piece of work on the event loop: a move waits for no more than this, and whatever one step of it takes. */
export const slice = 4
/** Text is written in chunks of about so many characters. */
const chunk = 32 * 1024
/** So many bytes may wait for the reader before more is made. */
const mostUnsent = 128 * 1024

/** Where text goes, and how much of it has not been read yet. */
export interface Reader {
  /** Bytes that wait to be read. */
  readonly unsent: number
  write(text: string): void
}

/** How much time on the event loop one source may use: see the connection limiter in src/wire/connection-limiter.ts. */
export interface PageTime {
  /** Whole seconds until more may be used; 0 for now. */
  left(source: string | undefined): number
  use(source: string | undefined, ms: number): void
}

export interface ProducerLimits {
  /** Milliseconds without a byte read after which the reader is given up. */
  readonly stall: number
  /** Milliseconds, and characters, that one text may take as a whole. */
  readonly whole: number
  readonly length: number
  /** Characters of kept matches that may be in memory at a time, for all readers together. */
  readonly held: number
}

/** A match whose moves are longer is not read to guests: matches are far shorter by the rules of the games. */
export const longest = 64 * 1024 * 1024

/** A whole long text: as much as the largest match as JSON, twice over; and what five minutes bring. */
const standard: ProducerLimits = {
  stall: 60_000,
  whole: 300_000,
  length: 64 * 1024 * 1024,
  held: longest,
}

/** Why a text ended before its end. `gone` and `closed`: nobody is there any more to be told. */
export type Stopped = 'gone' | 'too-slow' | 'too-long'

/** Text in the order in which it is read. An empty piece is a good moment to let others have their turn. */
export type Pieces = Iterable<string>

export interface Production {
  /** What is in memory for as long as it lasts, in characters. */
  readonly holds: number
  /** Called when there is room for it. */
  readonly begin: () => Pieces
}

/**
 * Makes long texts for readers: in slices, between which moves have their turn; no faster than they are read; no more at
 * a time than memory allows; and no further once the reader is gone. What it takes is used of the page time of its source.
 */
export class Producer {
  readonly #turns: Turns
  readonly #clock: Clock
  readonly #pageTime: PageTime
  readonly #limits: ProducerLimits
  /** Each begins, and says so, once there is room for it. */
  #waiting: (() => boolean)[] = []
  readonly #held: ConcurrencyLimit<string>

  constructor(
    turns: Turns,
    clock: Clock,
    pageTime: PageTime,
    limits: Partial<ProducerLimits> = {},
  ) {
    this.#turns = turns
    this.#clock = clock
    this.#pageTime = pageTime
    this.#limits = { ...standard, ...limits }
    const { held } = this.#limits
    this.#held = new ConcurrencyLimit({ inAll: held, perKey: held / share })
  }

  /** Characters in memory now: for one source, or for all. */
  held(source?: string): number {
    return source === undefined ? this.#held.total : this.#held.of(source)
  }

  produce(source: string | undefined, { holds, begin }: Production, reader: Reader): Producing {
    const whose = source ?? ''
    let holding = false
    const release = () => {
      if (!holding) return
      holding = false
      this.#held.leave(whose, holds)
      this.#waiting = this.#waiting.filter(begins => !begins())
    }
    const [turns, clock, pageTime, limits] = [
      this.#turns,
      this.#clock,
      this.#pageTime,
      this.#limits,
    ]
    const producing = new Producing(
      { turns, clock, pageTime, limits, source, begin, release },
      reader,
    )
    const begins = () => {
      if (producing.over) return true
      if (!this.#hasRoom(whose, holds)) return false
      holding = true
      this.#held.enter(whose, holds)
      producing.begin()
      return true
    }
    if (!begins()) this.#waiting.push(begins)
    return producing
  }

  /** What is larger than its share has that share alone. */
  #hasRoom(whose: string, holds: number): boolean {
    const fits = this.held(whose) === 0 || !this.#held.isFullFor(whose, holds)
    return fits && (this.#held.total === 0 || !this.#held.isFull(holds))
  }
}

/** One source has no more than this part of the room. */
const share = 4

interface Around {
  readonly turns: Turns
  readonly clock: Clock
  readonly pageTime: PageTime
  readonly limits: ProducerLimits
  readonly source: string | undefined
  readonly begin: () => Pieces
  /** To be called once, when nothing is held any more. */
  readonly release: () => void
}

/** One text on its way to one reader. */
export class Producing {
  /** Kept with null at the end of the text, or with why it was stopped; broken by a fault of ours. */
  readonly done: Promise<Stopped | null>
  readonly #around: Around
  readonly #reader: Reader
  readonly #settle: (stopped: Stopped | null) => void
  readonly #fail: (error: unknown) => void
  readonly #deadline: Timer
  #pieces: Iterator<string> | null = null
  #stall: Timer | null = null
  #pause: Timer | null = null
  #waiting = false
  #written = 0
  #over = false

  constructor(around: Around, reader: Reader) {
    this.#around = around
    this.#reader = reader
    let settle!: (stopped: Stopped | null) => void
    let fail!: (error: unknown) => void
    this.done = new Promise((resolve, reject) => {
      settle = resolve
      fail = reject
    })
    this.#settle = settle
    this.#fail = fail
    this.#deadline = around.clock.after(around.limits.whole, () => this.#stop('too-slow'))
  }

  get over(): boolean {
    return this.#over
  }

  /** To be told when all that was written has been read. */
  drained(): void {
    if (!this.#waiting || this.#over) return
    this.#waiting = false
    this.#stall?.cancel()
    this.#goOn()
  }

  /** To be told when the reader is gone: nothing more is made. */
  gone(): void {
    this.#stop('gone')
  }

  /** There is room in memory. */
  begin(): void {
    this.#goOn()
  }

  #goOn(): void {
    const { turns, source, clock, pageTime } = this.#around
    const seconds = pageTime.left(source)
    if (seconds === 0) turns.add(() => this.#next(), source)
    else this.#pause = clock.after(seconds * 1000, () => this.#goOn())
  }

  #next(): void {
    if (this.#over) return
    const began = performance.now()
    const until = began + slice
    let text = ''
    try {
      this.#pieces ??= this.#around.begin()[Symbol.iterator]()
      for (;;) {
        const { done, value } = this.#pieces.next()
        if (done) {
          this.#write(text)
          this.#end(() => this.#settle(null))
          return
        }
        text += value
        if (text.length >= chunk || performance.now() >= until) break
      }
    } catch (error) {
      this.#end(() => this.#fail(error))
      return
    } finally {
      this.#around.pageTime.use(this.#around.source, performance.now() - began)
    }
    this.#write(text)
    if (this.#over) return
    if (this.#written > this.#around.limits.length) this.#stop('too-long')
    else if (this.#reader.unsent > mostUnsent) this.#wait()
    else this.#goOn()
  }

  #write(text: string): void {
    this.#written += text.length
    if (text !== '') this.#reader.write(text)
  }

  #wait(): void {
    this.#waiting = true
    this.#stall = this.#around.clock.after(this.#around.limits.stall, () => this.#stop('too-slow'))
  }

  #stop(why: Stopped): void {
    if (!this.#over) this.#end(() => this.#settle(why))
  }

  #end(tell: () => void): void {
    this.#over = true
    this.#deadline.cancel()
    this.#stall?.cancel()
    this.#pause?.cancel()
    this.#pieces?.return?.()
    this.#pieces = null
    this.#around.release()
    tell()
  }
}

/** Runs work to its end within one turn, leaving the event loop to others after each slice. */
export const inSlices = async <T>(work: Iterator<unknown, T>): Promise<T> => {
  let until = performance.now() + slice
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + slice
  }
}
