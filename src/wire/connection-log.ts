import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Account } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { OwnerLog, Transcript } from '../owner-log/owner-log.ts'

export interface ConnectionLogOptions {
  readonly log: Logger
  readonly clock: Clock
  readonly meter?: Meter
  /** Distinguishes the connections of this process from those of earlier ones. */
  readonly run?: string
  /** What agents do is logged for their owners, too, unless it is null or left out. */
  readonly ownerLog?: Pick<OwnerLog, 'transcript'> | null
}

/** Logs the connections of one wire. */
export class ConnectionLog {
  readonly wire: 'ssh' | 'websocket' | 'http'
  readonly log: Logger
  readonly clock: Clock
  readonly meter: Meter
  readonly ownerLog: Pick<OwnerLog, 'transcript'> | null
  readonly #run: string
  #last = 0

  constructor(
    wire: ConnectionLog['wire'],
    { log, clock, meter, run, ownerLog }: ConnectionLogOptions,
  ) {
    this.wire = wire
    this.log = log
    this.clock = clock
    this.meter = meter ?? unmetered
    this.#run = run ?? 'run'
    this.ownerLog = ownerLog ?? null
  }

  open(address: string): ConnectionEntry {
    return new ConnectionEntry(this, `${this.#run}-${this.wire}-${++this.#last}`, address)
  }
}

/** How many refusals of a connection are logged. Further ones are only counted: one client must not fill the log. */
const refusalsLogged = 5
/** Reasons may come from the client. */
const longestReason = 200

/** What is logged of one connection. */
export class ConnectionEntry {
  /** The id of the connection: unique, also across restarts. */
  readonly connection: string
  /** The name of the account, once the client has logged in. */
  account: string | null = null
  readonly #log: ConnectionLog
  readonly #address: string
  readonly #since: number
  #refused = 0

  constructor(log: ConnectionLog, connection: string, address: string) {
    this.connection = connection
    this.#log = log
    this.#address = address
    this.#since = log.clock.elapsed()
  }

  /** Begins the log that the owner of an agent reads. `secret`: with which it has logged in; null for an SSH key. */
  transcript(account: Account, secret: string | null): Transcript | null {
    return this.#log.ownerLog?.transcript(account.id, this.connection, secret) ?? null
  }

  refused(code: string): void {
    this.#log.meter.refused(code)
    this.#refused++
    if (this.#refused <= refusalsLogged) this.#log.log.info({ ...this.#label(), code }, 'refused')
  }

  /** An internal error. */
  failed(err: unknown): void {
    this.#log.log.error({ ...this.#label(), err }, 'connection failed')
  }

  ended(reason: string, { bytesRead, bytesWritten }: Pick<Socket, 'bytesRead' | 'bytesWritten'>) {
    const { log, clock } = this.#log
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
    return { connection, wire: this.#log.wire, address: this.#address, account }
  }
}
