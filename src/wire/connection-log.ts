import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Code } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'

/** Where a wire writes down who came and what became of it. */
export interface ConnectionLogOptions {
  readonly log: Logger
  readonly clock: Clock
  readonly meter?: Meter
  /** Tells this run of the program from all others. */
  readonly run?: string
}

/** All entries of one wire. */
export class ConnectionLog {
  readonly wire: 'ssh' | 'websocket'
  readonly log: Logger
  readonly clock: Clock
  readonly meter: Meter
  readonly #run: string
  #last = 0

  constructor(wire: 'ssh' | 'websocket', { log, clock, meter, run }: ConnectionLogOptions) {
    this.wire = wire
    this.log = log
    this.clock = clock
    this.meter = meter ?? unmetered
    this.#run = run ?? 'run'
  }

  open(address: string): ConnectionEntry {
    return new ConnectionEntry(this, `${this.#run}-${this.wire}-${++this.#last}`, address)
  }
}

/** Further ones are only counted: one client must not fill the log. */
const refusalsShown = 5
/** Reasons may come from the client. */
const longestReason = 200

/** What is written down of one connection. */
export class ConnectionEntry {
  /** Unique, also across restarts. */
  readonly connection: string
  /** The name of who came, once that is known. */
  account: string | null = null
  readonly #book: ConnectionLog
  readonly #address: string
  readonly #since: number
  #refused = 0

  constructor(book: ConnectionLog, connection: string, address: string) {
    this.connection = connection
    this.#book = book
    this.#address = address
    this.#since = book.clock.elapsed()
  }

  refused(code: Code): void {
    this.#book.meter.refused(code)
    this.#refused++
    if (this.#refused <= refusalsShown) this.#book.log.info({ ...this.#label(), code }, 'refused')
  }

  /** A fault of ours. */
  failed(err: unknown): void {
    this.#book.log.error({ ...this.#label(), err }, 'connection failed')
  }

  ended(reason: string, { bytesRead, bytesWritten }: Pick<Socket, 'bytesRead' | 'bytesWritten'>) {
    const { log, clock } = this.#book
    if (!log.isLevelEnabled('info')) return
    log.info(
      {
        ...this.#label(),
        ms: Math.round(clock.elapsed() - this.#since),
        bytesRead,
        bytesWritten,
        refused: this.#refused,
        reason: reason.slice(0, longestReason).replace(/[\p{Cc}\p{Cf}]/gu, '?'),
      },
      'connection ended',
    )
  }

  #label() {
    const { connection, account } = this
    return { connection, wire: this.#book.wire, address: this.#address, account }
  }
}
