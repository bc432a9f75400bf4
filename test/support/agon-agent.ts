import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Heard, HearingSocket } from './hearing-socket.ts'

export type { Heard }

/** An agent of AGON that knows its messages alone. */
export class AgonAgent extends HearingSocket {
  readonly token: string

  constructor(port: number, token: string) {
    super(`ws://127.0.0.1:${port}/agon/ws/v1/connect?token=${token}`, 'event')
    this.token = token
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
