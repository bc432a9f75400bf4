import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Refusal } from '../arena/codes.ts'
import type { Line, Listener } from '../dialects/dialect.ts'
import { pingFrame, textFrame } from './frames.ts'
import type { Patience, Patient } from './patience.ts'
import type { Pulsing } from './pulse.ts'

/** In bytes. */
export const longestMessage = 64 * 1024
/** Bytes that a client may leave unread before it is cut. */
const mostUnsent = 1024 * 1024

/** Told of the end of a line, and of faults of ours. */
export interface LineKeeper {
  readonly patience: Patience
  ended(line: WebSocketLine, reason: string): void
  failed(line: WebSocketLine, error: unknown): void
}

/**
 * One client. The handshake, reading and the closing are left to ws. Writing is not, because half the time of a
 * match goes to system calls: all that is sent in one tick leaves as one write, the closing with it.
 */
export class WebSocketLine extends WebSocket implements Line, Pulsing, Patient {
  silent = 0
  #wire: Duplex | null = null
  #keeper: LineKeeper | null = null
  #listener: Listener | null = null
  #outbox = ''
  #flushing = false
  #waiting = false
  #closeCode: 1000 | 1008 | null = null
  #reason: string | null = null

  /** Takes over the socket beneath, which ws goes on reading. */
  attend(wire: Duplex, keeper: LineKeeper, open: () => Listener): Listener | null {
    this.#wire = wire
    this.#keeper = keeper
    // Functions that all lines share: ten thousand may wait here.
    this.on('error', failing).on('message', received).on('pong', ponged).on('close', closed)
    this.#guard(() => {
      this.#listener = open()
    })
    return this.#listener
  }

  override send(text: string, patient?: unknown): void {
    if (this.#closeCode !== null) return
    this.#outbox += textFrame(text)
    if (patient !== true) this.#flushSoon()
    else if (!this.#flushing && !this.#waiting) {
      this.#waiting = true
      this.#keeper?.patience.add(this)
    }
  }

  note(): void {
    // Every frame is a message; there is no place beside them for words.
  }

  end(ok: boolean): void {
    if (this.#closeCode !== null) return
    this.#closeCode = ok ? 1000 : 1008
    this.because(ok ? 'done' : 'sent away')
    this.#flushSoon()
  }

  beat(): void {
    if (this.#closeCode !== null) return
    this.#outbox += pingFrame
    this.#flushSoon()
  }

  flatline(): void {
    this.cut('no sign of life')
  }

  cut(reason: string): void {
    this.because(reason)
    this.#wire?.destroy()
  }

  /** The first reason is the one that counts. */
  because(reason: string): void {
    this.#reason ??= reason
  }

  received(data: Buffer, isBinary: boolean): void {
    this.silent = 0
    const refusal = isBinary ? binary : data.length > longestMessage ? tooLong : undefined
    this.#guard(() => {
      if (refusal !== undefined) this.#listener?.unreadable(refusal)
      else if (!isUtf8(data)) this.#listener?.unreadable(notUtf8)
      else this.#listener?.line(data.toString())
    })
  }

  gone(): void {
    const listener = this.#listener
    this.#listener = null
    this.#guard(() => listener?.closed())
    this.#keeper?.ended(this, this.#reason ?? 'the client left')
    this.#keeper = null
  }

  flush(): void {
    this.#flushing = false
    this.#waiting = false
    const outbox = this.#outbox
    this.#outbox = ''
    const wire = this.#wire!
    if (this.readyState !== WebSocket.OPEN || (outbox === '' && this.#closeCode === null)) return
    wire.cork()
    if (outbox !== '') wire.write(outbox, 'latin1')
    if (this.#closeCode !== null) this.close(this.#closeCode)
    wire.uncork()
    if (wire.writableLength > mostUnsent) this.cut('too slow')
  }

  /** A fault of ours ends this connection and leaves the others alone. */
  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#keeper?.failed(this, error)
      this.because('failed')
      this.send(failure)
      this.end(false)
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }
}

const flush = (line: WebSocketLine) => line.flush()

function failing(this: WebSocket, error: Error): void {
  ;(this as WebSocketLine).because(error.message)
}

function received(this: WebSocket, data: unknown, isBinary: boolean): void {
  ;(this as WebSocketLine).received(data as Buffer, isBinary)
}

function ponged(this: WebSocket): void {
  ;(this as WebSocketLine).silent = 0
}

function closed(this: WebSocket): void {
  ;(this as WebSocketLine).gone()
}

const tooLong: Refusal = {
  code: 'line-too-long',
  detail: `a message has at most ${longestMessage} bytes`,
}
const binary: Refusal = { code: 'bad-message', detail: 'send text frames, not binary ones' }
const notUtf8: Refusal = { code: 'bad-message', detail: 'the message is not UTF-8' }
const failure = '{"type":"error","error":"a fault of ours","code":"internal"}'
