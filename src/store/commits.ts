import type BetterSqlite3 from 'better-sqlite3'
import { Unkept } from '../arena/match-store.ts'
import type { Clock, Timer } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Database } from './database.ts'
import { type Alarm, databaseProblem, isLocked, noAlarm } from './database-error.ts'

const retryEvery = 25
/** The longest pause between two attempts while the disk fails. */
const retryAtLeastEvery = 400
/** How long a result may wait for a database that takes no writes: a lock of ten seconds, or a disk that is full for a moment, aborts no match. */
const longestWait = 12_000
/** A command may lock the database for this long before the operator is told. */
const unremarkable = 1_000

/** Callbacks for metrics and for the operator. */
interface Observers {
  readonly alarm?: Alarm
  readonly meter?: Meter
}

export interface CommitOptions extends Observers {
  /** Runs this once all writes that have arrived are added. */
  readonly soon?: (run: () => void) => Timer
}

export interface Write {
  /** Writes, within a transaction. May run again after an earlier run was rolled back. */
  readonly run: () => void
  /** Called once: with null when everything is on disk, or with the reason why nothing is. */
  readonly settled: (error: unknown) => void
  readonly since: number
  /** No result depends on this write: `settled` is called at the first failure, and the write waits until the database takes it. */
  readonly lasting: boolean
}

/**
 * Groups writes into commits: most of the cost of a commit is waiting for the disk. A write is committed at once; those that
 * come while the disk is busy share the next commit.
 */
export class Commits {
  readonly #db: BetterSqlite3.Database
  readonly #clock: Clock
  readonly #meter: Meter
  readonly #alarm: Alarm
  readonly #begin: BetterSqlite3.Statement
  readonly #commit: BetterSqlite3.Statement
  readonly #waiting = new Set<Write>()
  /** Lasting writes whose `settled` has been called. */
  readonly #late = new WeakSet<Write>()
  /** Runs once all is read that has come. */
  readonly #soon: (run: () => void) => Timer
  #timer: Timer | null = null
  #outage: Outage | null = null
  #closing = false
  #transaction = 0
  #emptied: (() => void) | null = null

  constructor({ file }: Database, clock: Clock, { alarm, meter, soon }: CommitOptions = {}) {
    this.#db = file
    this.#clock = clock
    this.#alarm = alarm ?? noAlarm
    this.#meter = meter ?? unmetered
    this.#soon = soon ?? (run => clock.after(0, run))
    this.#begin = file.prepare('begin immediate')
    this.#commit = file.prepare('commit')
  }

  /** A different number in each transaction, also in one that is tried again. */
  get transaction(): number {
    return this.#transaction
  }

  add(run: () => void, settled: (error: unknown) => void, lasting = false): Write {
    const write: Write = { run, settled, since: this.#clock.now(), lasting }
    this.#waiting.add(write)
    this.#timer ??= this.#soon(() => this.flush())
    return write
  }

  /** Drops a write that has not been done yet, because a later one covers it. */
  drop(write: Write): void {
    this.#waiting.delete(write)
  }

  flush(): void {
    this.#timer?.cancel()
    this.#timer = null
    const writes = [...this.#waiting]
    // While the database takes no writes, one attempt is enough to notice a change.
    const tried = this.#outage === null ? writes.length : 1
    if (this.#attempt(writes.slice(0, tried))) this.#attempt(writes.slice(tried))
    if (this.#waiting.size > 0)
      this.#timer ??= this.#clock.after(this.#outage?.pause ?? retryEvery, () => this.flush())
    else this.#emptied?.()
  }

  /** Resolves when no write waits any more, be it done or given up. */
  async close(): Promise<void> {
    this.#closing = true
    this.flush()
    if (this.#waiting.size > 0)
      await new Promise<void>(resolve => {
        this.#emptied = resolve
      })
  }

  /** Answers whether the database takes writes. */
  #attempt(writes: readonly Write[]): boolean {
    if (writes.length === 0) return true
    const error = this.#transact(writes)
    const problem = databaseProblem(error)
    if (problem !== null) {
      this.#endure(error, problem)
      return false
    }
    if (error === null) {
      this.#recover()
      for (const write of writes) this.#settle(write, null)
      return true
    }
    // One bad write must not fail the others. They run in their order, since a later one may build on an earlier.
    if (writes.length > 1) return writes.every(write => this.#attempt([write]))
    this.#settle(writes[0]!, error)
    return true
  }

  #endure(error: unknown, problem: string): void {
    const now = this.#clock.now()
    const elapsed = this.#clock.elapsed()
    const locked = isLocked(error)
    this.#outage ??= { since: elapsed, pause: retryEvery, told: false }
    const outage = this.#outage
    outage.pause = locked ? retryEvery : Math.min(2 * outage.pause, retryAtLeastEvery)
    if (!outage.told && (!locked || elapsed - outage.since >= unremarkable)) {
      outage.told = true
      this.#alarm.raised(problem)
    }
    for (const write of this.#waiting) {
      const givenUp = now - write.since >= longestWait
      if (write.lasting) {
        if (!this.#late.has(write)) write.settled(new Unkept(problem))
        this.#late.add(write)
        if (givenUp && this.#closing) this.drop(write)
      } else if (givenUp) this.#settle(write, new Unkept(problem))
    }
  }

  #recover(): void {
    if (this.#outage?.told) this.#alarm.over(this.#clock.elapsed() - this.#outage.since)
    this.#outage = null
  }

  #settle(write: Write, error: unknown): void {
    this.#waiting.delete(write)
    if (!this.#late.has(write)) write.settled(error)
  }

  #transact(writes: readonly Write[]): unknown {
    const since = this.#clock.elapsed()
    const met = (ok: boolean) =>
      this.#meter.committed(this.#clock.elapsed() - since, writes.length, ok)
    try {
      // An earlier transaction could not be rolled back.
      if (this.#db.inTransaction) this.#db.exec('rollback')
      this.#transaction++
      this.#begin.run()
      for (const write of writes) write.run()
      this.#commit.run()
      met(true)
      return null
    } catch (error) {
      try {
        if (this.#db.inTransaction) this.#db.exec('rollback')
      } catch {
        // Nothing was committed: that is enough.
      }
      met(false)
      return error
    }
  }
}

/** The database takes no writes at all. */
interface Outage {
  readonly since: number
  pause: number
  told: boolean
}
