import type { Clock, Timer } from '../clock.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { FairScheduler } from './fair-scheduler.ts'

/** Milliseconds of work in one turn of the event loop. Other work waits no longer than this, plus one step of the work. */
export const slice = 4
/** No more text is produced while more bytes than this are unread. */
const maxUnsent = 128 * 1024

/** Where the text goes. */
export interface Reader {
  /** Bytes that the reader has not read yet. */
  readonly unsent: number
  write(text: string): void
}

/** How much time on the event loop one source may use. The connection limiter sets it (src/wire/connection-limiter.ts). */
export interface PageTime {
  /** Whole seconds until the source may use more time; 0 if it may now. */
  left(source: string | undefined): number
  use(source: string | undefined, ms: number): void
}

export interface TextStreamLimits {
  /** Milliseconds without a byte read after which the text is stopped. */
  readonly stall: number
  /** Milliseconds and characters that one whole text may take. */
  readonly whole: number
  readonly length: number
  /** Characters of recorded matches that may be in memory at a time, for all readers together. */
  readonly held: number
}

/**
 * A match whose moves are longer than this, in characters, is not shown to guests. By the rules of the games matches are
 * far shorter.
 */
export const longest = 64 * 1024 * 1024

/** Room for the largest match as JSON, twice over, and five minutes. */
const defaultLimits: TextStreamLimits = {
  stall: 60_000,
  whole: 300_000,
  length: 64 * 1024 * 1024,
  held: longest,
}

/** Why a text was stopped. `gone`: the reader has left. */
export type Stopped = 'gone' | 'too-slow' | 'too-long'

/** The pieces of a text, in order. An empty piece marks a good moment to yield to other work. */
export type Pieces = Iterable<string>

/** A part of a text. */
export interface TextSlice {
  readonly text: string
  readonly isLast: boolean
  /** Milliseconds that it took to make. */
  readonly ms: number
}

/** A text that is made slice by slice, in this thread or in another. */
export interface TextSource {
  /** How much memory it takes while it lasts, in characters. */
  readonly holds: number
  /** Called when there is memory for it, and again once the slice before is written. */
  next(): TextSlice | Promise<TextSlice>
  /** Called if the text is stopped before its last slice. */
  stop(): void
}

/**
 * Streams long texts to readers: in slices, between which moves are handled; no faster than the reader reads; within a
 * limit on memory; and only until the reader is gone. The time counts against the page time of its source.
 */
export class TextStreamer {
  readonly #scheduler: FairScheduler
  readonly #clock: Clock
  readonly #pageTime: PageTime
  readonly #limits: TextStreamLimits
  /** Texts that wait for memory. Each one begins when there is room, and then returns true. */
  #waiting: (() => boolean)[] = []
  readonly #held: ConcurrencyLimit<string>

  constructor(
    scheduler: FairScheduler,
    clock: Clock,
    pageTime: PageTime,
    limits: Partial<TextStreamLimits> = {},
  ) {
    this.#scheduler = scheduler
    this.#clock = clock
    this.#pageTime = pageTime
    this.#limits = { ...defaultLimits, ...limits }
    const { held } = this.#limits
    this.#held = new ConcurrencyLimit({ inAll: held, perKey: held / share })
  }

  /** Characters in memory now, for one source or for all. */
  held(source?: string): number {
    return source === undefined ? this.#held.total : this.#held.of(source)
  }

  stream(source: string | undefined, text: TextSource, reader: Reader): TextStream {
    const { holds } = text
    const key = source ?? ''
    let holding = false
    const release = () => {
      if (!holding) return
      holding = false
      this.#held.leave(key, holds)
      this.#waiting = this.#waiting.filter(tryBegin => !tryBegin())
    }
    const [scheduler, clock, pageTime, limits] = [
      this.#scheduler,
      this.#clock,
      this.#pageTime,
      this.#limits,
    ]
    const textStream = new TextStream(
      { scheduler, clock, pageTime, limits, source, text, release },
      reader,
    )
    const tryBegin = () => {
      if (textStream.over) return true
      if (!this.#hasRoom(key, holds)) return false
      holding = true
      this.#held.enter(key, holds)
      textStream.begin()
      return true
    }
    if (!tryBegin()) this.#waiting.push(tryBegin)
    return textStream
  }

  /** A text that is larger than a share begins when no other text of its source is in memory. */
  #hasRoom(key: string, holds: number): boolean {
    const fits = this.held(key) === 0 || !this.#held.isFullFor(key, holds)
    return fits && (this.#held.total === 0 || !this.#held.isFull(holds))
  }
}

/** One source may use one part in so many of the memory. */
const share = 4

interface StreamContext {
  readonly scheduler: FairScheduler
  readonly clock: Clock
  readonly pageTime: PageTime
  readonly limits: TextStreamLimits
  readonly source: string | undefined
  readonly text: TextSource
  /** Called once, when the text is over and its memory is free. */
  readonly release: () => void
}

/** One text that is being streamed to one reader. */
export class TextStream {
  /** Resolves with null at the end of the text, or with why it was stopped; rejects on an internal error. */
  readonly done: Promise<Stopped | null>
  readonly #context: StreamContext
  readonly #reader: Reader
  readonly #settle: (stopped: Stopped | null) => void
  readonly #fail: (error: unknown) => void
  readonly #deadline: Timer
  #stall: Timer | null = null
  #pause: Timer | null = null
  #waiting = false
  #written = 0
  #over = false

  constructor(context: StreamContext, reader: Reader) {
    this.#context = context
    this.#reader = reader
    let settle!: (stopped: Stopped | null) => void
    let fail!: (error: unknown) => void
    this.done = new Promise((resolve, reject) => {
      settle = resolve
      fail = reject
    })
    this.#settle = settle
    this.#fail = fail
    this.#deadline = context.clock.after(context.limits.whole, () => this.#stop('too-slow'))
  }

  get over(): boolean {
    return this.#over
  }

  /** Call this when the reader has read all that was written. */
  drained(): void {
    if (!this.#waiting || this.#over) return
    this.#waiting = false
    this.#stall?.cancel()
    this.#continue()
  }

  /** Call this when the reader is gone. */
  gone(): void {
    this.#stop('gone')
  }

  /** Begins, once there is memory for the text. */
  begin(): void {
    this.#continue()
  }

  #continue(): void {
    const { scheduler, source, clock, pageTime } = this.#context
    const seconds = pageTime.left(source)
    if (seconds === 0) scheduler.add(() => this.#nextSlice(), source)
    else this.#pause = clock.after(seconds * 1000, () => this.#continue())
  }

  /** Returns a promise while another thread makes the slice. */
  #nextSlice(): unknown {
    if (this.#over) return
    try {
      const next = this.#context.text.next()
      if (!(next instanceof Promise)) this.#take(next)
      else return next.then(slice => this.#take(slice)).catch(error => this.#broken(error))
    } catch (error) {
      this.#broken(error)
    }
  }

  #take({ text, isLast, ms }: TextSlice): void {
    this.#context.pageTime.use(this.#context.source, ms)
    if (this.#over) return
    this.#write(text)
    if (this.#over) return
    if (isLast) this.#end(() => this.#settle(null))
    else if (this.#written > this.#context.limits.length) this.#stop('too-long')
    else if (this.#reader.unsent > maxUnsent) this.#pauseForReader()
    else this.#continue()
  }

  #broken(error: unknown): void {
    if (!this.#over) this.#end(() => this.#fail(error))
  }

  #write(text: string): void {
    this.#written += text.length
    if (text !== '') this.#reader.write(text)
  }

  #pauseForReader(): void {
    this.#waiting = true
    this.#stall = this.#context.clock.after(this.#context.limits.stall, () =>
      this.#stop('too-slow'),
    )
  }

  #stop(why: Stopped): void {
    if (this.#over) return
    this.#context.text.stop()
    this.#end(() => this.#settle(why))
  }

  #end(tell: () => void): void {
    this.#over = true
    this.#deadline.cancel()
    this.#stall?.cancel()
    this.#pause?.cancel()
    this.#context.release()
    tell()
  }
}
