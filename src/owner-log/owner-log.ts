import { type AccountId, agentOf } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { isGuest } from '../arena/guests.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import { hubProtocol } from '../arena/player.ts'
import { isTally } from '../arena/voting.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Remote } from '../threads/calls.ts'
import { BatchBuilder, type Source } from './batch.ts'
import { type EntryKind, longestSecret, longestText } from './entry.ts'
import type { LogWriter } from './log-writer.ts'

/** In milliseconds. The writer waits a little longer, so that a crash loses a second at most. */
const batchEvery = 200
/** Characters after which a batch leaves at once. */
const batchSize = 256 * 1024
/** What the writer has not written may have so many characters. Beyond it lines are dropped. */
const mostUnwritten = 32 * 1024 * 1024
/** What an entry takes besides its text. */
const entrySize = 64
/** How many milliseconds a slow disk may hold up the end of the host. */
const mostAtClose = 5_000
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
  readonly #batch = new BatchBuilder()
  /** The number of the batch that is being gathered. */
  #batchNumber = 0
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

  /** For transcripts alone: whether there is room for an entry with so many characters. */
  hasRoom(length: number): boolean {
    return this.#unwritten + this.#size + entrySize + length <= mostUnwritten
  }

  /** For transcripts alone. */
  add(
    source: SourceInBatch,
    kind: EntryKind,
    at: number,
    match: MatchId | null,
    text: string | null,
    fields: string,
  ): void {
    if (source.batch !== this.#batchNumber) {
      source.batch = this.#batchNumber
      source.place = this.#batch.addSource(source)
    }
    this.#batch.add(source.place, kind, at, match, text, fields)
    this.#size += entrySize + (text?.length ?? 0)
    if (this.#size > batchSize) this.#post()
    else this.#timer ??= this.#options.clock.after(batchEvery, () => this.#post())
  }

  date(): number {
    return this.#options.clock.date()
  }

  /** Resolves once everything is written. */
  async close(): Promise<void> {
    this.#unwatch()
    this.#clearTimer?.cancel()
    this.#post()
    const { clock, writer, closed } = this.#options
    const written = Promise.all([writer.flush(), ...this.#unanswered]).catch(error =>
      this.#outcome(error),
    )
    let timer: Timer | null = null
    const late = new Promise<void>(resolve => {
      timer = clock.after(mostAtClose, resolve)
    })
    await Promise.race([written, late])
    timer!.cancel()
    await closed()
  }

  #post(): void {
    this.#timer?.cancel()
    this.#timer = null
    if (this.#batch.isEmpty) return
    const size = this.#size
    this.#size = 0
    this.#unwritten += size
    this.#batchNumber++
    const written = this.#options.writer
      .add(this.#batch.take())
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
    if (isTally(move)) return
    const { account, protocol, connection = protocol } = table.deal.players[move[0]]!
    if (connection === undefined || protocol === undefined || protocol === hubProtocol) return
    // A guest has nobody who could read its log.
    if (isGuest(account)) return
    const open = this.#open.get(connection) ?? this.transcript(agentOf(account), connection, null)
    open.moved(table.id, ply, move)
  }

  #clear(): void {
    const { clock, writer, days } = this.#options
    writer.clear(clock.date(), days).catch(error => this.#outcome(error))
    this.#clearTimer = clock.after(clearEvery, () => this.#clear())
  }
}

/** A source, with its place in the batch of this number. */
interface SourceInBatch extends Source {
  batch: number
  place: number
}

/** What is logged of one connection of an agent that has logged in. */
export class Transcript {
  /** The match that is on. */
  match: MatchId | null = null
  readonly #log: OwnerLog
  readonly #source: SourceInBatch
  /** The code of a refusal whose words are sent next. */
  #refusal: string | null = null
  #dropped = 0

  constructor(log: OwnerLog, account: AccountId, connection: string, secret: string | null) {
    this.#log = log
    this.#source = { account, connection, secret, batch: -1, place: 0 }
  }

  /** `how`: the wire and the protocol. */
  opened(how: string): void {
    this.#log.opened(this.#source.connection, this)
    this.#add('opened', how, '')
  }

  closed(reason: string): void {
    this.#log.closed(this.#source.connection, this)
    this.#tellRefusal()
    this.#add('closed', reason, '')
  }

  /** The referee has recorded a move of the agent. */
  moved(match: MatchId, ply: number, [seat, move, ms, fault]: Played): void {
    this.#add(
      'move',
      typeof move === 'string' ? move : JSON.stringify(move),
      `"seat":${seat},"ply":${ply},"ms":${ms}${fault === undefined ? '' : `,"fault":"${fault}"`}`,
      match,
    )
  }

  /** A line, or a call with its verb. */
  received(text: string, verb?: string): void {
    this.#add('in', text, verb === undefined ? '' : `"verb":"${verb}"`)
  }

  sent(text: string, verb?: string): void {
    const code = this.#refusal
    this.#refusal = null
    if (code === null && verb === undefined) this.#add('out', text, '')
    else {
      const fields = { ...(code !== null && { code }), ...(verb !== undefined && { verb }) }
      this.#add('out', text, JSON.stringify(fields).slice(1, -1))
    }
  }

  /** The words follow with the next line that is sent. */
  refused(code: string): void {
    this.#tellRefusal()
    this.#refusal = code
  }

  #tellRefusal(): void {
    if (this.#refusal !== null)
      this.#add('refused', null, `"code":${JSON.stringify(this.#refusal)}`)
    this.#refusal = null
  }

  #add(kind: EntryKind, text: string | null, fields: string, match = this.match): void {
    if (!this.#log.hasRoom(text === null ? 0 : Math.min(text.length, longest))) {
      this.#dropped++
      return
    }
    const at = this.#log.date()
    if (this.#dropped > 0)
      this.#log.add(this.#source, 'dropped', at, null, null, `"lines":${this.#dropped}`)
    this.#dropped = 0
    if (text === null || text.length <= longest)
      this.#log.add(this.#source, kind, at, match, text, fields)
    else {
      const more = `${fields}${fields === '' ? '' : ','}"length":${text.length}`
      this.#log.add(this.#source, kind, at, match, text.slice(0, longest), more)
    }
  }
}
