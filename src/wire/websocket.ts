import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Refusal } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import type { Dialect, Listener } from '../dialects/dialect.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import { answerUpgrade, type HttpAnswer } from './http-answer.ts'
import { Pulse } from './pulse.ts'
import { closeWithin, type LineKeeper, played, WebSocketLine } from './websocket-line.ts'

export interface WebSocketOptions {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly dialect: Dialect
  readonly clock: Clock
  /** Milliseconds between signs of life that every client is asked for. */
  readonly keepAlive: number
  readonly log: Logger
}

/** Agents that come by WebSocket, each frame of text a message. */
export class WebSocketWire implements LineKeeper {
  readonly #options: WebSocketOptions
  readonly #pulse: Pulse
  readonly #guests = new Map<WebSocketLine, Guest>()
  #lastConnection = 0
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#pulse = new Pulse(options.clock, options.keepAlive)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, query: string): void {
    const { accounts, clock } = this.#options
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = accounts.byToken(token)
    const objection = login === undefined ? badToken : accounts.objection(login)
    if (login === undefined || objection !== undefined) {
      answerUpgrade(socket, refused(objection ?? badToken))
      return
    }
    const key = request.headers['sec-websocket-key'] ?? ''
    if (request.headers['sec-websocket-version'] !== '13' || !/^[+/0-9A-Za-z]{22}==$/.test(key)) {
      answerUpgrade(socket, badHandshake)
      return
    }
    params.delete('token')
    this.#welcome(new WebSocketLine(socket, clock, this), login, params, accepted(key), head)
  }

  /** Waits a moment for those who are on their way out, and cuts whoever is left. */
  async close(): Promise<void> {
    if (this.#guests.size > 0)
      await new Promise<void>(resolve => {
        const timer = this.#options.clock.after(closeWithin, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
      })
    for (const line of this.#guests.keys()) line.cut('the host stopped')
    this.#pulse.stop()
  }

  ended(line: WebSocketLine, reason: string): void {
    const { login, connection, listener, stopPulse } = this.#guests.get(line)!
    this.#guests.delete(line)
    stopPulse()
    if (listener !== null) this.#options.roster.leave(listener)
    // A match played to its end is no news: thousands of such lines a second would cost more than the matches.
    this.#options.log[reason === played ? 'debug' : 'info'](
      { wire: 'websocket', connection, account: login.account.name, reason },
      'connection closed',
    )
    if (this.#guests.size === 0) this.#emptied?.()
  }

  failed(line: WebSocketLine, err: unknown): void {
    const connection = this.#guests.get(line)?.connection ?? this.#lastConnection
    this.#options.log.error({ wire: 'websocket', connection, err }, 'internal error')
  }

  #welcome(
    line: WebSocketLine,
    login: Login,
    params: URLSearchParams,
    greeting: string,
    head: Buffer,
  ): void {
    const { dialect, roster } = this.#options
    const connection = ++this.#lastConnection
    const listener = line.begin(greeting, head, line =>
      dialect.open(line, login.account, { kind: 'query', params }),
    )
    this.#guests.set(line, { login, connection, listener, stopPulse: this.#pulse.add(line) })
    if (listener !== null) roster.enter(login, listener)
  }
}

/** Whoever is connected. */
interface Guest {
  readonly login: Login
  readonly connection: number
  readonly listener: Listener | null
  readonly stopPulse: () => void
}

const bearer = (authorization: string | undefined) =>
  authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]

const badToken: Refusal = {
  code: 'bad-token',
  detail: 'give a valid token, as ?token=TOKEN or as the header Authorization: Bearer TOKEN',
}

const refused = ({ code, detail }: Refusal): HttpAnswer => ({
  status: code === 'banned' ? 403 : 401,
  type: 'application/json',
  body: JSON.stringify({ type: 'error', error: detail, code }),
  headers: code === 'banned' ? {} : { 'WWW-Authenticate': 'Bearer' },
})

const badHandshake: HttpAnswer = {
  status: 400,
  body: 'This is not a WebSocket handshake of version 13.\n',
  headers: { 'Sec-WebSocket-Version': '13' },
}

const accepted = (key: string) =>
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  `Sec-WebSocket-Accept: ${createHash('sha1')
    .update(key + magic)
    .digest('base64')}\r\n\r\n`

// From RFC 6455, section 1.3.
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
