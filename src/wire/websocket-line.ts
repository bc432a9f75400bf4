import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Line, Listener } from '../dialects/dialect.ts'
import { type FrameListener, FrameReader } from './frame-reader.ts'
import { closeFrame, pingFrame, pongFrame, textFrame } from './frames.ts'
import type { Pulsing } from './pulse.ts'

/** In bytes. */
const longestMessage = 64 * 1024
/** Bytes that a client may leave unread before it is cut. */
const mostUnsent = 1024 * 1024
/** How long a client may take over its part of the closing. */
export const closeWithin = 3_000

/** The reason of a line that ended as it should. */
export const played = 'played'

/** Whoever keeps the lines. */
export interface LineKeeper {
  /** The socket is closed, for this reason. */
  ended(line: WebSocketLine, reason: string): void
  /** A fault of ours; it ends this line and leaves the others alone. */
  failed(line: WebSocketLine, error: unknown): void
}

/**
 * One client. Half the time of a match goes to system calls, so all that is sent in one tick leaves as one write: the
 * answer to the handshake with the first messages, a result with the close.
 */
export class WebSocketLine implements Line, Pulsing, FrameListener {
  silent = 0
  readonly #socket: Duplex
  readonly #clock: Clock
  readonly #keeper: LineKeeper
  readonly #reader = new FrameReader(longestMessage, this)
  #listener: Listener | null = null
  #outbox = ''
  #flushing = false
  /** We have said our last word, and the client its last. */
  #closing = false
  #closed = false
  #patience: Timer | null = null
  #reason: string | null = null

  constructor(socket: Duplex, clock: Clock, keeper: LineKeeper) {
    this.#socket = socket
    this.#clock = clock
    this.#keeper = keeper
  }

  /** Begins with the answer to the handshake; `head` is what came along with it. */
  begin(greeting: string, head: Buffer, open: (line: Line) => Listener): Listener | null {
    this.#post(greeting)
    this.#guard(() => {
      this.#listener = open(this)
    })
    const listener = this.#listener
    this.#socket.on('data', (chunk: Buffer) => this.#reader.read(chunk))
    // Whoever has said the last word has left, even if there is something left to read.
    this.#socket.on('end', () => this.#leave())
    this.#socket.on('close', () => {
      this.#patience?.cancel()
      this.#tellClosed()
      this.#keeper.ended(this, this.#reason ?? 'the client left')
    })
    this.#reader.read(head)
    return listener
  }

  send(text: string): void {
    if (!this.#closing) this.#post(textFrame(text))
  }

  note(): void {
    // Every frame is a message; there is no place beside them for words.
  }

  end(ok: boolean): void {
    this.#close(ok ? 1000 : 1008, ok ? played : 'sent away')
  }

  ping(): void {
    if (!this.#closing) this.#post(pingFrame)
  }

  flatline(): void {
    this.cut('no sign of life')
  }

  cut(reason: string): void {
    this.#reason ??= reason
    this.#socket.destroy()
  }

  text(message: Buffer): void {
    this.silent = 0
    this.#guard(() => {
      if (isUtf8(message)) this.#listener?.line(message.toString())
      else this.#listener?.unreadable(notUtf8)
    })
  }

  binary(): void {
    this.silent = 0
    this.#guard(() => this.#listener?.unreadable(notText))
  }

  pinged(payload: Buffer): void {
    this.silent = 0
    if (!this.#closing) this.#post(pongFrame(payload))
  }

  ponged(): void {
    this.silent = 0
  }

  closed(): void {
    this.#close(1000, 'the client left')
    this.#leave()
  }

  tooLong(): void {
    this.#guard(() => this.#listener?.unreadable(longer))
    this.end(false)
    this.#leave()
  }

  broken(why: string): void {
    this.#close(1002, `not WebSocket: ${why}`)
    this.#leave()
  }

  #close(code: number, reason: string): void {
    if (this.#closing) return
    this.#post(closeFrame(code))
    this.#closing = true
    this.#reason ??= reason
    this.#patience = this.#clock.after(closeWithin, () => this.#socket.destroy())
  }

  /** The client is gone: the socket is closed when all is sent. */
  #leave(): void {
    this.#close(1000, 'the client left')
    this.#closed = true
    this.#tellClosed()
    this.#post('')
  }

  #tellClosed(): void {
    const listener = this.#listener
    this.#listener = null
    this.#guard(() => listener?.closed())
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#keeper.failed(this, error)
      this.send(failure)
      this.#close(1008, 'failed')
    }
  }

  #post(frame: string): void {
    this.#outbox += frame
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }

  flush(): void {
    this.#flushing = false
    const outbox = this.#outbox
    this.#outbox = ''
    if (!this.#socket.writable) return
    if (!this.#closed) this.#socket.write(outbox, 'latin1')
    else this.#socket.end(outbox, 'latin1')
    if (this.#socket.writableLength > mostUnsent) this.cut('too slow')
  }
}

const flush = (line: WebSocketLine) => line.flush()

const longer: Refusal = {
  code: 'line-too-long',
  detail: `a message has at most ${longestMessage} bytes`,
}
const notText: Refusal = { code: 'bad-message', detail: 'send text frames, not binary ones' }
const notUtf8: Refusal = { code: 'bad-message', detail: 'the message is not UTF-8' }
const failure = '{"type":"error","error":"a fault of ours","code":"internal"}'
