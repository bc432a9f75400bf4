import type { EventEmitter } from 'node:events'
import * as ws from 'ws'

/** What the frames of a client are. After the last three nothing more is read. */
export interface FrameListener {
  text(message: Buffer): void
  binary(): void
  pinged(payload: Buffer): void
  ponged(): void
  closed(): void
  /** A message is longer than the limit. Told before the message has been received. */
  tooLong(): void
  /** These bytes are not WebSocket. */
  broken(why: string): void
}

/**
 * Reads the frames of one client with the receiver of ws alone. The WebSocket that ws would put around it costs more
 * than the rules of a short match, most of it for taking its streams down again.
 */
export class FrameReader {
  readonly #receiver: Receiver
  readonly #listener: FrameListener
  #done = false

  constructor(longest: number, listener: FrameListener) {
    this.#listener = listener
    this.#receiver = new Receiver({
      isServer: true,
      maxPayload: longest,
      // Byte by byte a message would otherwise take up hundreds of times its size.
      maxFragments: 4096,
      maxBufferedChunks: 4096,
      // Checked by the connection, so that it is answered and counted like any other invalid message.
      skipUTF8Validation: true,
      allowSynchronousEvents: true,
      binaryType: 'nodebuffer',
    })
    this.#receiver.reader = this
    // Functions that all readers share: ten thousand agents may wait here.
    this.#receiver
      .on('message', onMessage)
      .on('ping', onPing)
      .on('pong', onPong)
      .on('conclude', onConclude)
      .on('error', onError)
  }

  read(chunk: Buffer): void {
    if (!this.#done) this.#receiver.write(chunk)
  }

  tell(what: (listener: FrameListener) => void): void {
    if (!this.#done) what(this.#listener)
  }

  tellLast(what: (listener: FrameListener) => void): void {
    this.tell(what)
    this.#done = true
  }
}

/** What ws exports and its types leave out. */
interface Receiver extends EventEmitter {
  reader?: FrameReader
  write(chunk: Buffer): boolean
}

const { Receiver } = ws as unknown as { Receiver: new (options: object) => Receiver }

function onMessage(this: Receiver, data: Buffer, isBinary: boolean): void {
  this.reader?.tell(listener => (isBinary ? listener.binary() : listener.text(data)))
}

function onPing(this: Receiver, payload: Buffer): void {
  this.reader?.tell(listener => listener.pinged(payload))
}

function onPong(this: Receiver): void {
  this.reader?.tell(listener => listener.ponged())
}

function onConclude(this: Receiver): void {
  this.reader?.tellLast(listener => listener.closed())
}

function onError(this: Receiver, { code, message }: Error & { code?: string }): void {
  const why = message.replace('Invalid WebSocket frame: ', '')
  this.reader?.tellLast(listener =>
    code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? listener.tooLong() : listener.broken(why),
  )
}
