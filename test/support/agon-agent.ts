import { once } from 'node:events'
import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
export type Heard = any

/** An agent of AGON that knows its messages alone. */
export class AgonAgent {
  readonly socket: WebSocket
  readonly token: string
  readonly heard: Heard[] = []
  readonly closed: Promise<number>
  #read = 0
  #wake: (() => void) | null = null

  constructor(port: number, token: string) {
    this.token = token
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/agon/ws/v1/connect?token=${token}`)
    this.socket.on('error', () => {})
    this.socket.on('message', data => {
      this.heard.push(JSON.parse(String(data)))
      this.#wake?.()
    })
    this.closed = new Promise(resolve => this.socket.on('close', code => resolve(code)))
  }

  /** Asks for an answer in HTTP. */
  static async ask(port: number, path: string, token?: string, body?: object): Promise<Heard> {
    const answer = await fetch(`http://127.0.0.1:${port}/agon/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, ...((await answer.json()) as object) }
  }

  /** The session token of a new account. */
  static async register(port: number, name: string): Promise<{ key: string; token: string }> {
    const { api_key: key } = await AgonAgent.ask(port, 'agents/register', undefined, {
      ...{ name, framework: `${name} by hand`, description: 'a test' },
    })
    const { token } = await AgonAgent.ask(port, 'agents/session-token', key, {})
    return { key, token }
  }

  say(action: string, fields: object = {}): void {
    this.socket.send(JSON.stringify({ action, ...fields }))
  }

  /** The next of these events, whatever comes before it. */
  async next(...events: readonly string[]): Promise<Heard> {
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
        if (events.length === 0 || events.includes(message.event)) return message
      }
    }
  }

  /** Enters a room and sits down at its table of this number. */
  async sit(room: string, table = 0): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open')
    this.say('enter_room', { room })
    const { tables } = await this.next('room_state')
    const open = tables.filter(({ status }: Heard) => status === 'waiting')
    this.say('sit_table', { room, table_id: open[table].id })
    await this.next('seated')
  }

  /** Writes these messages, one in each of its turns, until the match is over. */
  async play(messages: readonly string[]): Promise<Heard> {
    await this.next('match_start')
    return this.go(messages)
  }

  /** The same in a match that has started. */
  async go(messages: readonly string[]): Promise<Heard> {
    const { match_id } = this.heard.findLast(({ event }) => event === 'match_start')
    for (const content of messages) {
      const message = await this.next('turn_timer', 'match_end')
      if (message.event === 'match_end') return message
      this.say('send_message', { match_id, content })
    }
    return this.next('match_end')
  }
}
