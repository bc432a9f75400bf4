import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { systemClock } from '../../src/clock.ts'
import { publicKeyOf } from '../../src/store/public-key.ts'
import { openHostKey } from '../../src/wire/host-key.ts'
import { agentbbs } from '../support/cli.ts'
import { program } from '../support/host.ts'
import { openStore, type Store } from '../support/open-store.ts'
import { type Overrides, overriding } from '../support/overrides.ts'
import { newAccount } from '../support/played.ts'
import { edge, type Member } from './scene.ts'
import { stackOf } from './stack.ts'
import { within } from './wire.ts'

/** How the server differs from the one that suits most attacks. */
export interface Setup {
  /** By environment. */
  readonly settings?: Readonly<Record<string, string>>
  /** Constants that are no settings. */
  readonly constants?: Overrides
}

const probe = new URL('./probe.mjs', import.meta.url).href

/** What the server holds in memory, by the probe. */
export interface Holdings {
  /** Bytes of the heap after garbage collection. */
  readonly heap: number
  readonly rss: number
  /** The number of active resources of each kind, such as sockets and timers. */
  readonly resources: Readonly<Record<string, number>>
}

/** Its peak memory in bytes, and the delay of its event loop in milliseconds. */
export interface Peaks {
  readonly heap: number
  readonly rss: number
  readonly late: { readonly p99: number; readonly max: number }
}

/** The real server in a process of its own; every fault in its output is reported. */
export class Server {
  ssh = 0
  http = 0
  /** Called with every line of its output that reports a fault. */
  complained: (line: string) => void = () => {}
  readonly members: readonly Member[]
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #child: ChildProcess
  #debugged: (url: string) => void = () => {}

  /** Starts it with these accounts and a heap of `heap` MiB; `prepare` adds other data to its store. */
  static async start(
    names: readonly string[],
    setup: Setup = {},
    { heap, prepare }: { heap?: number; prepare?: (store: Store) => Promise<void> } = {},
  ): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), 'agentbbs-fuzz-'))
    const members = await enrol(folder, names, prepare)
    const flags = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
    const server = new Server(folder, members, setup, flags)
    await server.#open()
    return server
  }

  private constructor(
    folder: string,
    members: readonly Member[],
    { settings = {}, constants = {} }: Setup,
    flags: readonly string[],
  ) {
    this.#folder = folder
    this.#settings = settings
    this.members = members
    this.#child = spawn(
      process.execPath,
      [
        ...flags,
        ...['--inspect-port=0', '--import', probe],
        ...overriding(constantsWith(constants)),
        ...[program, 'serve', '--json'],
      ],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, ...this.#env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    this.#child.on('exit', (code, signal) => this.complained(`the server ended: ${code ?? signal}`))
    createInterface({ input: this.#child.stderr! }).on('line', line => {
      const [, url] = /^Debugger listening on (ws:.*)$/.exec(line) ?? []
      if (url !== undefined) this.#debugged(url)
      else if (isComplaint(line)) this.complained(line)
    })
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** What it holds in memory; undefined if it does not answer in time. */
  async holdings(ms = 20_000): Promise<Holdings | undefined> {
    if (!this.running) return undefined
    let holdings: Holdings | undefined
    const answered = once(this.#child, 'message').then(([answer]) => {
      holdings = answer
    })
    this.#child.send({}, () => {})
    await within(ms, answered)
    return holdings
  }

  /**
   * What the rooms of Clawpoly may hold: timers of their own, of their seats and of their matches; and the logs of the
   * newest that are over, about 0.4 MiB each.
   */
  async rooms(): Promise<{ readonly timers: number; readonly heap: number }> {
    const request = get({
      ...{ host: '127.0.0.1', port: this.http, path: '/clawpoly/api/v1/rooms' },
      ...{ agent: false, timeout: 20_000 },
    })
    const [answer] = await once(request, 'response')
    const { rooms } = (await json(answer)) as {
      readonly rooms: readonly { readonly status: string; readonly players: number }[]
    }
    const held = { timers: 0, heap: 0 }
    for (const { status, players } of rooms) {
      held.timers += status === 'finished' ? 1 : 3 + players
      if (status === 'finished') held.heap += 0.4 * 2 ** 20
    }
    return held
  }

  /** The folder of a member's key, for another process. */
  keyOf(name: string): string {
    return keyFolder(this.#folder, name)
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** The peaks since the last call. */
  async peaks(): Promise<Peaks> {
    const answered = once(this.#child, 'message')
    this.#child.send('peaks', () => {})
    const [answer] = await answered
    return answer
  }

  /** Its stack, when it does not answer. */
  async stack(): Promise<string> {
    this.complained = () => {}
    const url = new Promise<string>(resolve => {
      this.#debugged = resolve
    })
    this.#child.kill('SIGUSR1')
    let stack = 'and does not say where it is'
    await within(
      5_000,
      url.then(stackOf).then(told => {
        stack = told
      }),
    )
    return stack
  }

  /** The differences that `agentbbs verify` finds. */
  async verify(): Promise<string> {
    const { code, stdout, stderr } = await agentbbs(['verify'], this.#env)
    return code === 0 ? '' : `${stdout}${stderr}`
  }

  async stop(): Promise<void> {
    this.complained = () => {}
    if (this.running) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #env(): Record<string, string> {
    return {
      AGENTBBS_DATA: this.#folder,
      AGENTBBS_ADDR: '127.0.0.1:0',
      AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
      AGENTBBS_HOST: 'localhost',
      // Long enough for a busy machine, short enough that stalling attackers do not delay honest agents.
      AGENTBBS_GAME_MOVE_TIMEOUT: '10',
      AGENTBBS_GAME_QUEUE_WAIT: '5',
      AGENTBBS_LOA_FIRST_MOVE_TIMEOUT: '10',
      AGENTBBS_LOA_MOVE_TIMEOUT: '10',
      LOG_LEVEL: 'info',
      // Attacks share a few accounts, and may share addresses.
      AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT: '10000',
      AGENTBBS_MAX_MATCHES_PER_ACCOUNT: '10000',
      AGENTBBS_MAX_PRACTICE_PER_ACCOUNT: '10000',
      // Attackers may reconnect, and honest agents have no other opponents.
      AGENTBBS_PAUSE_AFTER: '0',
      AGENTBBS_PAIR_CAP: '1000000',
      // The address of the edge, which attackers use, too. All other loopback addresses count as the internet.
      AGENTBBS_TRUSTED_PROXIES: edge,
      ...this.#settings,
    }
  }

  async #open(): Promise<void> {
    let said = ''
    for await (const chunk of this.#child.stdout!) {
      said += chunk
      try {
        Object.assign(this, JSON.parse(said))
        return
      } catch {
        // The rest of the output follows.
      }
    }
    throw new Error(`the server does not start: ${said}`)
  }
}

/** The constants of the server: with these in place of those that suit most attacks. */
const constantsWith = ({ limits, ...others }: Overrides): Overrides => ({
  ...{ keepAlive: 5_000, idle: 20_000, copyCap: 0 },
  ...others,
  limits: { hubSessions: 10_000, ...limits },
})

/** A logged fault, or output outside the log: warnings and crashes of Node. */
const isComplaint = (line: string): boolean => {
  try {
    return JSON.parse(line).level >= 50
  } catch {
    return true
  }
}

const keyFolder = (folder: string, name: string) => join(folder, 'keys', name)

const enrol = async (
  folder: string,
  names: readonly string[],
  prepare: (store: Store) => Promise<void> = async () => {},
): Promise<readonly Member[]> => {
  const store = await openStore(folder, systemClock)
  const members = names.map(name => {
    const account = newAccount(store.users, name)
    const home = keyFolder(folder, name)
    mkdirSync(home, { recursive: true })
    const key = openHostKey(home)
    store.keys.add(account, publicKeyOf(key.getPublicSSH()))
    return { name, key, token: store.tokens.mint(account, '').token }
  })
  await prepare(store)
  await store.close()
  return members
}
