import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import ssh2, { type ParsedKey } from 'ssh2'
import type { Clock } from '../clock.ts'
import type { Address, Limits } from '../config.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Accounts, Roster } from './accounts.ts'
import type { ConnectionLimiter } from './connection-limiter.ts'
import { ConnectionLog, type ConnectionLogOptions } from './connection-log.ts'
import type { HubSessions } from './hub-session.ts'
import { Rejections } from './rejections.ts'
import { sourceOf } from './source.ts'
import { algorithms } from './ssh-algorithms.ts'
import { SshConnection, type SshHouse } from './ssh-connection.ts'
import { disconnect, greeting } from './ssh-disconnect.ts'
import { WriteBatches } from './write-batches.ts'

export interface SshOptions extends ConnectionLogOptions {
  readonly address: Address
  readonly hostKey: ParsedKey
  readonly accounts: Accounts
  readonly roster: Roster
  /** What is spoken to agents, who come as user `game`. */
  readonly dialect: Dialect
  /** Where everybody else is received. Without it there are only agents here. */
  readonly people?: HubSessions
  readonly clock: Clock
  /** Milliseconds between signs of life that every client is asked for. */
  readonly keepAlive: number
  readonly connectionLimiter: ConnectionLimiter
  readonly limits: Limits
}

export interface SshWire {
  readonly port: number
  /** How many are connected, and how many of them have not logged in yet. */
  count(): { readonly arriving: number; readonly agents: number; readonly people: number }
  /** Takes nobody in any more at once; whoever is here stays. */
  stopAccepting(): void
  /** Stops accepting, sends everybody away, and resolves when all are gone. */
  close(): Promise<void>
}

/** Agents that come by SSH, one command or shell with NDJSON on its stdin and stdout; and people, to the hub. */
export const listenSsh = async (options: SshOptions): Promise<SshWire> => {
  const house: SshHouse = {
    ...options,
    book: new ConnectionLog('ssh', options),
    channels: { batches: new WriteBatches(options.clock), mostUnsent: options.limits.unread },
    users: { agents: new Map([['game', options.dialect]]), people: options.people ?? null },
  }
  const { connectionLimiter } = options
  const connections = new Set<SshConnection>()
  const farewells = new Rejections(options.clock)
  /** Those from which nothing has come yet, by the only thing that ssh2 lets us know them by. */
  const silent = new Map<string, SshConnection>()

  const server = new ssh2.Server({
    hostKeys: [{ key: options.hostKey }],
    algorithms,
    ident: 'AgentBBS',
    keepaliveInterval: options.keepAlive,
    // The third time without an answer is the end.
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
    // A socket without an address was gone before it was here; one name twice, and we could mistake them.
    if (source === undefined || silent.has(name)) {
      socket.on('error', () => {}).destroy()
      return
    }
    const guest =
      connectionLimiter.lockout('ssh', source) ??
      connectionLimiter.admit('ssh', source, {
        destroy: () => connection.makeRoom(farewells),
      })
    if ('code' in guest) {
      farewells.tell(socket, Buffer.concat([greeting, disconnect(guest.detail)]))
      return
    }
    const connection: SshConnection = new SshConnection(house, socket, guest, () => {
      connections.delete(connection)
      if (silent.get(name) === connection) silent.delete(name)
    })
    connections.add(connection)
    silent.set(name, connection)
    server.injectSocket(socket)
    // Only now: it would start the flow of data before ssh2 is there to take it.
    socket.on('data', () => connection.heard())
  }

  // Our own listener, because ssh2 says nothing of a connection that says nothing. Without noDelay a match takes
  // twelve times as long.
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
      farewells.close()
      for (const connection of connections) connection.close()
      await closed
    },
  }
}
