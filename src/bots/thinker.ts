import { Worker } from 'node:worker_threads'
import type { AccountId } from '../arena/account.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Json } from '../games/game.ts'
import type { Question } from './best-move.ts'
import { FairQueue } from './fair-queue.ts'

/** Too many questions wait, or this one has waited for too long. */
export class Busy extends Error {}

/** Questions of one account, and of all: about 10 KB each at most. */
const mostOfOne = 32
const mostInAll = 1000

/** A house player has 15 s for a move, and the thinking itself takes about 1 s at most. */
const longestWait = 10_000

/**
 * Answers questions one after the other in one thread, so that no live match waits for a house player to think.
 * Accounts share the thread fairly. When the thread dies the question it had is refused, and the next one has a new
 * thread.
 */
export class Thinker {
  readonly #clock: Clock
  readonly #onFault: (error: Error) => void
  readonly #waiting = new FairQueue<Asked>(mostOfOne, mostInAll)
  #asked: (Asked & { readonly account: AccountId; readonly since: number }) | null = null
  #thread: Worker | null = null

  constructor(clock: Clock, onFault: (error: Error) => void) {
    this.#clock = clock
    this.#onFault = onFault
  }

  /** `account`: on whose behalf. A question that is no longer wanted costs no thinking. */
  ask(question: Question, account: AccountId, unwanted?: AbortSignal): Promise<Json> {
    return new Promise((resolve, reject) => {
      const withdraw = (why: Error) => {
        if (!this.#waiting.remove(account, asked)) return
        timer.cancel()
        reject(why)
      }
      const timer = this.#clock.after(longestWait, () => withdraw(new Busy('waited for too long')))
      const asked: Asked = { question, timer, resolve, reject }
      unwanted?.addEventListener('abort', () => withdraw(new Error('no longer wanted')), {
        once: true,
      })
      const roomless = this.#waiting.add(account, asked)
      roomless?.timer.cancel()
      roomless?.reject(new Busy('too many questions wait'))
      this.#next()
    })
  }

  #next(): void {
    if (this.#asked !== null) return
    const next = this.#waiting.take()
    // An idle thread keeps no process alive, and a thinking one does.
    if (next === undefined) this.#thread?.unref()
    else {
      const { account, item } = next
      item.timer.cancel()
      this.#asked = { ...item, account, since: this.#clock.now() }
      this.#thread ??= this.#start()
      this.#thread.ref()
      this.#thread.postMessage(item.question)
    }
  }

  #done(): Asked | null {
    const asked = this.#asked
    this.#asked = null
    if (asked !== null) this.#waiting.spend(asked.account, 1 + this.#clock.now() - asked.since)
    return asked
  }

  #start(): Worker {
    const thread = startThread()
    thread.on('message', (move: Json) => {
      this.#done()?.resolve(move)
      this.#next()
    })
    let fault = new Error('the thread ended')
    thread.on('error', error => {
      fault = error as Error
    })
    thread.on('exit', () => {
      this.#onFault(fault)
      this.#thread = null
      this.#done()?.reject(fault)
      this.#next()
    })
    return thread
  }
}

interface Asked {
  readonly question: Question
  readonly timer: Timer
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
