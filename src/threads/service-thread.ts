import type { Worker } from 'node:worker_threads'
import { Caller, type Remote, remote } from './calls.ts'

/**
 * A thread that serves calls. If it ends, the calls that it has not answered fail, and the next call starts another one.
 */
export class ServiceThread<S extends object> {
  readonly service: Remote<S> = remote((path, given) => this.#call(path, given))
  readonly #start: () => Worker
  readonly #failed: (error: Error) => void
  #running: Running | null = null
  #isClosed = false

  /** `failed` is called with the error that has ended a thread. */
  constructor(start: () => Worker, failed: (error: Error) => void) {
    this.#start = start
    this.#failed = failed
  }

  /** Starts the thread, so that the first call does not wait for that. */
  open(): void {
    this.#running ??= this.#run()
  }

  /** Ends the thread. Calls that it has not answered fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running?.thread.terminate()
  }

  #call(path: string, given: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('the thread is closed'))
    this.open()
    return this.#running!.caller.call(path, given)
  }

  #run(): Running {
    const thread = this.#start()
    const caller = new Caller(thread)
    let why = new Error('the thread ended')
    thread.on('error', error => {
      why = error as Error
    })
    thread.on('exit', () => {
      this.#running = null
      if (!this.#isClosed) this.#failed(why)
      caller.ended(why)
    })
    return { thread, caller }
  }
}

interface Running {
  readonly thread: Worker
  readonly caller: Caller
}
