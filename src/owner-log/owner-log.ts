import type { AccountId } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import { hubProtocol } from '../arena/player.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Remote } from '../threads/calls.ts'
import { type Batch, type Draft, type EntryKind, longestSecret, longestText } from './entry.ts'
import type { LogWriter } from './log-writer.ts'

/** In milliseconds. The writer waits a little longer, so that a crash loses a second at most. */
const batchEvery = 200
/** Characters after which a batch leaves at once. */
const batchSize = 256 * 1024
/** What the writer has not written may have so many characters. Beyond it lines are dropped. */
const mostUnwritten = 32 * 1024 * 1024
/** What an entry takes besides its text. */
const entrySize = 64
/** Old days are looked for so often. */
const clearEvery = 3_600_000

const longest = longestText + longestSecret

export interface OwnerLogOptions {
  readonly clock: Clock
  readonly writer: Remote<LogWriter>
  /** Days that are kept, besides today. */
  readonly days: number
  readonly arena: Pick<Arena, 'watch'>
  /** Called when writing begins to fail, and once more when it works again. */
  failed(error: unknown): void
  recovered(): void
  /** Called once everything is written. */
  closed(): Promise<void>
}

/**
 * The owner's log: what each agent has sent and was sent, and how long its moves took. Here lines are only gathered: another
 * thread removes secrets, and writes.
 */
export class OwnerLog {
  readonly #options: OwnerLogOptions
  #batches: Batch[] = []
  #size = 0
  /** Characters that the writer has been given, and has not written yet. */
  #unwritten = 0
  readonly #unanswered = new Set<Promise<void>>()
  #timer: Timer | null = null
  #clearTimer: Timer | null = null
  #hasFailed = false
  readonly #unwatch: () => void
  /** Those of open connections, by the connection. */
  readonly #open = new Map<string, Transcript>()

  constructor(options: OwnerLogOptions) {
    this.#options = options
    this.#unwatch = options.arena.watch(event => this.#follow(event))
    this.#clear()
  }

  /** For one connection, or for one call. `secret`: with which the account has logged in. */
  transcript(account: AccountId, connection: string, secret: string | null): Transcript {
    return new Transcript(this, account, connection, secret)
  }

  /** For transcripts alone. */
  opened(connection: string, transcript: Transcript): void {
    this.#open.set(connection, transcript)
  }

  /** For transcripts alone. */
  closed(connection: string, transcript: Transcript): void {
    if (this.#open.get(connection) === transcript) this.#open.delete(connection)
  }

  /** For transcripts alone. Returns false if there is no room. */
  add(batch: Batch, draft: Draft): boolean {
    const size = entrySize + (draft.text?.length ?? 0)
    if (this.#unwritten + this.#size + size > mostUnwritten) return false
    if (batch.drafts.push(draft) === 1) this.#batches.push(batch)
    this.#size += size
    if (this.#size > batchSize) this.#post()
    else this.#timer ??= this.#options.clock.after(batchEvery, () => this.#post())
    return true
  }

  date(): number {
    return this.#options.clock.date()
  }

  /** Resolves once everything is written. */
  async close(): Promise<void> {
    this.#unwatch()
    this.#clearTimer?.cancel()
    this.#post()
    await this.#options.writer.flush().catch(error => this.#outcome(error))
    await Promise.all(this.#unanswered)
    await this.#options.closed()
  }

  #post(): void {
    this.#timer?.cancel()
    this.#timer = null
    const batches = this.#batches
    if (batches.length === 0) return
    const size = this.#size
    this.#batches = []
    this.#size = 0
    this.#unwritten += size
    const written = this.#options.writer
      .add(batches.map(({ drafts, ...batch }) => ({ ...batch, drafts: drafts.splice(0) })))
      .then(
        () => this.#outcome(null),
        error => this.#outcome(error),
      )
      .then(() => {
        this.#unwritten -= size
        this.#unanswered.delete(written)
      })
    this.#unanswered.add(written)
  }

  #outcome(error: unknown): void {
    const { failed, recovered } = this.#options
    const hadFailed = this.#hasFailed
    this.#hasFailed = error !== null
    if (error !== null && !hadFailed) failed(error)
    if (error === null && hadFailed) recovered()
  }

  /** The moves that agents have made, with the time that the referee has measured. */
  #follow(event: ArenaEvent): void {
    if (event.kind !== 'moved') return
    const { table, ply, move } = event
    const { account, protocol, connection = protocol } = table.deal.players[move[0]]!
    if (connection === undefined || protocol === undefined || protocol === hubProtocol) return
    const open = this.#open.get(connection) ?? this.transcript(account.id, connection, null)
    open.moved(table.id, ply, move)
  }

  #clear(): void {
    const { clock, writer, days } = this.#options
    writer.clear(clock.date(), days).catch(error => this.#outcome(error))
    this.#clearTimer = clock.after(clearEvery, () => this.#clear())
  }
}

/** What is logged of one connection of an agent that has logged in. */
export class Transcript {
  /** The match that is on. */
  match: MatchId | null = null
  readonly #log: OwnerLog
  readonly #batch: Batch
  /** The code of a refusal whose words are sent next. */
  #refusal: string | null = null
  #dropped = 0

  constructor(log: OwnerLog, account: AccountId, connection: string, secret: string | null) {
    this.#log = log
    this.#batch = { account, connection, secret, drafts: [] }
  }

  /** `how`: the wire and the protocol. */
  opened(how: string): void {
    this.#log.opened(this.#batch.connection, this)
    this.#add('opened', how)
  }

  closed(reason: string): void {
    this.#log.closed(this.#batch.connection, this)
    this.#tellRefusal()
    this.#add('closed', reason)
  }

  /** The referee has recorded a move of the agent. */
  moved(match: MatchId, ply: number, [seat, move, ms, fault]: Played): void {
    const text = typeof move === 'string' ? move : JSON.stringify(move)
    const more = { match, seat, ply, ms }
    this.#add('move', text, fault === undefined ? more : { ...more, fault })
  }

  /** A line, or a call with its verb. */
  received(text: string, verb?: string): void {
    this.#add('in', text, verb === undefined ? undefined : { verb })
  }

  sent(text: string, verb?: string): void {
    const code = this.#refusal
    this.#refusal = null
    if (code === null && verb === undefined) this.#add('out', text)
    else
      this.#add('out', text, {
        ...(code !== null && { code }),
        ...(verb !== undefined && { verb }),
      })
  }

  /** The words follow with the next line that is sent. */
  refused(code: string): void {
    this.#tellRefusal()
    this.#refusal = code
  }

  #tellRefusal(): void {
    if (this.#refusal !== null) this.#add('refused', undefined, { code: this.#refusal })
    this.#refusal = null
  }

  #add(kind: EntryKind, text?: string, more?: Partial<Draft>): void {
    const at = this.#log.date()
    const { match } = this
    if (this.#dropped > 0) {
      const isTold = this.#log.add(this.#batch, { at, kind: 'dropped', lines: this.#dropped })
      if (isTold) this.#dropped = 0
    }
    let draft: Draft = text === undefined ? { at, kind, match } : { at, kind, match, text }
    if (text !== undefined && text.length > longest)
      draft = { ...draft, text: text.slice(0, longest), length: text.length }
    if (more !== undefined) draft = { ...draft, ...more }
    if (this.#dropped > 0 || !this.#log.add(this.#batch, draft)) this.#dropped++
  }
}
