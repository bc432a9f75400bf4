import type { Worker } from 'node:worker_threads'
import type { AccountId } from '../arena/account.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Json } from '../games/game.ts'
import { startThread } from '../threads/start-thread.ts'
import type { Question } from './best-move.ts'
import { FairQueue } from './fair-queue.ts'

/** Too many questions are waiting, or this one has waited for too long. */
export class BusyError extends Error {}

/** How many questions may wait, of one account and in all. Each takes about 10 KB at most. */
const maxPerAccount = 32
const maxInAll = 1000

/** In milliseconds. A house player has 15 s for a move, and a search takes about 1 s at most. */
const maxWait = 10_000

/**
 * Searches for the moves of house players, one question after the other, in a worker thread, so that no live match waits
 * for a search. Accounts share the thread fairly. If the thread dies, its current question fails, and the next one
 * starts a new thread.
 */
export class MoveWorker {
  readonly #clock: Clock
  readonly #failed: (error: Error) => void
  readonly #waiting = new FairQueue<Pending>(maxPerAccount, maxInAll)
  #current: (Pending & { readonly account: AccountId; readonly since: number }) | null = null
  #thread: Worker | null = null

  constructor(clock: Clock, failed: (error: Error) => void) {
    this.#clock = clock
    this.#failed = failed
  }

  /** `account`: the account that the search counts for. `cancelled` cancels a question that still waits. */
  ask(question: Question, account: AccountId, cancelled?: AbortSignal): Promise<Json> {
    return new Promise((resolve, reject) => {
      const withdraw = (why: Error) => {
        if (!this.#waiting.remove(account, pending)) return
        timer.cancel()
        reject(why)
      }
      const timer = this.#clock.after(maxWait, () => withdraw(new BusyError('waited for too long')))
      const pending: Pending = { question, timer, resolve, reject }
      cancelled?.addEventListener('abort', () => withdraw(new Error('no longer wanted')), {
        once: true,
      })
      const dropped = this.#waiting.add(account, pending)
      dropped?.timer.cancel()
      dropped?.reject(new BusyError('too many questions wait'))
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== null) return
    const next = this.#waiting.take()
    // A busy thread keeps the process alive, an idle one does not.
    if (next === undefined) this.#thread?.unref()
    else {
      const { account, item } = next
      item.timer.cancel()
      this.#current = { ...item, account, since: this.#clock.now() }
      this.#thread ??= this.#start()
      this.#thread.ref()
      this.#thread.postMessage(item.question)
    }
  }

  #finishCurrent(): Pending | null {
    const pending = this.#current
    this.#current = null
    if (pending !== null)
      this.#waiting.spend(pending.account, 1 + this.#clock.now() - pending.since)
    return pending
  }

  #start(): Worker {
    const thread = startThread(import.meta.url, './move-worker-thread')
    thread.on('message', (move: Json) => {
      this.#finishCurrent()?.resolve(move)
      this.#next()
    })
    let fault = new Error('the thread ended')
    thread.on('error', error => {
      fault = error as Error
    })
    thread.on('exit', () => {
      this.#failed(fault)
      this.#thread = null
      this.#finishCurrent()?.reject(fault)
      this.#next()
    })
    return thread
  }
}

interface Pending {
  readonly question: Question
  readonly timer: Timer
  readonly resolve: (move: Json) => void
  readonly reject: (error: Error) => void
}
