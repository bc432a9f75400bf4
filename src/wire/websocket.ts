import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import { answerUpgrade } from './http-answer.ts'
import { Pulse } from './pulse.ts'
import { longestMessage, WebSocketLine } from './websocket-line.ts'

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
export class WebSocketWire {
  readonly #options: WebSocketOptions
  readonly #pulse: Pulse
  readonly #lines = new Set<WebSocketLine>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // What is somewhat too long is answered in words; what is far too long is not taken in at all.
    maxPayload: 4 * longestMessage,
    // Checked by the line, so that it is answered and counted like any other message that is none.
    skipUTF8Validation: true,
    ...{ closeTimeout: closeWithin },
  })
  #lastConnection = 0
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#pulse = new Pulse(options.clock, options.keepAlive)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, query: string): void {
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = this.#options.accounts.byToken(token)
    const objection = login === undefined ? badToken : this.#options.accounts.objection(login)
    if (login === undefined || objection !== undefined) {
      refuse(socket, objection ?? badToken)
      return
    }
    params.delete('token')
    // Held back until the tick ends, so that the answer to the upgrade leaves with the first messages.
    socket.cork()
    this.#server.handleUpgrade(request, socket, head, webSocket =>
      this.#open(webSocket, socket, login, params),
    )
    process.nextTick(uncork, socket)
  }

  /** Waits a moment for those who are on their way out, and cuts whoever is left. */
  async close(): Promise<void> {
    if (this.#lines.size > 0)
      await new Promise<void>(resolve => {
        const timer: Timer = this.#options.clock.after(closeWithin, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
      })
    for (const line of this.#lines) line.cut('the host stopped')
    this.#pulse.stop()
  }

  #open(webSocket: WebSocket, socket: Duplex, login: Login, params: URLSearchParams): void {
    const { roster, dialect, log } = this.#options
    const { account } = login
    const connection = ++this.#lastConnection
    const line = new WebSocketLine(webSocket, socket, err => {
      log.error({ wire: 'websocket', connection, account: account.name, err }, 'internal error')
    })
    const listener = line.listen(() => dialect.open(line, account, { kind: 'query', params }))
    const stopPulse = this.#pulse.add(line)
    this.#lines.add(line)
    if (listener !== null) roster.enter(login, listener)
    webSocket.on('close', () => {
      stopPulse()
      this.#lines.delete(line)
      if (listener !== null) roster.leave(listener)
      log.info(
        { wire: 'websocket', connection, account: account.name, ending: line.ending },
        'connection closed',
      )
      if (this.#lines.size === 0) this.#emptied?.()
    })
  }
}

const badToken: Refusal = {
  code: 'bad-token',
  detail: 'give a valid token, as ?token=TOKEN or as the header Authorization: Bearer TOKEN',
}

const bearer = (authorization: string | undefined) =>
  authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]

const uncork = (socket: Duplex) => socket.uncork()

const refuse = (socket: Duplex, { code, detail }: Refusal) =>
  answerUpgrade(socket, {
    status: code === 'banned' ? 403 : 401,
    type: 'application/json',
    body: JSON.stringify({ type: 'error', error: detail, code }),
    ...(code === 'banned' ? {} : { headers: { 'WWW-Authenticate': 'Bearer' } }),
  })
