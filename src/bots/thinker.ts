import { Worker } from 'node:worker_threads'
import type { Json } from '../games/game.ts'
import type { Question } from './best-move.ts'

/**
 * Answers questions one after the other in one thread, so that no live match waits for a house player to think.
 * When the thread dies the question it had is refused, and the next one has a new thread.
 */
export class Thinker {
  readonly #onFault: (error: Error) => void
  readonly #waiting: Asked[] = []
  #asked: Asked | null = null
  #thread: Worker | null = null

  constructor(onFault: (error: Error) => void) {
    this.#onFault = onFault
  }

  ask(question: Question): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#asked !== null) return
    this.#asked = this.#waiting.shift() ?? null
    // An idle thread keeps no process alive, and a thinking one does.
    if (this.#asked === null) this.#thread?.unref()
    else {
      this.#thread ??= this.#start()
      this.#thread.ref()
      this.#thread.postMessage(this.#asked.question)
    }
  }

  #start(): Worker {
    const thread = startThread()
    thread.on('message', (move: Json) => {
      this.#asked?.resolve(move)
      this.#asked = null
      this.#next()
    })
    let fault = new Error('the thread ended')
    thread.on('error', error => {
      fault = error as Error
    })
    thread.on('exit', () => {
      this.#onFault(fault)
      this.#thread = null
      this.#asked?.reject(fault)
      this.#asked = null
      this.#next()
    })
    return thread
  }
}

interface Asked {
  readonly question: Question
  readonly resolve: (move: Json) => void
  readonly reject: (error: Error) => void
}

/** Run from its sources, a thread on Node 20 cannot read TypeScript before tsx has been loaded into it. */
const startThread = (): Worker => {
  const here = import.meta.url
  if (here.endsWith('.js')) return new Worker(new URL('./thinker-thread.js', here))
  const tsx = import.meta.resolve('tsx/esm/api')
  const thread = new URL('./thinker-thread.ts', here).href
  return new Worker(
    `import(${JSON.stringify(tsx)}).then(tsx => tsx.register()).then(() => import(${JSON.stringify(thread)}))`,
    { eval: true },
  )
}
