import type { Code, Refusal } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import type { Connection, Session } from '../protocols/connection.ts'
import type { ConnectionEntry } from './connection-log.ts'
import type { Batched, WriteBatches } from './write-batches.ts'

/** What all connections of one wire share. */
export interface Shared {
  readonly clock: Clock
  readonly batches: WriteBatches
  /** How many bytes a client may leave unread before it is cut. */
  readonly mostUnsent: number
}

/**
 * What all connections have in common: an outbox, from which all messages of one tick leave in one write; and a guard, so
 * that an internal error ends one session and no other.
 */
export abstract class ClientConnection<Input> implements Connection, Batched {
  readonly entry: ConnectionEntry
  protected readonly shared: Shared
  #session: Session<Input> | null = null
  #outbox = ''
  /** The outbox leaves at the end of this tick. */
  #isFlushing = false
  /** The outbox leaves with the next batch. */
  #isWaiting = false

  constructor(entry: ConnectionEntry, shared: Shared) {
    this.entry = entry
    this.shared = shared
  }

  get id(): string {
    return this.entry.connection
  }

  get session(): Session<Input> | null {
    return this.#session
  }

  /** Whether nothing more is sent: we have said that we close, or the client is gone. */
  abstract get isEnding(): boolean

  abstract get unsent(): number

  abstract note(text: string): void

  /** Closes once all that was sent has left. `reason` is for the log. */
  abstract finish(status: number, reason: string): void

  /** Closes at once. */
  abstract destroy(reason: string): void

  open(open: () => Session<Input>): void {
    this.guard(() => {
      this.#session = open()
    })
  }

  send(text: string, canWait = false): void {
    if (this.isEnding) return
    if (!canWait) this.post(this.encode(text))
    else {
      this.#outbox += this.encode(text)
      if (this.#isFlushing || this.#isWaiting) return
      this.#isWaiting = true
      this.shared.batches.add(this)
    }
  }

  refused(code: Code): void {
    this.entry.refused(code)
  }

  failed(error: unknown): void {
    this.entry.failed(error)
  }

  end(status: number): void {
    this.finish(status, status === 0 ? 'done' : 'sent away')
  }

  cut(): void {
    this.refused('too-slow')
    this.destroy('too-slow')
  }

  /** Tells the client why it is refused, as the last thing it hears. */
  refuse(refusal: Refusal): void {
    this.explain(refusal)
    this.end(1)
  }

  flush(): void {
    // A batch has nothing to send where an earlier flush took its messages along.
    if (this.#outbox === '' && !this.#isFlushing) return
    this.#isFlushing = false
    this.#isWaiting = false
    const outbox = this.#outbox
    this.#outbox = ''
    this.write(outbox)
  }

  /** A message as it is written. */
  protected abstract encode(text: string): string

  /** Writes what was in the outbox, and closes where that is due. */
  protected abstract write(outbox: string): void

  /** Puts a refusal into words that the client understands. */
  protected abstract explain(refusal: Refusal): void

  /** Sends this at the end of the tick, together with all that waits. */
  protected post(encoded: string): void {
    this.#outbox += encoded
    if (this.#isFlushing) return
    this.#isFlushing = true
    process.nextTick(flush, this)
  }

  protected receive(input: Input): void {
    this.guard(() => this.#session?.receive(input))
  }

  /** What the session asks of the host is done before this returns, so that messages are answered in their order. */
  protected guard(run: () => void): void {
    try {
      this.shared.clock.soon.turn(run)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Tells the session, once, that the connection is closed. */
  protected closeSession(): void {
    const session = this.#session
    this.#session = null
    if (session !== null) this.guard(() => session.closed())
  }

  #fail(error: unknown): void {
    this.failed(error)
    this.refused('internal')
    this.explain(internalError)
    this.finish(1, 'failed')
    this.closeSession()
  }
}

const flush = (connection: Batched) => connection.flush()

const internalError: Refusal = { code: 'internal', detail: 'internal error; it has been logged' }
