import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import type { Dialect, Listener } from '../dialects/dialect.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import { Book, type BookOptions } from './entry.ts'
import { handshake } from './handshake.ts'
import { answerUpgrade, type HttpAnswer, refused } from './http-answer.ts'
import { Patience } from './patience.ts'
import { type Guest, smallFailure } from './porter.ts'
import { Pulse } from './pulse.ts'
import { type LineKeeper, WebSocketLine } from './websocket-line.ts'

export interface WebSocketOptions extends BookOptions {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly dialect: Dialect
  readonly clock: Clock
  /** Milliseconds between signs of life that every client is asked for. */
  readonly keepAlive: number
  readonly limits: Limits
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
  readonly #agents = new Map<WebSocketLine, Listener | null>()
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#book = new Book('websocket', options)
    this.patience = new Patience(options.clock)
    this.#pulse = new Pulse(options.clock, options.keepAlive)
  }

  /** How many agents are connected. */
  get agents(): number {
    return this.#agents.size
  }

  get mostUnsent(): number {
    return this.#options.limits.unread
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, caller: Caller): void {
    const { accounts, roster } = this.#options
    const { guest, address, query } = caller
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = accounts.byToken(token)
    const entry = this.#book.open(address)
    entry.account = login?.account.name ?? null
    // Whoever has no token is more likely to have lost their way than to be guessing.
    if (login === undefined) guest.loginFailed(token === '' ? smallFailure : 1)
    const refusal =
      login === undefined ? badToken : (login.objection ?? roster.objection(login.account))
    if (login === undefined || refusal !== undefined) {
      entry.refused(refusal!.code)
      answerUpgrade(socket, refused(refusal!))
      return
    }
    const greeting = request.method === 'GET' ? handshake(request.headers) : undefined
    if (greeting === undefined) {
      answerUpgrade(socket, badHandshake)
      return
    }
    accounts.proven(login)
    guest.loginSucceeded()
    guest.authenticated()
    params.delete('token')
    this.#welcome(new WebSocketLine(socket, entry, this), greeting, head, login, params)
  }

  /** Waits a moment for those who are on their way out, and cuts whoever is left. */
  async close(): Promise<void> {
    if (this.#agents.size > 0)
      await new Promise<void>(resolve => {
        const timer: Timer = this.#options.clock.after(closeWithin, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
      })
    for (const line of this.#agents.keys()) line.cut('the host stopped')
    this.#pulse.stop()
  }

  ended(line: WebSocketLine): void {
    const listener = this.#agents.get(line)!
    this.#agents.delete(line)
    this.#pulse.remove(line)
    if (listener !== null) this.#options.roster.leave(listener)
    if (this.#agents.size === 0) this.#emptied?.()
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
    this.#agents.set(line, listener)
    this.#pulse.add(line)
    if (listener !== null) roster.enter(login, listener)
  }
}

/** Who asks for a place, and how. */
export interface Caller {
  readonly guest: Guest
  /** For the log. */
  readonly address: string
  readonly query: string
}

const badToken: Refusal = {
  code: 'bad-token',
  detail: 'give a valid token, as ?token=TOKEN or as the header Authorization: Bearer TOKEN',
}

const bearer = (authorization: string | undefined) =>
  authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]

const badHandshake: HttpAnswer = {
  status: 400,
  body: 'This is not a WebSocket handshake of version 13.\n',
  headers: { 'Sec-WebSocket-Version': '13' },
}
