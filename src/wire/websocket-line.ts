import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Refusal } from '../arena/codes.ts'
import type { Line, Listener } from '../dialects/dialect.ts'
import { pingFrame, textFrame } from './frames.ts'
import type { Pulsing } from './pulse.ts'

/** In bytes. */
export const longestMessage = 64 * 1024
/** Bytes that a client may leave unread before it is cut. */
const mostUnsent = 1024 * 1024

/**
 * One client. The handshake, reading and the closing are left to ws. Writing is not, because half the time of a
 * match goes to system calls: all that is sent in one tick leaves as one write, the closing with it.
 */
export class WebSocketLine implements Line, Pulsing {
  silent = 0
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  readonly #failed: (error: unknown) => void
  #listener: Listener | null = null
  #outbox = ''
  #flushing = false
  #closeCode: 1000 | 1008 | null = null
  #ending: string | null = null

  constructor(webSocket: WebSocket, socket: Duplex, failed: (error: unknown) => void) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#failed = failed
    webSocket.on('error', error => this.#endsAs(error.message))
    webSocket.on('message', (data, isBinary) => this.#received(data as Buffer, isBinary))
    webSocket.on('pong', () => {
      this.silent = 0
    })
    webSocket.on('close', () => this.#gone())
    // Whoever has said the last word has left, even if there is something left to read.
    socket.on('end', () => this.#gone())
  }

  /** Why it ended, for the log. */
  get ending(): string {
    return this.#ending ?? 'the client left'
  }

  listen(open: () => Listener): Listener | null {
    this.#guard(() => {
      this.#listener = open()
    })
    return this.#listener
  }

  send(text: string): void {
    if (this.#closeCode !== null) return
    this.#outbox += textFrame(text)
    this.#flushSoon()
  }

  note(): void {
    // Every frame is a message; there is no place beside them for words.
  }

  end(ok: boolean): void {
    if (this.#closeCode !== null) return
    this.#closeCode = ok ? 1000 : 1008
    this.#endsAs(ok ? 'done' : 'sent away')
    this.#flushSoon()
  }

  ping(): void {
    if (this.#closeCode !== null) return
    this.#outbox += pingFrame
    this.#flushSoon()
  }

  flatline(): void {
    this.cut('no sign of life')
  }

  cut(ending: string): void {
    this.#endsAs(ending)
    this.#socket.destroy()
  }

  #received(data: Buffer, isBinary: boolean): void {
    this.silent = 0
    const refusal = isBinary ? binary : data.length > longestMessage ? tooLong : undefined
    this.#guard(() => {
      if (refusal !== undefined) this.#listener?.unreadable(refusal)
      else if (!isUtf8(data)) this.#listener?.unreadable(notUtf8)
      else this.#listener?.line(data.toString())
    })
  }

  #gone(): void {
    const listener = this.#listener
    this.#listener = null
    this.#guard(() => listener?.closed())
  }

  /** A fault of ours ends this connection and leaves the others alone. */
  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#failed(error)
      this.#endsAs('failed')
      this.send(failure)
      this.end(false)
    }
  }

  #endsAs(ending: string): void {
    this.#ending ??= ending
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }

  flush(): void {
    this.#flushing = false
    const outbox = this.#outbox
    this.#outbox = ''
    if (this.#webSocket.readyState !== WebSocket.OPEN) return
    this.#socket.cork()
    if (outbox !== '') this.#socket.write(outbox, 'latin1')
    if (this.#closeCode !== null) this.#webSocket.close(this.#closeCode)
    this.#socket.uncork()
    if (this.#socket.writableLength > mostUnsent) this.cut('too slow')
  }
}

const flush = (line: WebSocketLine) => line.flush()

const tooLong: Refusal = {
  code: 'line-too-long',
  detail: `a message has at most ${longestMessage} bytes`,
}
const binary: Refusal = { code: 'bad-message', detail: 'send text frames, not binary ones' }
const notUtf8: Refusal = { code: 'bad-message', detail: 'the message is not UTF-8' }
const failure = '{"type":"error","error":"a fault of ours","code":"internal"}'
