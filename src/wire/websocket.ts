import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import type { Message, Session } from '../protocols/connection.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Accounts, Roster } from './accounts.ts'
import { type ConnectionSlot, smallFailure } from './connection-limiter.ts'
import { ConnectionLog, type ConnectionLogOptions } from './connection-log.ts'
import { handshake } from './handshake.ts'
import { answerUpgrade, type HttpAnswer, refused } from './http-answer.ts'
import { KeepAlive } from './keep-alive.ts'
import { closeWithin, WebSocketConnection, type WebSocketShared } from './websocket-connection.ts'
import { WriteBatches } from './write-batches.ts'

export interface WebSocketOptions extends ConnectionLogOptions {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly protocol: Protocol
  readonly clock: Clock
  /** Milliseconds between keep-alive pings. */
  readonly keepAlive: number
  readonly limits: Limits
}

/** The WebSockets of agents: each text frame is a message. */
export class WebSocketWire implements WebSocketShared {
  readonly clock: Clock
  readonly protocol: Protocol
  readonly batches: WriteBatches
  readonly mostUnsent: number
  readonly #options: WebSocketOptions
  readonly #keepAlive: KeepAlive
  readonly #connectionLog: ConnectionLog
  /** Each with the session that it began with, which is null where opening it failed. */
  readonly #agents = new Map<WebSocketConnection, Session<Message> | null>()
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.clock = options.clock
    this.protocol = options.protocol
    this.batches = new WriteBatches(options.clock)
    this.mostUnsent = options.limits.unread
    this.#connectionLog = new ConnectionLog('websocket', options)
    this.#keepAlive = new KeepAlive(options.clock, options.keepAlive)
  }

  /** How many agents are connected. */
  get agents(): number {
    return this.#agents.size
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, caller: Caller): void {
    const { accounts, roster } = this.#options
    const { slot, address, query } = caller
    const params = new URLSearchParams(query)
    const token = bearer(request.headers.authorization) ?? params.get('token') ?? ''
    const login = accounts.bySecret(token, { protocol: this.protocol.id, takes: ['token'] })
    const entry = this.#connectionLog.open(address)
    entry.account = login?.account.name ?? null
    // A client without a token has more likely come by mistake than to guess one.
    if (login === undefined) slot.loginFailed(token === '' ? smallFailure : 1)
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
    slot.loginSucceeded()
    slot.authenticated()
    params.delete('token')
    const connection = new WebSocketConnection(socket, entry, this)
    connection.begin(greeting, head, () =>
      this.protocol.open(connection, login.account, { kind: 'query', params }),
    )
    const { session } = connection
    this.#agents.set(connection, session)
    this.#keepAlive.add(connection)
    if (session !== null) roster.enter(login, session)
  }

  /** Waits a moment for clients that are about to close, and cuts the others. */
  async close(): Promise<void> {
    if (this.#agents.size > 0)
      await new Promise<void>(resolve => {
        const timer: Timer = this.clock.after(closeWithin, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
      })
    for (const connection of this.#agents.keys()) connection.destroy('the host stopped')
    this.#keepAlive.stop()
  }

  closed(connection: WebSocketConnection): void {
    const session = this.#agents.get(connection)!
    this.#agents.delete(connection)
    this.#keepAlive.remove(connection)
    if (session !== null) this.#options.roster.leave(session)
    if (this.#agents.size === 0) this.#emptied?.()
  }
}

/** The client that asks for a WebSocket. */
export interface Caller {
  readonly slot: ConnectionSlot
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
