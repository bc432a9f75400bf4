import type { Account } from '../arena/account.ts'
import { internalError } from '../arena/codes.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import type { Transcript } from '../owner-log/owner-log.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Close, Connection, Session } from '../protocols/connection.ts'
import type { LastWords } from '../protocols/protocol.ts'
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
  /** Null until an agent has logged in. */
  protected transcript: Transcript | null = null
  #session: Session<Input> | null = null
  /** What the client has done since it sent something that is still being answered; null if nothing is. */
  #held: (() => void)[] | null = null
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
  abstract finish(status: number, reason: string, close?: Close): void

  /** Closes at once. */
  abstract destroy(reason: string): void

  open(open: () => Session<Input>): void {
    this.guard(() => {
      this.#session = open()
    })
  }

  send(text: string, canWait = false): void {
    if (this.isEnding) return
    this.transcript?.sent(text)
    if (!canWait) this.post(this.encode(text))
    else {
      this.#outbox += this.encode(text)
      if (this.#isFlushing || this.#isWaiting) return
      this.#isWaiting = true
      this.shared.batches.add(this)
    }
  }

  plays(match: MatchId | null): void {
    if (this.transcript !== null) this.transcript.match = match
  }

  refused(code: string): void {
    this.entry.refused(code)
    this.transcript?.refused(code)
  }

  failed(error: unknown): void {
    this.entry.failed(error)
  }

  end(status: number, close?: Close): void {
    this.finish(status, status === 0 ? 'done' : 'sent away', close)
  }

  cut(): void {
    this.refused('too-slow')
    this.destroy('too-slow')
  }

  /** Has the session end. The connection ends, whatever the session does. */
  dismiss(refusal: WireRefusal): void {
    if (this.isEnding) return
    this.guard(() => this.#session?.dismiss(refusal))
    this.refuse(refusal)
  }

  /** Tells the client why it is refused, as the last thing it hears. */
  refuse(refusal: WireRefusal, reason = 'sent away'): void {
    if (this.isEnding) return
    this.guard(() => this.#sendLast(refusal, reason))
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

  /**
   * Begins the log for the owner: an agent has logged in. `how`: over which wire, and in which protocol. `asked`: the command or the
   * query that it has connected with.
   */
  protected logFor(account: Account, secret: string | null, how: string, asked: string): void {
    this.transcript = this.entry.transcript(account, secret)
    this.transcript?.opened(how)
    if (asked !== '') this.transcript?.received(asked)
  }

  /** The length of what has not been written yet. */
  protected get waiting(): number {
    return this.#outbox.length
  }

  /** A message as it is written. */
  protected abstract encode(text: string): string

  /** Writes what was in the outbox, and closes where that is due. */
  protected abstract write(outbox: string): void

  /** Puts a refusal into words that the client understands; null where it gets none. */
  protected abstract lastWords(refusal: WireRefusal): LastWords | null

  /** Sends this at the end of the tick, together with all that waits. */
  protected post(encoded: string): void {
    this.#outbox += encoded
    if (this.#isFlushing) return
    this.#isFlushing = true
    process.nextTick(flush, this)
  }

  /** Stops reading, apart from what has been read already. */
  protected abstract pause(): void

  protected abstract resume(): void

  protected receive(input: Input): void {
    if (this.#held !== null) {
      this.#held.push(() => this.receive(input))
      return
    }
    this.guard(() => {
      if (typeof input === 'string') this.transcript?.received(input)
      const answered = this.#session?.receive(input)
      if (answered instanceof Promise) void this.#hold(answered)
    })
  }

  /** Does this once all that the client sent before has been answered. */
  protected inOrder(run: () => void): void {
    if (this.#held === null) run()
    else this.#held.push(run)
  }

  async #hold(answered: Promise<unknown>): Promise<void> {
    this.#held = []
    this.pause()
    try {
      await answered
    } catch (error) {
      this.#fail(error)
    }
    const held = this.#held
    this.#held = null
    // One of them may hold what follows again.
    for (const run of held) this.inOrder(run)
    if (this.#held === null) this.resume()
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
    try {
      if (!this.isEnding) this.#sendLast(internalError, 'failed')
    } catch (wordless) {
      this.failed(wordless)
      this.destroy('failed')
    }
    this.closeSession()
  }

  #sendLast(refusal: WireRefusal, reason: string): void {
    const last = this.lastWords(refusal)
    if (last === null) {
      this.destroy(reason)
      return
    }
    if (last.text !== undefined) this.send(last.text)
    this.finish(1, reason, last.close)
  }
}

const flush = (connection: Batched) => connection.flush()
