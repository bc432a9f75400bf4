import type { Logger } from 'pino'
import type { Clock, Timer } from '../clock.ts'
import { Counter } from '../limits/counter.ts'
import type { WireCode } from '../protocols/codes.ts'

const period = 60_000
/** How many refusals get a log line of their own in a period: a flood from many sources must not flood the log. */
const linesPerPeriod = 10

/** Logs refused connections: the first of each source and code, and of the others only how many there were in a minute. */
export class RefusalLog {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #logged = new Set<string>()
  readonly #unlogged = new Counter<WireCode>()
  #timer: Timer | null = null

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  add(wire: string, address: string | undefined, code: WireCode): void {
    const key = `${address} ${code}`
    if (this.#logged.has(key) || this.#logged.size === linesPerPeriod) this.#unlogged.add(code)
    else {
      this.#logged.add(key)
      this.#log.warn({ wire, address: address ?? null, code }, 'turned away')
    }
    this.#timer ??= this.#clock.after(period, () => this.close())
  }

  /** Logs the counts of this period, and begins a new one. */
  close(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#logged.clear()
    if (this.#unlogged.size === 0) return
    const more = Object.fromEntries(this.#unlogged.entries())
    this.#log.warn({ more }, 'turned away in the last minute')
    this.#unlogged.clear()
  }
}
