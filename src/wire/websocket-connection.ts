import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import type { Account } from '../arena/account.ts'
import type { Timer } from '../clock.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Close, Message, Session } from '../protocols/connection.ts'
import type { LastWords, Protocol } from '../protocols/protocol.ts'
import { ClientConnection, type Shared } from './client-connection.ts'
import type { ConnectionEntry } from './connection-log.ts'
import { type FrameListener, FrameReader } from './frame-reader.ts'
import { closeFrame, pingFrame, pongFrame, textFrame } from './frames.ts'
import type { KeptAlive } from './keep-alive.ts'

/** In bytes. */
const longestMessage = 64 * 1024
/** How many pings are answered between two of ours. */
const mostPings = 1_000
/** How many milliseconds a client may take to answer our close. */
export const closeWithin = 3_000

/** What all WebSockets share. */
export interface WebSocketShared extends Shared {
  closed(connection: WebSocketConnection): void
}

/**
 * A client on a WebSocket. Half the time of a match goes to system calls, so all that is sent in one tick leaves in one
 * write: the answer to the handshake with the first messages, a result with the close.
 */
export class WebSocketConnection
  extends ClientConnection<Message>
  implements KeptAlive, FrameListener
{
  unansweredPings = 0
  declare protected readonly shared: WebSocketShared
  readonly #socket: Socket
  readonly #protocol: Protocol
  readonly #query: string
  readonly #reader = new FrameReader(longestMessage, this)
  #pings = 0
  /** We have sent our close frame. */
  #closing = false
  /** The client has sent its close frame, or has ended its side. */
  #left = false
  /** What the client sends is not understood any more, but to close at once would take our last message from it. */
  #deaf = false
  #closingTimer: Timer | null = null
  #reason: string | null = null
  /** The words of our close frame, if it has any. */
  #closeWords = ''

  /** `query`: of the handshake. */
  constructor(
    socket: Socket,
    protocol: Protocol,
    query: string,
    entry: ConnectionEntry,
    shared: WebSocketShared,
  ) {
    super(entry, shared)
    this.#socket = socket
    this.#protocol = protocol
    this.#query = query
  }

  loggedIn(account: Account, secret: string): void {
    this.logFor(account, secret, `WebSocket, ${this.#protocol.id}`, this.#query)
  }

  /** Begins with the answer to the handshake; `head` is what came along with the handshake. */
  begin(handshake: string, head: Buffer, open: () => Session<Message>): void {
    this.post(handshake)
    this.open(open)
    this.#socket.on('data', (chunk: Buffer) => this.#reader.read(chunk))
    // A client that has ended its side has left, even if there is something left for it to read.
    this.#socket.on('end', () => this.inOrder(() => this.#leave()))
    this.#socket.on('close', () => {
      this.#closingTimer?.cancel()
      this.closeSession()
      this.transcript?.closed(`${this.#reason ?? left}${this.#closeWords}`)
      this.entry.ended(this.#reason ?? left, this.#socket)
      this.shared.closed(this)
    })
    if (head.length > 0) this.#reader.read(head)
  }

  get isEnding(): boolean {
    return this.#closing
  }

  get unsent(): number {
    return this.#socket.writableLength + this.waiting
  }

  note(): void {
    // Every frame is a message.
  }

  finish(
    status: number,
    reason: string,
    close: Close = { code: status === 0 ? 1000 : 1008 },
  ): void {
    this.#close(close, reason)
  }

  destroy(reason: string): void {
    this.#reason ??= reason
    this.#socket.destroy()
  }

  ping(): void {
    this.#pings = 0
    if (this.#closing) return
    this.post(pingFrame)
    this.guard(() => this.session?.pinged?.())
  }

  timedOut(): void {
    this.refuse(silent, 'no sign of life')
  }

  text(message: Buffer): void {
    this.unansweredPings = 0
    this.receive(isUtf8(message) ? message.toString() : notUtf8)
  }

  binary(): void {
    this.unansweredPings = 0
    this.receive(notText)
  }

  pinged(payload: Buffer): void {
    this.unansweredPings = 0
    if (this.#closing) return
    if (++this.#pings > mostPings) this.dismiss(tooManyPings)
    else {
      this.post(pongFrame(payload))
      this.guard(() => this.session?.alive?.())
    }
  }

  ponged(): void {
    this.unansweredPings = 0
    this.guard(() => this.session?.alive?.())
  }

  closed(): void {
    this.inOrder(() => this.#leave())
  }

  tooLong(): void {
    this.#deaf = true
    this.receive(longer)
    this.inOrder(() => {
      this.refuse(longer)
      this.closeSession()
    })
  }

  broken(why: string): void {
    this.#deaf = true
    this.inOrder(() => {
      this.#close({ code: 1002 }, `not WebSocket: ${why}`)
      this.closeSession()
    })
  }

  protected pause(): void {
    this.#socket.pause()
  }

  protected resume(): void {
    this.#socket.resume()
  }

  protected encode(text: string): string {
    return textFrame(text)
  }

  protected write(outbox: string): void {
    if (!this.#socket.writable) return
    if (outbox !== '') {
      const written = this.session?.drained === undefined ? undefined : this.#written
      this.#socket.write(outbox, 'latin1', written)
    }
    // When both sides have sent their close frames, a half-close before the close is a system call for nothing.
    if (this.#left && this.unsent === 0) this.#socket.destroy()
    else if (this.#left || this.#deaf) this.#socket.end()
    else if (this.unsent > this.shared.mostUnsent) this.cut()
  }

  protected lastWords(refusal: WireRefusal): LastWords | null {
    return this.#protocol.lastWords(refusal)
  }

  /** A socket says that it has drained only where it held more than it likes to. */
  readonly #written = (): void => {
    if (this.unsent === 0) this.guard(() => this.session?.drained?.())
  }

  #close(close: Close, reason: string): void {
    if (this.#closing) return
    this.#closing = true
    this.#reason ??= reason
    if (close.reason !== undefined) this.#closeWords = `: ${close.reason}`
    this.post(closeFrame(close))
    this.#closingTimer = this.shared.clock.after(closeWithin, () => this.#socket.destroy())
  }

  #leave(): void {
    this.#close({ code: 1000 }, left)
    this.#left = true
    this.closeSession()
    this.post('')
  }
}

const left = 'the client left'
const longer = {
  code: 'line-too-long',
  detail: `a message has at most ${longestMessage} bytes`,
} as const
const notText = { code: 'bad-message', detail: 'send text frames, not binary ones' } as const
const notUtf8 = { code: 'bad-message', detail: 'the message is not UTF-8' } as const
const silent: WireRefusal = { code: 'silent', detail: 'no keep-alive has been answered' }
const tooManyPings: WireRefusal = {
  code: 'too-fast',
  detail: `more than ${mostPings} pings of WebSocket between two of ours`,
}
