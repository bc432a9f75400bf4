import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recording } from './agent.ts'

export type Transport = 'ws' | 'ssh'

/** An account that a measured server is to have. */
export interface BenchAccount {
  readonly name: string
  /** As OpenSSH writes it, for agents that connect over SSH. */
  readonly publicKey?: string
}

/** An account that never connects, so that agents can wait for it. */
export const absent = 'absent'

/** What a measured server starts with. */
export interface Opening {
  readonly accounts: readonly BenchAccount[]
  /** Settings of the host that are not at their defaults, by variable. */
  readonly settings?: Readonly<Record<string, string>>
  /** What the relay sends. */
  readonly recording?: Recording
}

/** The port of a server for each transport, and a token for each account. */
export type Addresses = Readonly<Record<Transport, number>> & { readonly tokens: readonly string[] }

/** What a server process answers, by the name of the question. */
export type Answers = { readonly [question: string]: (about: never) => unknown }

/** A server under measurement. It answers one question at a time, over the channel of node:child_process. */
export class Server {
  addresses: Addresses = { ws: 0, ssh: 0, tokens: [] }
  /** How many agents have connected to play the script; they take the accounts in order. */
  played = 0
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>
  readonly #child: ChildProcess

  static async open(name: 'host' | 'relay', opening: Opening): Promise<Server> {
    const server = new Server(name)
    server.addresses = await server.ask('open', opening)
    return server
  }

  /** Runs a file of processes/, on a core that the load does not use where there are several. */
  private constructor(name: string) {
    // From source or as built: the server is run as this process is.
    const url = new URL(`./processes/${name}${extname(import.meta.filename)}`, import.meta.url)
    const pin = pinLoad() ? ['taskset', '-c', '0'] : []
    const options = ['--expose-gc', '--disable-warning=ExperimentalWarning']
    const run = [process.execPath, ...process.execArgv, ...options, fileURLToPath(url)]
    const [command, ...args] = [...pin, ...run]
    this.#child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.ended = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`the process "${name}" ended with ${code ?? signal}`)
    })
    this.ended.catch(() => {})
  }

  async ask<T>(question: string, about: unknown = null): Promise<T> {
    const replied = once(this.#child, 'message')
    this.#child.send({ question, about })
    const [{ answer, error }] = await Promise.race([replied, this.ended])
    if (error !== undefined) throw new Error(error)
    return answer
  }

  /** Resolves once the process has ended, so that it disturbs no later measurement. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.ended.catch(() => {})
  }
}

/** Opens a server, and stops it when the work is done. */
export const withServer = async <T>(
  name: 'host' | 'relay',
  opening: Opening,
  work: (server: Server) => Promise<T>,
): Promise<T> => {
  const server = await Server.open(name, opening)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Answers the parent process until it ends. */
export const answerParent = (answers: Answers): void => {
  process.on('message', async ({ question, about }: { question: string; about: unknown }) => {
    try {
      process.send!({ answer: await answers[question]!(about as never) })
    } catch (error) {
      process.send!({ error: (error as Error).message })
    }
  })
  process.on('disconnect', () => process.exit())
}

let pinned: boolean | undefined

/** Gives this process, which is the load, a core of its own. Answers whether it and the servers have one each. */
export const pinLoad = (): boolean => {
  pinned ??=
    availableParallelism() >= 2 &&
    spawnSync('taskset', ['-acp', '1', String(process.pid)]).status === 0
  return pinned
}
