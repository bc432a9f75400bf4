import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Dialect, Listener } from '../dialects/dialect.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import { handshake } from './handshake.ts'
import { answerUpgrade, type HttpAnswer } from './http-answer.ts'
import { Patience } from './patience.ts'
import { Pulse } from './pulse.ts'
import { type LineKeeper, WebSocketLine } from './websocket-line.ts'

export interface WebSocketOptions {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly dialect: Dialect
  readonly clock: Clock
  /** Milliseconds between signs of life that every client is asked for. */
  readonly keepAlive: number
  readonly log: Logger
}

/** How long a client may take to answer our close. */
const closeWithin = 3_000

/** Agents that come by WebSocket, each frame of text a message. */
export class WebSocketWire implements LineKeeper {
  readonly #options: WebSocketOptions
  readonly patience: Patience
  readonly #pulse: Pulse
  readonly #guests = new Map<WebSocketLine, Guest>()
  #lastConnection = 0
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.patience = new Patience(options.clock)
    this.#pulse = new Pulse(options.clock, options.keepAlive)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, query: string): void {
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = this.#options.accounts.byToken(token)
    if (login === undefined || login.objection !== null) {
      refuse(socket, login?.objection ?? badToken)
      return
    }
    const greeting = request.method === 'GET' ? handshake(request.headers) : undefined
    if (greeting === undefined) {
      answerUpgrade(socket, badHandshake)
      return
    }
    params.delete('token')
    this.#welcome(new WebSocketLine(socket, this), greeting, head, login, params)
  }

  /** Waits a moment for those who are on their way out, and cuts whoever is left. */
  async close(): Promise<void> {
    if (this.#guests.size > 0)
      await new Promise<void>(resolve => {
        const timer: Timer = this.#options.clock.after(closeWithin, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
      })
    for (const line of this.#guests.keys()) line.cut('the host stopped')
    this.#pulse.stop()
  }

  ended(line: WebSocketLine, reason: string): void {
    const { login, connection, listener } = this.#guests.get(line)!
    this.#guests.delete(line)
    this.#pulse.remove(line)
    if (listener !== null) this.#options.roster.leave(listener)
    const account = login.account.name
    this.#options.log.info({ wire: 'websocket', connection, account, reason }, 'connection closed')
    if (this.#guests.size === 0) this.#emptied?.()
  }

  failed(line: WebSocketLine, err: unknown): void {
    const connection = this.#guests.get(line)?.connection ?? this.#lastConnection
    this.#options.log.error({ wire: 'websocket', connection, err }, 'internal error')
  }

  afterClosing(cut: () => void): Timer {
    return this.#options.clock.after(closeWithin, cut)
  }

  #welcome(
    line: WebSocketLine,
    greeting: string,
    head: Buffer,
    login: Login,
    params: URLSearchParams,
  ): void {
    const { dialect, roster } = this.#options
    const connection = ++this.#lastConnection
    const listener = line.begin(greeting, head, () =>
      dialect.open(line, login.account, { kind: 'query', params }),
    )
    this.#guests.set(line, { login, connection, listener })
    this.#pulse.add(line)
    if (listener !== null) roster.enter(login, listener)
  }
}

/** Whoever is connected. */
interface Guest {
  readonly login: Login
  readonly connection: number
  readonly listener: Listener | null
}

const badToken: Refusal = {
  code: 'bad-token',
  detail: 'give a valid token, as ?token=TOKEN or as the header Authorization: Bearer TOKEN',
}

const bearer = (authorization: string | undefined) =>
  authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]

const refuse = (socket: Duplex, { code, detail }: Refusal) =>
  answerUpgrade(socket, {
    status: code === 'banned' ? 403 : 401,
    type: 'application/json',
    body: JSON.stringify({ type: 'error', error: detail, code }),
    ...(code === 'banned' ? {} : { headers: { 'WWW-Authenticate': 'Bearer' } }),
  })

const badHandshake: HttpAnswer = {
  status: 400,
  body: 'This is not a WebSocket handshake of version 13.\n',
  headers: { 'Sec-WebSocket-Version': '13' },
}
