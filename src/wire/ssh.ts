import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import ssh2, { type ParsedKey } from 'ssh2'
import type { Clock } from '../clock.ts'
import type { Address, Limits } from '../config.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Accounts, Roster } from './accounts.ts'
import type { ConnectionLimiter } from './connection-limiter.ts'
import { ConnectionLog, type ConnectionLogOptions } from './connection-log.ts'
import type { HubSessions } from './hub-session.ts'
import { Rejections } from './rejections.ts'
import { sourceOf } from './source.ts'
import { algorithms } from './ssh-algorithms.ts'
import { SshConnection, type SshShared } from './ssh-connection.ts'
import { disconnect, greeting } from './ssh-disconnect.ts'
import type { Users } from './ssh-login.ts'
import { WriteBatches } from './write-batches.ts'

export interface SshOptions extends ConnectionLogOptions {
  readonly address: Address
  readonly hostKey: ParsedKey
  readonly accounts: Accounts
  readonly roster: Roster
  /** Each answers agents under its SSH user name, if it has one. */
  readonly protocols: readonly Protocol[]
  /** The hub, for all other users. Without it only agents can log in. */
  readonly people?: HubSessions
  readonly clock: Clock
  /** Milliseconds between keep-alive pings. */
  readonly keepAlive: number
  readonly connectionLimiter: ConnectionLimiter
  readonly limits: Limits
}

/** What is answered to one chunk leaves in one write: ssh2 writes each packet alone. */
function answerTogether(this: Socket): void {
  if (this.writableCorked > 0) return
  this.cork()
  // After the messages of sessions, which leave at the end of the tick.
  process.nextTick(process.nextTick, uncork, this)
}

const uncork = (socket: Socket) => socket.uncork()

const servicesOf = (protocols: readonly Protocol[]): Users['agents'] =>
  new Map(
    protocols.flatMap(protocol =>
      protocol.ssh === undefined ? [] : [[protocol.ssh.user, { protocol, ssh: protocol.ssh }]],
    ),
  )

export interface SshWire {
  readonly port: number
  /** How many connections there are, and how many of them have not logged in yet (`arriving`). */
  count(): { readonly arriving: number; readonly agents: number; readonly people: number }
  /** Refuses new connections from now on; open ones stay. */
  stopAccepting(): void
  /** Stops accepting and closes all connections. Resolves when they are closed. */
  close(): Promise<void>
}

/** Serves SSH: agents, with one JSON object a line on the stdin and stdout of a command or shell, and people in the hub. */
export const listenSsh = async (options: SshOptions): Promise<SshWire> => {
  const shared: SshShared = {
    ...options,
    connectionLog: new ConnectionLog('ssh', options),
    channels: {
      clock: options.clock,
      batches: new WriteBatches(options.clock),
      mostUnsent: options.limits.unread,
    },
    users: { agents: servicesOf(options.protocols), people: options.people ?? null },
  }
  const { connectionLimiter } = options
  const connections = new Set<SshConnection>()
  const rejections = new Rejections(options.clock)
  /** Connections that ssh2 has not announced yet, by address and port: ssh2 tells nothing else about a connection. */
  const silent = new Map<string, SshConnection>()

  const server = new ssh2.Server({
    hostKeys: [{ key: options.hostKey }],
    algorithms,
    ident: 'AgentBBS',
    keepaliveInterval: options.keepAlive,
    // The connection is closed when the third ping has had no answer.
    keepaliveCountMax: 2,
  })
  server.on('error', (error: Error) =>
    options.log.error({ wire: 'ssh', err: error }, 'listener failed'),
  )
  server.on('connection', (client, info) => {
    const name = `${info.ip} ${info.port}`
    silent.get(name)?.meet(client)
    silent.delete(name)
  })

  const receive = (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress ?? '')
    const name = `${socket.remoteAddress} ${socket.remotePort}`
    // A socket without an address is closed already. Two with one name could be mistaken for each other.
    if (source === undefined || silent.has(name)) {
      socket.on('error', () => {}).destroy()
      return
    }
    const slot =
      connectionLimiter.lockout('ssh', source) ??
      connectionLimiter.admit('ssh', source, {
        destroy: () => connection.makeRoom(rejections),
      })
    if ('code' in slot) {
      rejections.send(socket, Buffer.concat([greeting, disconnect(slot.detail)]))
      return
    }
    const connection: SshConnection = new SshConnection(shared, socket, slot, () => {
      connections.delete(connection)
      if (silent.get(name) === connection) silent.delete(name)
    })
    connections.add(connection)
    silent.set(name, connection)
    server.injectSocket(socket)
    // Only now: a listener starts the flow of data, and ssh2 has to be listening by then.
    socket.prependListener('data', answerTogether)
    socket.on('data', () => connection.heard())
  }

  // Our own listener, because ssh2 does not announce a connection before its client has sent something. Without noDelay
  // a match takes twelve times as long.
  const listener = createServer({ noDelay: true }, receive)
  const { host, port } = options.address
  listener.listen({ port, ...(host === '' ? {} : { host }) })
  await once(listener, 'listening')
  listener.on('error', error => options.log.error({ wire: 'ssh', err: error }, 'listener failed'))

  const closed = new Promise<void>(resolve => listener.once('close', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    count: () => {
      const count = { arriving: 0, agents: 0, people: 0 }
      for (const { kind } of connections) {
        if (kind === undefined) count.arriving++
        else if (kind === 'agent') count.agents++
        else count.people++
      }
      return count
    },
    stopAccepting: () => void listener.close(),
    close: async () => {
      listener.close()
      rejections.close()
      for (const connection of connections) connection.close()
      await closed
    },
  }
}
