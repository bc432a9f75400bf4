import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { internalError } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Entrance, HttpAnswer, Protocol, WebSocketPath } from '../protocols/protocol.ts'
import type { ConnectionSlot } from './connection-limiter.ts'
import { ConnectionLog, type ConnectionLogOptions } from './connection-log.ts'
import { ClientGate, type GateKeepers } from './gate.ts'
import { handshake } from './handshake.ts'
import { answerUpgrade } from './http-answer.ts'
import { KeepAlive } from './keep-alive.ts'
import { closeWithin, WebSocketConnection, type WebSocketShared } from './websocket-connection.ts'
import { WriteBatches } from './write-batches.ts'

export interface WebSocketOptions extends ConnectionLogOptions, GateKeepers {
  readonly protocols: readonly Protocol[]
  readonly clock: Clock
  /** Milliseconds between keep-alive pings, where the protocol asks for no others. */
  readonly keepAlive: number
  readonly limits: Limits
}

/** A path that answers WebSockets, and the protocol that owns it. */
interface Mounted {
  readonly protocol: Protocol
  readonly at: WebSocketPath
  readonly keepAlive: KeepAlive
}

/** A client is cut when it has left so many pings unanswered, where its protocol asks for no other number. As over SSH. */
const mostUnanswered = 2

/** The WebSockets of agents: each text frame is a message. */
export class WebSocketWire implements WebSocketShared {
  readonly clock: Clock
  readonly batches: WriteBatches
  readonly mostUnsent: number
  readonly #options: WebSocketOptions
  readonly #connectionLog: ConnectionLog
  readonly #paths: ReadonlyMap<string, Mounted>
  /** Each with its gate, or null once that has let the client in. */
  readonly #agents = new Map<WebSocketConnection, ClientGate | null>()
  /** What all clients have been dismissed for. */
  #dismissal: WireRefusal | null = null
  #emptied: (() => void) | null = null

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.clock = options.clock
    this.batches = new WriteBatches(options.clock)
    this.mostUnsent = options.limits.unread
    this.#connectionLog = new ConnectionLog('websocket', options)
    const pings = { every: options.keepAlive, unanswered: mostUnanswered }
    this.#paths = new Map(
      options.protocols.flatMap(protocol =>
        (protocol.webSockets ?? []).map(at => {
          const keepAlive = new KeepAlive(options.clock, at.keepAlive ?? pings)
          return [at.path, { protocol, at, keepAlive }]
        }),
      ),
    )
  }

  /** How many agents are connected. */
  get agents(): number {
    return this.#agents.size
  }

  /** What answers WebSockets at a path. */
  at(path: string): Mounted | undefined {
    return this.#paths.get(path)
  }

  /** Resolves with undefined where the client is refused before the handshake is answered, or has left by then. */
  async upgrade(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    { slot, address, query, mounted }: Caller,
  ): Promise<WebSocketConnection | undefined> {
    const { protocol, at } = mounted
    const { headers } = request
    const gate = new ClientGate(this.#options, protocol.id, slot, () =>
      this.#connectionLog.open(address),
    )
    let connection: WebSocketConnection | undefined
    gate.limit(
      this.clock.after(this.#options.limits.loginTime, () => {
        if (connection === undefined) {
          // The client has asked for all it can: it is the host that takes so long.
          gate.failed(new Error('a handshake has found no answer in time'))
          gate.refused(internalError.code)
          answerUpgrade(socket, protocol.httpAnswer(internalError))
        } else {
          gate.skipped()
          gate.refused(notLoggedIn.code)
          connection.dismiss(notLoggedIn)
        }
      }),
    )
    try {
      // What the client sends meanwhile is not read yet.
      const open = await at.enter({ params: new URLSearchParams(query), headers, gate })
      if (!socket.writable) return undefined
      const dismissal = this.#dismissal ?? gate.dismissal
      const greeting = request.method === 'GET' ? handshake(headers) : undefined
      if (typeof open !== 'function') answerUpgrade(socket, open)
      else if (dismissal !== null) answerUpgrade(socket, protocol.httpAnswer(dismissal))
      else if (greeting === undefined) answerUpgrade(socket, badHandshake)
      // A client that has ended its side has left.
      else if (socket.readableEnded) socket.destroy()
      else connection = this.#open(socket, mounted, query, gate, greeting, head, open)
      return connection
    } finally {
      if (connection === undefined) gate.left()
    }
  }

  #open(
    socket: Socket,
    { protocol, keepAlive }: Mounted,
    query: string,
    gate: ClientGate,
    greeting: string,
    head: Buffer,
    open: Exclude<Entrance, HttpAnswer>,
  ): WebSocketConnection {
    const connection = new WebSocketConnection(socket, protocol, query, gate.entry, this)
    gate.opened(connection)
    // A gate that has let its client in has done its work, and thousands of agents may wait.
    this.#agents.set(connection, gate.hasLetIn ? null : gate)
    connection.begin(greeting, head, () => open(connection))
    keepAlive.add(connection)
    return connection
  }

  /** Dismisses all clients, also those that have not logged in. */
  dismiss(refusal: WireRefusal): void {
    this.#dismissal = refusal
    for (const connection of this.#agents.keys()) connection.dismiss(refusal)
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
    for (const { keepAlive } of this.#paths.values()) keepAlive.stop()
  }

  closed(connection: WebSocketConnection): void {
    this.#agents.get(connection)?.left()
    this.#agents.delete(connection)
    this.#options.roster.leave(connection)
    for (const { keepAlive } of this.#paths.values()) keepAlive.remove(connection)
    if (this.#agents.size === 0) this.#emptied?.()
  }
}

/** The client that asks for a WebSocket. */
export interface Caller {
  readonly slot: ConnectionSlot
  /** For the log. */
  readonly address: string
  readonly query: string
  readonly mounted: Mounted
}

const notLoggedIn: WireRefusal = {
  code: 'login-timeout',
  detail: 'you have not logged in in time: connect again, and log in at once',
}

const badHandshake: HttpAnswer = {
  status: 400,
  body: 'This is not a WebSocket handshake of version 13.\n',
  headers: { 'Sec-WebSocket-Version': '13' },
}
