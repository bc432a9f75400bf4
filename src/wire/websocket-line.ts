import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import type { Code, Refusal } from '../arena/codes.ts'
import type { Timer } from '../clock.ts'
import type { Line, Listener } from '../dialects/dialect.ts'
import type { Entry } from './entry.ts'
import { type FrameListener, FrameReader } from './frame-reader.ts'
import { closeFrame, pingFrame, pongFrame, textFrame } from './frames.ts'
import type { Patience, Patient } from './patience.ts'
import type { Pulsing } from './pulse.ts'

/** In bytes. */
const longestMessage = 64 * 1024
/** Pings that are answered between two of ours. */
const mostPings = 1_000

/** What a line needs of the wire, and tells it. */
export interface LineKeeper {
  readonly patience: Patience
  /** Bytes that a client may leave unread before it is cut. */
  readonly mostUnsent: number
  /** Calls back when a client has had long enough to do its part of the closing. */
  afterClosing(cut: () => void): Timer
  ended(line: WebSocketLine): void
}

/**
 * One client. Half the time of a match goes to system calls, so all that is sent in one tick leaves as one write: the
 * answer to the handshake with the first messages, a result with the close.
 */
export class WebSocketLine implements Line, Pulsing, Patient, FrameListener {
  silent = 0
  readonly entry: Entry
  readonly #socket: Socket
  readonly #keeper: LineKeeper
  readonly #reader = new FrameReader(longestMessage, this)
  #listener: Listener | null = null
  #outbox = ''
  #flushing = false
  #waiting = false
  #pings = 0
  /** We have said our last word. */
  #closing = false
  /** The client has said its last word. */
  #left = false
  /** The client still talks, but is not understood any more: to close at once would take our last words from it. */
  #deaf = false
  #closingTimer: Timer | null = null
  #reason: string | null = null

  constructor(socket: Socket, entry: Entry, keeper: LineKeeper) {
    this.entry = entry
    this.#socket = socket
    this.#keeper = keeper
  }

  /** Begins with the answer to the handshake; `head` is what came along with the handshake. */
  begin(greeting: string, head: Buffer, open: () => Listener): Listener | null {
    this.#post(greeting)
    this.#guard(() => {
      this.#listener = open()
    })
    const listener = this.#listener
    this.#socket.on('data', (chunk: Buffer) => this.#reader.read(chunk))
    // Whoever has said the last word has left, even if there is something left to read.
    this.#socket.on('end', () => this.#leave())
    this.#socket.on('close', () => {
      this.#closingTimer?.cancel()
      this.#tellClosed()
      this.entry.ended(this.#reason ?? left, this.#socket)
      this.#keeper.ended(this)
    })
    if (head.length > 0) this.#reader.read(head)
    return listener
  }

  send(text: string, patient = false): void {
    if (this.#closing) return
    if (!patient) this.#post(textFrame(text))
    else {
      this.#outbox += textFrame(text)
      if (this.#flushing || this.#waiting) return
      this.#waiting = true
      this.#keeper.patience.add(this)
    }
  }

  get connection(): string {
    return this.entry.connection
  }

  refused(code: Code): void {
    this.entry.refused(code)
  }

  note(): void {
    // Every frame is a message; there is no place beside them for words.
  }

  end(ok: boolean): void {
    this.#close(ok ? 1000 : 1008, ok ? 'done' : 'sent away')
  }

  beat(): void {
    this.#pings = 0
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
    if (this.#closing) return
    if (++this.#pings > mostPings) this.#guard(() => this.#listener?.dismiss(tooManyPings))
    else this.#post(pongFrame(payload))
  }

  ponged(): void {
    this.silent = 0
  }

  closed(): void {
    this.#leave()
  }

  tooLong(): void {
    this.#deaf = true
    this.#guard(() => this.#listener?.unreadable(longer))
    this.end(false)
    this.#tellClosed()
  }

  broken(why: string): void {
    this.#deaf = true
    this.#close(1002, `not WebSocket: ${why}`)
    this.#tellClosed()
  }

  flush(): void {
    this.#flushing = false
    this.#waiting = false
    const outbox = this.#outbox
    this.#outbox = ''
    if (!this.#socket.writable) return
    if (outbox !== '') this.#socket.write(outbox, 'latin1')
    // Once both have said their last word, a half-close before the close is a system call for nothing.
    if (this.#left && this.#socket.writableLength === 0) this.#socket.destroy()
    else if (this.#left || this.#deaf) this.#socket.end()
    else if (this.#socket.writableLength > this.#keeper.mostUnsent) {
      this.refused('too-slow')
      this.cut('too slow')
    }
  }

  #post(frame: string): void {
    this.#outbox += frame
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }

  #close(code: number, reason: string): void {
    if (this.#closing) return
    this.#closing = true
    this.#reason ??= reason
    this.#post(closeFrame(code))
    this.#closingTimer = this.#keeper.afterClosing(() => this.#socket.destroy())
  }

  #leave(): void {
    this.#close(1000, left)
    this.#left = true
    this.#tellClosed()
    this.#post('')
  }

  #tellClosed(): void {
    const listener = this.#listener
    this.#listener = null
    this.#guard(() => listener?.closed())
  }

  /** A fault of ours ends this connection and leaves the others alone. */
  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.entry.failed(error)
      this.refused('internal')
      this.send(failure)
      this.#close(1008, 'failed')
    }
  }
}

const flush = (line: WebSocketLine) => line.flush()

const left = 'the client left'
const longer: Refusal = {
  code: 'line-too-long',
  detail: `a message has at most ${longestMessage} bytes`,
}
const notText: Refusal = { code: 'bad-message', detail: 'send text frames, not binary ones' }
const notUtf8: Refusal = { code: 'bad-message', detail: 'the message is not UTF-8' }
const tooManyPings: Refusal = {
  code: 'too-fast',
  detail: `more than ${mostPings} pings of WebSocket between two of ours`,
}
const failure = '{"type":"error","error":"a fault of ours","code":"internal"}'
