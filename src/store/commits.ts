import type BetterSqlite3 from 'better-sqlite3'
import { Unkept } from '../arena/keeper.ts'
import type { Clock, Timer } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Database } from './database.ts'
import { type Alarm, isLocked, noAlarm, troubleOf } from './trouble.ts'

/** How long a write waits for others to share a commit with. */
export const groupFor = 8
const retryEvery = 25
/** A disk that fails is asked less and less often, down to this. */
const retryAtLeastEvery = 400
/** How long a result may wait for a database that takes none: a lock of ten seconds, or a full disk, costs nobody a match. */
const patience = 12_000
/** A command may lock the database for a moment, and no operator has to know. */
const unremarkable = 1_000

/** Who is told how it goes. */
export interface Observers {
  readonly alarm?: Alarm
  readonly meter?: Meter
}

export interface Write {
  /** Does its writing, within a transaction. May run more than once: what an earlier run did was rolled back. */
  readonly run: () => void
  /** Told once: null when all is on disk, or why nothing of it is. */
  readonly settled: (error: unknown) => void
  readonly since: number
  /** No result hangs on it: `settled` is told at the first failure already, and it waits until the database takes it. */
  readonly lasting: boolean
}

/** Collects writes and commits them together: waiting for the disk is most of what a commit costs. */
export class Commits {
  readonly #db: BetterSqlite3.Database
  readonly #clock: Clock
  readonly #meter: Meter
  readonly #alarm: Alarm
  readonly #begin: BetterSqlite3.Statement
  readonly #commit: BetterSqlite3.Statement
  readonly #waiting = new Set<Write>()
  /** Lasting writes that are waited for no more. */
  readonly #late = new WeakSet<Write>()
  #timer: Timer | null = null
  #outage: Outage | null = null
  #closing = false
  #transaction = 0
  #emptied: (() => void) | null = null

  constructor({ file }: Database, clock: Clock, { alarm, meter }: Observers = {}) {
    this.#db = file
    this.#clock = clock
    this.#alarm = alarm ?? noAlarm
    this.#meter = meter ?? unmetered
    this.#begin = file.prepare('begin immediate')
    this.#commit = file.prepare('commit')
  }

  /** Another number in each transaction, even where one is tried again. */
  get transaction(): number {
    return this.#transaction
  }

  add(run: () => void, settled: (error: unknown) => void, lasting = false): Write {
    const write: Write = { run, settled, since: this.#clock.now(), lasting }
    this.#waiting.add(write)
    this.#timer ??= this.#clock.after(groupFor, () => this.flush())
    return write
  }

  /** Takes back a write that has not been done yet, because another makes it needless. */
  drop(write: Write): void {
    this.#waiting.delete(write)
  }

  flush(): void {
    this.#timer?.cancel()
    this.#timer = null
    const writes = [...this.#waiting]
    // While nothing can be written, one is enough to find out.
    const tried = this.#outage === null ? writes.length : 1
    if (this.#attempt(writes.slice(0, tried))) this.#attempt(writes.slice(tried))
    if (this.#waiting.size > 0)
      this.#timer ??= this.#clock.after(this.#outage?.pause ?? retryEvery, () => this.flush())
    else this.#emptied?.()
  }

  /** Resolves when nothing waits any more, one way or the other. */
  async close(): Promise<void> {
    this.#closing = true
    this.flush()
    if (this.#waiting.size > 0)
      await new Promise<void>(resolve => {
        this.#emptied = resolve
      })
  }

  /** Answers whether the database takes anything. */
  #attempt(writes: readonly Write[]): boolean {
    if (writes.length === 0) return true
    const error = this.#transact(writes)
    const trouble = troubleOf(error)
    if (trouble !== null) {
      this.#endure(error, trouble)
      return false
    }
    if (error === null) {
      this.#recover()
      for (const write of writes) this.#settle(write, null)
      return true
    }
    // One bad write must not take the others down. In their order: a later one may build on an earlier.
    if (writes.length > 1) return writes.every(write => this.#attempt([write]))
    this.#settle(writes[0]!, error)
    return true
  }

  #endure(error: unknown, trouble: string): void {
    const now = this.#clock.now()
    const elapsed = this.#clock.elapsed()
    const locked = isLocked(error)
    this.#outage ??= { since: elapsed, pause: retryEvery, told: false }
    const outage = this.#outage
    outage.pause = locked ? retryEvery : Math.min(2 * outage.pause, retryAtLeastEvery)
    if (!outage.told && (!locked || elapsed - outage.since >= unremarkable)) {
      outage.told = true
      this.#alarm.raised(trouble)
    }
    for (const write of this.#waiting) {
      const givenUp = now - write.since >= patience
      if (write.lasting) {
        if (!this.#late.has(write)) write.settled(new Unkept(trouble))
        this.#late.add(write)
        if (givenUp && this.#closing) this.drop(write)
      } else if (givenUp) this.#settle(write, new Unkept(trouble))
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
      // Of an earlier one that could not be rolled back.
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
        // Nothing was committed, which is what counts.
      }
      met(false)
      return error
    }
  }
}

/** Nothing can be written, for a reason that concerns no single write. */
interface Outage {
  readonly since: number
  pause: number
  told: boolean
}
