import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'

export interface Heard {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
  readonly [field: string]: any
}

/** A scripted agent: it says what the test has it say, and keeps what it hears until it is asked for. */
export class WebSocketAgent {
  readonly webSocket: WebSocket
  /** The close code, once closed. */
  readonly closed: Promise<number>
  /** All messages, in the order in which they came. */
  readonly heard: Heard[] = []
  #read = 0
  #wake: () => void = () => {}

  constructor(url: string, options: ClientOptions = {}) {
    this.webSocket = new WebSocket(url, options)
    this.webSocket.on('error', () => {})
    this.webSocket.on('message', data => {
      this.heard.push(JSON.parse(String(data)))
      this.#wake()
    })
    this.closed = once(this.webSocket, 'close').then(([code]) => {
      this.#wake()
      return code
    })
  }

  async opened(): Promise<this> {
    if (this.webSocket.readyState === WebSocket.CONNECTING) await once(this.webSocket, 'open')
    return this
  }

  say(message: object): void {
    this.webSocket.send(JSON.stringify(message))
  }

  move(move: unknown): void {
    this.say({ type: 'move', move })
  }

  /** The next message, or the next one of this type. */
  async next(type?: string): Promise<Heard> {
    for (;;) {
      while (this.#read < this.heard.length) {
        const message = this.heard[this.#read++]!
        if (type === undefined || message.type === type) return message
      }
      if (this.webSocket.readyState === WebSocket.CLOSED)
        throw new Error(`closed before ${type ?? 'another message'} came`)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Plays the first legal move whenever it is its turn, until the result. */
  async playFirstLegal(): Promise<Heard> {
    for (;;) {
      const message = await this.next()
      if (message.type === 'state' && message.yourTurn) this.move(message.observation.legal[0])
      if (message.type === 'result' || message.type === 'error') return message
    }
  }
}
