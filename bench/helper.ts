import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Question, Reply } from './question.ts'

export const serverCore = 0
export const loadCore = 1

/** A process of the bench that answers questions. */
export class Helper {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #ended: string | null = null
  #lastId = 0

  /** Starts the file at this path below this folder, on this core where there are several. */
  constructor(name: string, core: number, place: 'first' | 'behind' = 'first') {
    // Run from source or from what was built: the helper is run as we are.
    const file = `./${name}${extname(import.meta.filename)}`
    const pin = canPin() ? ['taskset', '-c', String(core)] : []
    const polite = place === 'behind' ? ['nice', '-n', '19'] : []
    const run = [
      ...[process.execPath, ...process.execArgv, '--expose-gc'],
      // Counting objects is one.
      '--disable-warning=ExperimentalWarning',
    ]
    const [command, ...args] = [
      ...pin,
      ...polite,
      ...run,
      fileURLToPath(new URL(file, import.meta.url)),
    ]
    this.#child = spawn(command!, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child.on('message', (reply: Reply) => this.#settle(reply))
    this.#child.on('error', error => this.#end(`${name}: ${error.message}`))
    this.#child.on('exit', (code, signal) => this.#end(`${name} ended with ${code ?? signal}`))
  }

  ask<T>(question: string, about: unknown = null): Promise<T> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, reply => {
        if ('error' in reply) reject(new Error(reply.error))
        else resolve(reply.answer as T)
      })
      if (this.#ended !== null) this.#settle({ id, error: this.#ended })
      else this.#child.send({ id, question, about } satisfies Question)
    })
  }

  stop(): void {
    this.#child.disconnect()
  }

  #settle(reply: Reply): void {
    const settle = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    settle?.(reply)
  }

  #end(error: string): void {
    this.#ended = error
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, error })
  }
}

export const canPin = (): boolean =>
  availableParallelism() >= 2 && spawnSync('taskset', ['-c', '1', 'true']).status === 0
