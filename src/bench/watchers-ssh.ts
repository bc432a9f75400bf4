import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { WebSocket } from 'ws'
import { systemClock } from '../clock.ts'
import { migrateStore, visitStore } from '../store/store.ts'

export interface Crowd {
  /** People who watch one match, every other of them frozen: such a one reads nothing any more. */
  readonly watchers: number
  readonly moves: number
}

export interface Watched {
  /** Milliseconds from a move to the other player's next board, before anybody watches, and while all do. */
  readonly alone: Latency
  readonly watched: Latency
  /** KiB of memory that each idle session of the hub takes. */
  readonly perSession: number
}

interface Latency {
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** Plays a long match by WebSocket at a steady pace, first alone and then before a crowd that came by SSH. */
export const benchWatchers = async ({ watchers, moves }: Crowd): Promise<Watched> => {
  const house = await House.open()
  try {
    const crowd: Watcher[] = []
    const match = new Match(house)
    await match.play(moves / 4)
    const alone = await match.play(moves)
    const before = house.memory()
    for (let i = 0; i < watchers; i++) crowd.push(await Watcher.sit(house.ssh))
    // What came with them is gone, what they keep stays.
    await pause(2_000)
    const perSession = (house.memory() - before) / watchers
    for (const watcher of crowd) watcher.type('n\r')
    await pause(1_000)
    for (const watcher of crowd.filter((_, i) => i % 2 === 1)) watcher.freeze()
    const watched = await match.play(moves)
    return { alone, watched, perSession }
  } finally {
    house.close()
  }
}

/** Moves a second of the match that is watched: an eager one. */
const pace = 20

class House {
  readonly folder: string
  readonly process: ChildProcess
  readonly tokens: readonly string[]
  ssh = 0
  http = 0

  private constructor(folder: string, tokens: readonly string[], child: ChildProcess) {
    this.folder = folder
    this.tokens = tokens
    this.process = child
  }

  static async open(): Promise<House> {
    const folder = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
    await migrateStore(folder)
    const store = visitStore(folder, systemClock)
    const tokens = ['anna', 'bert'].map(name => {
      const account = store.users.add(name)
      if ('problem' in account) throw new Error(account.problem)
      return store.tokens.mint(account, 'bench').token
    })
    store.db.file.close()
    const child = spawn(process.execPath, ['--expose-gc', process.argv[1]!, 'serve', '--json'], {
      env: {
        ...process.env,
        AGENTBBS_DATA: folder,
        AGENTBBS_ADDR: '127.0.0.1:0',
        AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
        AGENTBBS_HOST: 'localhost',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const house = new House(folder, tokens, child)
    const [said] = await once(child.stdout!, 'data')
    const { ssh, http } = JSON.parse(String(said))
    house.ssh = ssh
    house.http = http
    return house
  }

  /** KiB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1])
  }

  close(): void {
    this.process.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Two agents that play the first legal move, at the pace of this bench. */
class Match {
  #samples: number[] = []
  #sentAt: number | null = null
  #wanted = 0
  #enough: () => void = () => {}

  constructor({ http, tokens }: House) {
    for (const token of tokens) {
      const agent = new WebSocket(`ws://127.0.0.1:${http}/play?game=go19&matches=1000`, {
        headers: { authorization: `Bearer ${token}` },
      })
      agent.on('message', data => this.#hear(agent, JSON.parse(String(data))))
    }
  }

  async play(moves: number): Promise<Latency> {
    this.#samples = []
    this.#wanted = moves
    await new Promise<void>(resolve => {
      this.#enough = resolve
    })
    const sorted = this.#samples.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
    return { p50: at(0.5), p99: at(0.99), most: at(1) }
  }

  #hear(agent: WebSocket, message: { type: string; yourTurn?: boolean; observation?: unknown }) {
    if (message.type !== 'state' || !message.yourTurn) return
    if (this.#sentAt !== null) this.#samples.push(performance.now() - this.#sentAt)
    this.#sentAt = null
    if (this.#samples.length === this.#wanted) this.#enough()
    const { legal } = message.observation as { legal: readonly string[] }
    setTimeout(() => {
      this.#sentAt = performance.now()
      agent.send(JSON.stringify({ type: 'move', move: legal[0] }))
    }, 1000 / pace)
  }
}

class Watcher {
  readonly #socket: Socket
  readonly #stream: ssh2.ClientChannel

  private constructor(socket: Socket, stream: ssh2.ClientChannel) {
    this.#socket = socket
    this.#stream = stream
    stream.resume()
  }

  static async sit(port: number): Promise<Watcher> {
    const socket = connect(port, '127.0.0.1')
    const client = new ssh2.Client()
    client.on('error', () => {})
    client.connect({ sock: socket, username: 'guest' })
    await once(client, 'ready')
    const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.shell({ term: 'xterm-256color', cols: 80, rows: 24 }, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    return new Watcher(socket, stream)
  }

  type(keys: string): void {
    this.#stream.write(keys)
  }

  freeze(): void {
    this.#socket.pause()
  }
}
