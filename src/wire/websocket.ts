import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Dialect, Listener } from '../dialects/dialect.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import { Book, type BookOptions } from './entry.ts'
import { handshake } from './handshake.ts'
import { answerUpgrade, type HttpAnswer } from './http-answer.ts'
import { Patience } from './patience.ts'
import { Pulse } from './pulse.ts'
import { type LineKeeper, WebSocketLine } from './websocket-line.ts'

export interface WebSocketOptions extends BookOptions {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly dialect: Dialect
  readonly clock: Clock
  /** Milliseconds between signs of life that every client is asked for. */
  readonly keepAlive: number
}

/** How long a client may take to answer our close. */
const closeWithin = 3_000

/** Agents that come by WebSocket, each frame of text a message. */
export class WebSocketWire implements LineKeeper {
  readonly #options: WebSocketOptions
  readonly patience: Patience
  readonly #pulse: Pulse
  readonly #book: Book
  /** Whoever is connected; the listener is missing where opening it failed. */
  readonly #guests = new Map<WebSocketLine, Listener | null>()
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#book = new Book('websocket', options)
    this.patience = new Patience(options.clock)
    this.#pulse = new Pulse(options.clock, options.keepAlive)
  }

  /** How many agents are connected. */
  get agents(): number {
    return this.#guests.size
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, query: string): void {
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = this.#options.accounts.byToken(token)
    const entry = this.#book.open(socket.remoteAddress ?? '')
    entry.account = login?.account.name ?? null
    if (login === undefined || login.objection !== null) {
      if (login === undefined) entry.loginFailed()
      const refusal = login?.objection ?? badToken
      entry.refused(refusal.code)
      refuse(socket, refusal)
      return
    }
    const greeting = request.method === 'GET' ? handshake(request.headers) : undefined
    if (greeting === undefined) {
      answerUpgrade(socket, badHandshake)
      return
    }
    params.delete('token')
    this.#welcome(new WebSocketLine(socket, entry, this), greeting, head, login, params)
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

  ended(line: WebSocketLine): void {
    const listener = this.#guests.get(line)!
    this.#guests.delete(line)
    this.#pulse.remove(line)
    if (listener !== null) this.#options.roster.leave(listener)
    if (this.#guests.size === 0) this.#emptied?.()
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
    const listener = line.begin(greeting, head, () =>
      dialect.open(line, login.account, { kind: 'query', params }),
    )
    this.#guests.set(line, listener)
    this.#pulse.add(line)
    if (listener !== null) roster.enter(login, listener)
  }
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
