import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
export type Heard = any

/** A WebSocket that keeps the JSON messages it has heard, to be read one after the other. */
export class HearingSocket {
  readonly socket: WebSocket
  readonly heard: Heard[] = []
  readonly closed: Promise<number>
  /** The field that names the kind of a message. */
  readonly #kind: string
  #read = 0
  #wake: (() => void) | null = null

  constructor(url: string, kind: string) {
    this.#kind = kind
    this.socket = new WebSocket(url)
    this.socket.on('error', () => {})
    this.socket.on('message', data => {
      this.heard.push(JSON.parse(String(data)))
      this.#wake?.()
    })
    this.closed = new Promise(resolve => this.socket.on('close', code => resolve(code)))
  }

  /** The next message of these kinds, whatever comes before it. */
  async next(...kinds: readonly string[]): Promise<Heard> {
    for (;;) {
      const message = this.heard[this.#read]
      if (message === undefined) {
        if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the connection is closed')
        await Promise.race([
          this.closed,
          new Promise<void>(resolve => {
            this.#wake = resolve
          }),
        ])
      } else {
        this.#read++
        if (kinds.length === 0 || kinds.includes(message[this.#kind])) return message
      }
    }
  }
}
