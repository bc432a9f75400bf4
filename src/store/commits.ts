import BetterSqlite3 from 'better-sqlite3'
import type { Clock, Timer } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Database } from './database.ts'

/** How long a write waits for others to share a commit with. */
export const groupFor = 8
const retryEvery = 25
/** How long a write may wait for a database that another process has locked. */
const patience = 10_000

export interface Write {
  /** Does its writing, within a transaction. May run more than once: what an earlier run did was rolled back. */
  readonly run: () => void
  /** Told once: null when all is on disk, or why nothing of it is. */
  readonly settled: (error: unknown) => void
  readonly since: number
}

/** Collects writes and commits them together: waiting for the disk is most of what a commit costs. */
export class Commits {
  readonly #db: BetterSqlite3.Database
  readonly #clock: Clock
  readonly #meter: Meter
  readonly #begin: BetterSqlite3.Statement
  readonly #commit: BetterSqlite3.Statement
  readonly #waiting = new Set<Write>()
  #timer: Timer | null = null
  #emptied: (() => void) | null = null

  constructor({ file }: Database, clock: Clock, meter: Meter = unmetered) {
    this.#db = file
    this.#clock = clock
    this.#meter = meter
    this.#begin = file.prepare('begin immediate')
    this.#commit = file.prepare('commit')
  }

  add(run: () => void, settled: (error: unknown) => void): Write {
    const write: Write = { run, settled, since: this.#clock.now() }
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
    if (writes.length > 0) this.#attempt(writes)
    if (this.#waiting.size > 0) this.#timer ??= this.#clock.after(retryEvery, () => this.flush())
    else this.#emptied?.()
  }

  /** Resolves when nothing waits any more, one way or the other. */
  async close(): Promise<void> {
    this.flush()
    if (this.#waiting.size > 0)
      await new Promise<void>(resolve => {
        this.#emptied = resolve
      })
  }

  #attempt(writes: readonly Write[]): void {
    const error = this.#transact(writes)
    if (error === null) for (const write of writes) this.#settle(write, null)
    else if (isBusy(error)) this.#giveUp(writes, error)
    else if (writes.length === 1) this.#settle(writes[0]!, error)
    else this.#oneByOne(writes)
  }

  /** One bad write must not take the others down. In their order: a later one may build on an earlier. */
  #oneByOne(writes: readonly Write[]): void {
    for (const write of writes) {
      const error = this.#transact([write])
      if (isBusy(error)) return
      this.#settle(write, error)
    }
  }

  #giveUp(writes: readonly Write[], error: unknown): void {
    const now = this.#clock.now()
    for (const write of writes) if (now - write.since >= patience) this.#settle(write, error)
  }

  #settle(write: Write, error: unknown): void {
    this.#waiting.delete(write)
    write.settled(error)
  }

  #transact(writes: readonly Write[]): unknown {
    const since = this.#clock.now()
    const met = (ok: boolean) => this.#meter.committed(this.#clock.now() - since, writes.length, ok)
    try {
      this.#begin.run()
      for (const write of writes) write.run()
      this.#commit.run()
      met(true)
      return null
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('rollback')
      met(false)
      return error
    }
  }
}

const isBusy = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
