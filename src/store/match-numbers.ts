import { existsSync, rmSync } from 'node:fs'
import type { MatchId } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import type { Commits } from './commits.ts'
import { type Database, databasePath, readDatabase } from './database.ts'

const leastBlock = 1_000
/** A block that is used up in less time than a database lock may last is doubled. */
const lasting = 10_000

/**
 * Numbers matches. Players are told the number before the match is on disk, so numbers are reserved on disk in blocks,
 * before the first of a block is used: after a crash none is used again. The next block is reserved while a whole one
 * is left, so that no match waits for it.
 */
export class MatchNumbers {
  readonly #db: Database['file']
  readonly #commits: Commits
  readonly #clock: Clock
  #last: MatchId
  /** On disk. */
  #reserved: MatchId
  #block = leastBlock
  #asking = false
  #askedAt: number

  /** `last` is the highest number on disk. */
  constructor({ file }: Database, commits: Commits, clock: Clock, last: MatchId) {
    this.#db = file
    this.#commits = commits
    this.#clock = clock
    this.#askedAt = clock.now()
    const taken = file.prepare('select max(reserved) from match_numbers').pluck().get()
    this.#last = Math.max(last, (taken as number | null) ?? 0)
    this.#reserved = this.#last + 2 * leastBlock
    file.transaction(() => this.#write(this.#reserved)).immediate()
  }

  next(): MatchId {
    if (this.#last >= this.#reserved)
      throw new Error(`no match number after ${this.#last} could be reserved on disk`)
    this.#last++
    if (this.#reserved - this.#last <= this.#block && !this.#asking) this.#ask()
    return this.#last
  }

  /** Gives unused numbers back, within a transaction, once no match will begin any more. */
  close(): void {
    this.#write(this.#last)
  }

  #ask(): void {
    const now = this.#clock.now()
    if (now - this.#askedAt < lasting) this.#block *= 2
    this.#askedAt = now
    this.#asking = true
    const reserved = this.#reserved + this.#block
    this.#commits.add(
      () => this.#write(reserved),
      error => {
        this.#asking = false
        if (error === null) this.#reserved = reserved
      },
    )
  }

  #write(reserved: MatchId): void {
    write(this.#db, reserved)
  }
}

const write = (file: Database['file'], reserved: MatchId): void => {
  file.exec('delete from match_numbers')
  file.prepare('insert into match_numbers values (?)').run(reserved)
}

/** The highest match number that players of a data folder may have been told; 0 if it cannot be read. */
export const numbersTold = (folder: string): MatchId => {
  const index = `${databasePath(folder)}-shm`
  const wasThere = existsSync(index)
  let file: Database['file'] | undefined
  try {
    file = readDatabase(folder)
    return (
      (file.prepare('select max(reserved) from match_numbers').pluck().get() as number | null) ?? 0
    )
  } catch {
    // No database, one of an older version, or one that cannot be read.
    return 0
  } finally {
    file?.close()
    // A connection that only reads leaves this file behind.
    if (!wasThere) rmSync(index, { force: true })
  }
}

/** Reserves all numbers up to this one, within a transaction. */
export const reserveUpTo = ({ file }: Pick<Database, 'file'>, number: MatchId): void => {
  const reserved = file.prepare('select max(reserved) from match_numbers').pluck().get()
  if (number > ((reserved as number | null) ?? 0)) write(file, number)
}
