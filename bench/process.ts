import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process of a benchmark answers, by the name of the question. */
export type Answers = { readonly [question: string]: (about: never) => unknown }

/** A process of a benchmark. It answers one question at a time, over the channel of node:child_process. */
export class Helper {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>

  /** Runs a file of processes/, on its own core where there are several. */
  constructor(name: 'host' | 'relay' | 'load') {
    // From source or as built: the helper is run as this process is.
    const url = new URL(`./processes/${name}${extname(import.meta.filename)}`, import.meta.url)
    const pin = canPin() ? ['taskset', '-c', name === 'load' ? '1' : '0'] : []
    const options = ['--expose-gc', '--disable-warning=ExperimentalWarning']
    const run = [process.execPath, ...process.execArgv, ...options, fileURLToPath(url)]
    const [command, ...args] = [...pin, ...run]
    this.#child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#ended = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`the process "${name}" ended with ${code ?? signal}`)
    })
    this.#ended.catch(() => {})
  }

  async ask<T>(question: string, about: unknown = null): Promise<T> {
    const replied = once(this.#child, 'message')
    this.#child.send({ question, about })
    const [{ answer, error }] = await Promise.race([replied, this.#ended])
    if (error !== undefined) throw new Error(error)
    return answer
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
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

export const canPin = (): boolean =>
  availableParallelism() >= 2 && spawnSync('taskset', ['-c', '1', 'true']).status === 0
