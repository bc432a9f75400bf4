import { randomInt } from 'node:crypto'
import type { ParsedKey } from 'ssh2'
import type { AgentConnection, AgentListener } from '../../bench/agent.ts'
import { dialSsh } from '../../bench/dial-ssh.ts'
import { dialWebSocket } from '../../bench/dial-websocket.ts'
import { newKey } from '../../bench/new-key.ts'
import { systemClock } from '../../src/clock.ts'
import { visitStore } from '../../src/store/store.ts'
import type { Host } from './host.ts'
import { newAccount } from './played.ts'

/** A result that an agent got. */
export interface Told {
  readonly agent: string
  readonly match: number
  readonly rated: boolean
  readonly rating: number
}

/** A match that an agent was seated in. */
export type Begun = Pick<Told, 'agent' | 'match'>

/** Accounts on WebSocket, every fourth on SSH. Making keys is slow, so they are made once. */
export class Crowd {
  readonly names: readonly string[]
  readonly #keys: readonly (ParsedKey | null)[]
  #tokens: readonly string[] = []

  constructor(count: number, named = 'agent') {
    this.names = Array.from({ length: count }, (_, i) => `${named}-${i}`)
    this.#keys = this.names.map((_, i) => (i % 4 === 3 ? newKey() : null))
  }

  /** Gives them accounts in a data folder. */
  settle(folder: string): void {
    const store = visitStore(folder, systemClock)
    try {
      this.#tokens = this.names.map((name, i) => {
        const account = newAccount(store.users, name)
        const key = this.#keys[i]
        const blob = key?.getPublicSSH()
        if (blob !== undefined)
          store.keys.add(account, { type: 'ssh-ed25519', blob, fingerprint: name, comment: '' })
        return store.tokens.mint(account, '').token
      })
    } finally {
      store.db.file.close()
    }
  }

  /** Connects all of them; each plays one match after the other. */
  dial(host: Host): Load {
    return new Load(
      this.names.map((name, i) => listener => {
        const game = games[i % games.length]!
        const key = this.#keys[i]
        return [
          name,
          key == null
            ? dialWebSocket(
                host.http,
                `/play?game=${game}&matches=1000`,
                this.#tokens[i]!,
                listener,
              )
            : dialSsh(host.ssh, key, `${game} --matches 1000`, listener),
        ]
      }),
    )
  }
}

/** Agents that play at random, and record their results. */
export class Load {
  readonly told: Told[] = []
  /** Every match in which an agent was seated. */
  readonly begun: Begun[] = []
  /** The codes of errors that agents got. */
  readonly errors: string[] = []
  /** Once every connection has ended. */
  readonly over: Promise<void>
  readonly #connections: AgentConnection[]
  #wake: () => void = () => {}

  constructor(
    dials: readonly ((
      listener: AgentListener,
    ) => readonly [name: string, connection: AgentConnection])[],
  ) {
    let open = dials.length
    let end = () => {}
    this.over = new Promise(resolve => {
      end = resolve
    })
    this.#connections = dials.map(dial => {
      const [name, connection] = dial({
        received: text => this.#received(name, connection, text),
        closed: () => {
          if (--open === 0) end()
        },
      })
      return connection
    })
  }

  /** With new accounts. */
  static on(host: Host, count: number, named?: string): Load {
    const crowd = new Crowd(count, named)
    crowd.settle(host.env.AGENTBBS_DATA!)
    return crowd.dial(host)
  }

  /** Resolves after so many results. */
  async results(count: number): Promise<void> {
    while (this.told.length < count)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
  }

  /** Closes all connections; live matches are lost. */
  leave(): void {
    for (const connection of this.#connections) connection.close()
  }

  #received(agent: string, connection: AgentConnection, text: string): void {
    // A handshake that a host finds unanswered when it is told to stop.
    if (text.startsWith('HTTP/1.1 503 ')) return
    const message = JSON.parse(text)
    if (message.type === 'state' && message.yourTurn) {
      const { legal } = message.observation
      connection.send(JSON.stringify({ type: 'move', move: legal[randomInt(legal.length)] }))
    }
    if (message.type === 'hello') this.begun.push({ agent, match: message.match })
    if (message.type === 'error') this.errors.push(message.code)
    if (message.type !== 'result') return
    const { match, rated, rating } = message
    this.told.push({ agent, match, rated, rating })
    this.#wake()
  }
}

/** Short games; in the last one both move at the same time. */
const games = ['ttt', 'ttt', 'even-odd']
