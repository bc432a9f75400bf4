// The real host in a process of its own, on free ports and with its own data folder.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { systemClock } from '../../src/clock.ts'
import { readPublicKeys } from '../../src/store/public-key.ts'
import { visitStore } from '../../src/store/store.ts'
import { type Overrides, overriding } from './overrides.ts'
import { newAccount } from './played.ts'
import { WebSocketAgent } from './websocket-agent.ts'

export const program = fileURLToPath(new URL('../../dist/cmd/agentbbs.js', import.meta.url))
const run = promisify(execFile)

/** How to run the process. */
export interface Running {
  /** A command that runs its last arguments in its own process: `prlimit …`, `unshare …`. */
  readonly within?: readonly string[]
  /** The file for its log; otherwise tests read it from `said`. */
  readonly stderr?: number
  /** Constants that are no settings, with other values. */
  readonly constants?: Overrides
}

export class Host {
  /** For the data folder, keys and files of a test. */
  readonly folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
  readonly env: NodeJS.ProcessEnv
  ssh = 0
  http = 0
  readonly #run: Running
  #process: ChildProcess | null = null
  #said = ''

  private constructor(env: NodeJS.ProcessEnv, run: Running) {
    this.#run = run
    this.env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      AGENTBBS_DATA: join(this.folder, 'data'),
      AGENTBBS_ADDR: '127.0.0.1:0',
      AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
      AGENTBBS_HOST: 'localhost',
      LOG_LEVEL: 'info',
      ...env,
    }
  }

  static async start(env: NodeJS.ProcessEnv = {}, run: Running = {}): Promise<Host> {
    const host = Host.at(env, run)
    await host.serve()
    return host
  }

  /** A host that does not run yet. */
  static at(env: NodeJS.ProcessEnv = {}, run: Running = {}): Host {
    return new Host(env, run)
  }

  /** Starts the host, also after a kill. Resolves when both ports are open. */
  async serve(): Promise<void> {
    const child = this.launch()
    await new Promise<void>((resolve, reject) => {
      const heard = (chunk: Buffer) => {
        this.#said += chunk
        const ssh = /ssh .*-p (\d+) game@/.exec(this.#said)
        const http = /ws:\/\/127\.0\.0\.1:(\d+)\/play/.exec(this.#said)
        if (ssh === null || http === null) return
        this.ssh = Number(ssh[1])
        this.http = Number(http[1])
        resolve()
      }
      child.stdout!.on('data', heard)
      child.stderr?.on('data', heard)
      child.on('error', reject)
      child.on('exit', code => reject(new Error(`serve ended with ${code}:\n${this.#said}`)))
    })
  }

  /** Starts the process, without waiting for its ports. */
  launch(env: NodeJS.ProcessEnv = {}): ChildProcess {
    const { within = [], constants } = this.#run
    const node = [process.execPath, ...(constants === undefined ? [] : overriding(constants))]
    const [command, ...args] = [...within, ...node, program, 'serve']
    const child = spawn(command!, args, {
      env: { ...this.env, ...env },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', this.#run.stderr ?? 'pipe'],
    })
    this.#process = child
    this.#said = ''
    return child
  }

  /** Starts a host that has to fail, and returns the lines that it printed. */
  async refuse(env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
    const child = this.launch({ LOG_LEVEL: 'silent', ...env })
    let said = ''
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', chunk => {
        said += chunk
      })
    const [code] = await once(child, 'close')
    if (code !== 1) throw new Error(`serve ended with ${code}:\n${said}`)
    return said.trimEnd().split('\n')
  }

  /** All that the server has printed and logged since it started. */
  get said(): string {
    return this.#said
  }

  get process(): ChildProcess {
    return this.#process!
  }

  get pid(): number {
    return this.process.pid!
  }

  get data(): string {
    return this.env.AGENTBBS_DATA!
  }

  /** Runs an operator's command beside the server. */
  async cli(...args: string[]): Promise<string> {
    return (await run(process.execPath, [program, ...args], { env: this.env })).stdout
  }

  /** A new account, with an SSH key or a token. */
  async account(name: string): Promise<{ key: string; token: string }> {
    const key = join(this.folder, name)
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key])
    const store = visitStore(this.env.AGENTBBS_DATA!, systemClock)
    try {
      const account = newAccount(store.users, name)
      const keys = readPublicKeys(readFileSync(`${key}.pub`, 'utf8'))
      if ('problem' in keys) throw new Error(keys.problem)
      for (const one of keys) store.keys.add(account, one)
      return { key, token: store.tokens.mint(account, '').token }
    } finally {
      store.db.file.close()
    }
  }

  /** The arguments with which the OpenSSH client plays here. */
  sshArgs(key: string, ...command: string[]): string[] {
    return [
      ...['-F', 'none', '-T', '-p', String(this.ssh), '-i', key],
      ...['-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none', '-o', 'LogLevel=ERROR'],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
      'game@127.0.0.1',
      ...command,
    ]
  }

  /** An agent that connects with this token. */
  agent(token: string, query: string): WebSocketAgent {
    return new WebSocketAgent(this.playUrl(query), {
      headers: { Authorization: `Bearer ${token}` },
    })
  }

  playUrl(query: string): string {
    return `ws://127.0.0.1:${this.http}/play${query}`
  }

  /** Kills the process, as a crash does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process, and returns its exit status. */
  async terminate(): Promise<number | null> {
    await this.#end('SIGTERM')
    return this.process.exitCode
  }

  /** Stops at once and leaves nothing behind. */
  async stop(): Promise<void> {
    await this.#end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
