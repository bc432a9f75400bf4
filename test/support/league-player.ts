// A server that plays league.v2: what its authors would write who know the text of the protocol alone.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever comes, and fail where it is not there.
export type Message = { readonly [field: string]: any }

interface Call {
  readonly method: string
  readonly id: number
  readonly params: Message
}

/** Answers one call in place of the player: false where it is to answer as usual. */
export type Habit = (
  call: Call,
  response: ServerResponse,
  player: LeaguePlayer,
) => boolean | Promise<boolean>

export class LeaguePlayer {
  readonly name: string
  readonly calls: (Message & { readonly method: string })[] = []
  id = ''
  token = ''
  readonly #server: Server
  readonly #habit: Habit | undefined
  readonly #choice: (call: Message) => Message
  #port = 0
  #lastId = 0

  constructor(
    name: string,
    {
      habit,
      choice = () => ({ parity_choice: 'even' }),
    }: { readonly habit?: Habit; readonly choice?: (call: Message) => Message } = {},
  ) {
    this.name = name
    this.#habit = habit
    this.#choice = choice
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}/mcp`
  }

  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Sends a message to the host, and answers with all of the reply. */
  async send(url: string, message: Message): Promise<Message> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        method: String(message.message_type).toLowerCase(),
        params: { ...this.envelope(), ...message },
        id: ++this.#lastId,
      }),
    })
    return (await response.json()) as Message
  }

  async register(url: string, more: Message = {}): Promise<Message> {
    const { result } = await this.send(url, {
      message_type: 'LEAGUE_REGISTER_REQUEST',
      player_meta: {
        display_name: this.name,
        version: '1.0.0',
        game_types: ['even_odd'],
        contact_endpoint: this.endpoint,
      },
      ...more,
    })
    this.id = result.player_id
    this.token = result.auth_token
    return result
  }

  query(url: string, query_type: string, more: Message = {}): Promise<Message> {
    return this.send(url, {
      ...{ message_type: 'LEAGUE_QUERY', query_type, auth_token: this.token },
      ...more,
    })
  }

  envelope() {
    return {
      protocol: 'league.v2',
      sender: `player:${this.id || this.name}`,
      timestamp: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
      conversation_id: `conv-${this.name}`,
    }
  }

  /** What it was sent of this type. */
  got(type: string): readonly Message[] {
    return this.calls.filter(({ message_type }) => message_type === type)
  }

  /** The message that answers a call; undefined for one that only tells something. */
  replyTo({ params }: Call): Message | undefined {
    const base = { ...this.envelope(), conversation_id: params.conversation_id }
    const about = { match_id: params.match_id, player_id: this.id }
    if (params.message_type === 'GAME_INVITATION')
      return {
        ...{ ...base, ...about, message_type: 'GAME_JOIN_ACK', accept: true },
        arrival_timestamp: base.timestamp,
      }
    if (/^CHOOSE_(PARITY|MOVE)_CALL$/.test(params.message_type))
      return {
        ...{ ...base, ...about },
        message_type: params.message_type.replace('CALL', 'RESPONSE'),
        ...this.#choice(params),
      }
    return undefined
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const call = JSON.parse(await text(request)) as Call
    this.calls.push({ ...call.params, method: call.method })
    if (this.#habit !== undefined && (await this.#habit(call, response, this))) return
    const result = this.replyTo(call) ?? { status: 'ok' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', result, id: call.id }))
  }
}
