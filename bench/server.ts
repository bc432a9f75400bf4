import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recording } from './agent.ts'
import { type Account, addAccounts } from './data-folder.ts'
import type { LeagueRecording } from './league-agent.ts'

export type Transport = 'ws' | 'ssh'

/** Settings of the host that are not at their defaults, by variable. */
export type Settings = Readonly<Record<string, string>>

/** A server under measurement, in a process of its own. */
export class Server {
  /** By transport. */
  readonly ports = { ws: 0, ssh: 0 }
  /** How many agents have connected to play the script; they take the accounts in order. */
  played = 0
  /** The first errors in its log, and lines that do not belong there. */
  readonly faults: string[] = []
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>
  readonly #child: ChildProcess
  #rest = ''

  constructor(program: string, args: readonly string[], env: Settings, pinned = pinLoad()) {
    const pin = pinned ? ['taskset', '-c', `0-${cores - 2}`] : []
    const options = ['--expose-gc', '--disable-warning=ExperimentalWarning']
    const node = [process.execPath, ...process.execArgv, ...options, '--import', probe.href]
    const [command, ...rest] = [...pin, ...node, fileURLToPath(file(program)), ...args]
    this.#child = spawn(command!, rest, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child.stderr!.setEncoding('latin1').on('data', (text: string) => this.#log(text))
    this.ended = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`${program} ended with ${code ?? signal}: ${this.faults.at(-1)}`)
    })
    this.ended.catch(() => {})
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Resolves once it has printed its ports. */
  async open(): Promise<void> {
    let printed = ''
    const opened = new Promise<void>(resolve => {
      this.#child.stdout!.on('data', chunk => {
        printed += chunk
        if (!printed.endsWith('}\n')) return
        const { http, ssh } = JSON.parse(printed)
        Object.assign(this.ports, { ws: http, ssh })
        resolve()
      })
    })
    await Promise.race([opened, this.ended])
  }

  /** Asks the probe in that process one question at a time. */
  async ask<T>(question: string): Promise<T> {
    const answered = once(this.#child, 'message')
    this.#child.send(question)
    return (await Promise.race([answered, this.ended]))[0]
  }

  /** Resolves once the process has ended, so that it disturbs no later measurement. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal)
    await this.ended.catch(() => {})
  }

  #log(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines)
      if (/^(\{"level":[56]0|[^{])/.test(line) && this.faults.length < 20) this.faults.push(line)
  }
}

/** From source or as built: the server is run as this process is. */
const file = (name: string) =>
  new URL(`../${name}${extname(import.meta.filename)}`, import.meta.url)
const probe = file('bench/processes/probe')

/** Runs a command of the program on a data folder, and answers with what it prints. */
export const agentbbs = (data: string, ...args: readonly string[]): string => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(file('cmd/agentbbs')), ...args],
    { env: { PATH: process.env.PATH, AGENTBBS_DATA: data }, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (status !== 0 && stdout === '') throw new Error(`agentbbs ${args.join(' ')}: ${stderr.trim()}`)
  return stdout
}

/** Starts a host with these accounts, on a temporary data folder if none is given, and stops it when the work is done. */
export const withHost = async <T>(
  { accounts, settings, data, pinned }: HostOptions,
  work: (host: Server, data: string) => Promise<T>,
): Promise<T> => {
  const folder = data ?? temporaryFolder()
  agentbbs(folder, 'migrate')
  addAccounts(folder, accounts)
  const addresses = { AGENTBBS_ADDR: '127.0.0.1:0', AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0' }
  const env = { ...addresses, ...settings, AGENTBBS_DATA: folder }
  const host = new Server('cmd/agentbbs', ['serve', '--json'], env, pinned)
  return withServer(host, () => work(host, folder))
}

interface HostOptions {
  readonly accounts: readonly Account[]
  readonly settings?: Settings
  readonly data?: string
  /** Whether it has a core of its own; the default is yes, where there are several. */
  readonly pinned?: boolean
}

/** The same for a relay, which sends what was recorded. */
export const withRelay = <T>(
  recording: Recording,
  work: (relay: Server) => Promise<T>,
): Promise<T> => withProgram('bench/processes/relay', recording, work)

export const withLeagueRelay = <T>(
  recording: LeagueRecording,
  work: (relay: Server) => Promise<T>,
): Promise<T> => withProgram('bench/processes/league-relay', recording, work)

const withProgram = async <T>(
  program: string,
  recording: object,
  work: (relay: Server) => Promise<T>,
): Promise<T> => {
  // A match of resource-rush has more bytes than an argument may have.
  const file = join(temporaryFolder(), 'recording.json')
  writeFileSync(file, JSON.stringify(recording))
  const relay = new Server(program, [file], {})
  return withServer(relay, () => work(relay))
}

const withServer = async <T>(server: Server, work: () => Promise<T>): Promise<T> => {
  try {
    await server.open()
    const done = await work()
    await server.stop()
    return done
  } finally {
    await server.stop('SIGKILL')
  }
}

/** Removed when this process ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Read first: a process with a core of its own counts no others. */
const cores = availableParallelism()
let pinned: boolean | undefined

/** Gives this process, which is the load, a core of its own. Answers whether it has one, and the servers have the others. */
export const pinLoad = (): boolean => {
  pinned ??=
    cores >= 2 &&
    spawnSync('taskset', ['-acp', String(cores - 1), String(process.pid)]).status === 0
  return pinned
}
