import type { Logger } from 'pino'
import type { Code } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'

const every = 60_000
/** So many are named in a minute; a flood from everywhere would otherwise flood the log as well. */
const mostNamed = 10

/** Keeps those who are turned away out of the log: the first one from each source is named, the others are counted. */
export class TurnedAway {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #named = new Set<string>()
  readonly #counts = new Map<Code, number>()
  #timer: Timer | null = null

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  note(wire: string, address: string | undefined, code: Code): void {
    const name = `${address} ${code}`
    if (this.#named.has(name) || this.#named.size === mostNamed)
      this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1)
    else {
      this.#named.add(name)
      this.#log.warn({ wire, address: address ?? null, code }, 'turned away')
    }
    this.#timer ??= this.#clock.after(every, () => this.close())
  }

  /** Says what was counted, and begins anew. */
  close(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#named.clear()
    if (this.#counts.size === 0) return
    this.#log.warn({ more: Object.fromEntries(this.#counts) }, 'turned away in the last minute')
    this.#counts.clear()
  }
}
