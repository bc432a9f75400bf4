import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'
import type { Code } from '../arena/codes.ts'
import type { Line, Listener } from '../dialects/dialect.ts'
import { Lines } from './lines.ts'
import type { Patience, Patient } from './patience.ts'

/** What a session leaves to its connection. */
export interface SessionHost {
  readonly connection: string
  refused(code: Code): void
  readonly patience: Patience
  /** What a client may leave unread before it is cut. */
  readonly mostUnsent: number
  /** A fault of ours. */
  failed(session: SshSession, error: unknown): void
  /** The client does not read what it is sent. */
  tooSlow(): void
  /** The last word has been said, and why. */
  over(session: SshSession, reason: string): void
}

/** One command or shell of a client: messages on stdin and stdout, words for people on stderr. */
export class SshSession implements Line, Patient {
  listener: Listener | null = null
  readonly #stream: ServerChannel
  readonly #socket: Socket
  readonly #host: SessionHost
  readonly #lines = new Lines({
    line: text => this.listener?.line(text),
    unreadable: refusal => this.listener?.unreadable(refusal),
  })
  /** Messages that leave together at the end of this tick. */
  #outbox = ''
  #flushing = false
  #waiting = false
  #exit: 0 | 1 | null = null

  constructor(stream: ServerChannel, socket: Socket, host: SessionHost) {
    this.#stream = stream
    this.#socket = socket
    this.#host = host
    // An error here is told by the connection as well, or is a word too late to somebody who has left.
    stream.on('error', ignore)
    stream.stderr.on('error', ignore)
    stream.on('data', (chunk: Buffer) => {
      if (this.#exit === null) this.#guard(() => this.#lines.feed(chunk))
    })
    stream.on('end', () => this.#halfClosed())
    stream.on('close', () => this.closed())
  }

  /** Whether the last word has been said. */
  get ended(): boolean {
    return this.#exit !== null
  }

  open(open: () => Listener): void {
    this.#guard(() => {
      this.listener = open()
    })
  }

  send(text: string, patient = false): void {
    if (this.#exit !== null) return
    this.#outbox += `${text}\n`
    if (!patient) this.#flushSoon()
    else if (!this.#flushing && !this.#waiting) {
      this.#waiting = true
      this.#host.patience.add(this)
    }
  }

  get connection(): string {
    return this.#host.connection
  }

  refused(code: Code): void {
    this.#host.refused(code)
  }

  note(text: string): void {
    if (this.#exit === null && this.#stream.stderr.writable) this.#stream.stderr.write(`${text}\n`)
  }

  end(ok: boolean): void {
    if (this.#exit !== null) return
    this.#exit = ok ? 0 : 1
    this.#flushSoon()
    this.#host.over(this, ok ? 'done' : 'sent away')
  }

  /** The client is gone. */
  closed(): void {
    if (this.#exit === null) {
      this.#exit = 1
      this.#host.over(this, 'the client went')
    }
    const { listener } = this
    this.listener = null
    if (listener !== null) this.#guard(() => listener.closed())
  }

  /** A client that closes its side has left: it may be dead, and no move can come from it. */
  #halfClosed(): void {
    if (this.#exit !== null) return
    this.#guard(() => this.#lines.end())
    if (this.ended) return
    this.note('Your side of the connection was closed, which counts as leaving.')
    this.#flushSoon()
    this.closed()
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }

  flush(): void {
    // What has left already by an earlier flush leaves nothing to do, unless it is the last words that are due.
    if (this.#outbox === '' && !this.#flushing) return
    this.#flushing = false
    this.#waiting = false
    const outbox = this.#outbox
    this.#outbox = ''
    const stream = this.#stream
    if (!stream.writable) return
    if (this.#exit === null) stream.write(outbox)
    else this.#sayLast(outbox)
    if (stream.writableLength + this.#socket.writableLength > this.#host.mostUnsent)
      this.#host.tooSlow()
  }

  /** The last words, the exit status and the end leave in one packet, unless the client is slow to read. */
  #sayLast(words: string): void {
    this.#socket.cork()
    this.#stream.write(words, () => this.#part())
    if (this.#stream.writableLength === 0) this.#part()
    this.#socket.uncork()
  }

  #part(): void {
    // Only the first time counts: what is closed takes no more.
    this.#stream.exit(this.#exit!)
    this.#stream.close()
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#host.failed(this, error)
    }
  }
}

const ignore = () => {}

const flush = (session: SshSession) => session.flush()
