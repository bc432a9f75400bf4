import { existsSync, rmSync } from 'node:fs'
import type { MatchId } from '../arena/match-store.ts'
import type { Commits } from './commits.ts'
import { databasePath } from './data-paths.ts'
import { type Database, readDatabase } from './database.ts'
import { leastBlock, type Reserved } from './number-giver.ts'

/**
 * Reserves the numbers of matches on disk, in blocks, before the first of a block is used: players are told the number
 * before the match is on disk, and after a crash none is used again.
 */
export class MatchNumbers {
  /** At the start. */
  readonly start: Reserved
  readonly #db: Database['file']
  readonly #commits: Commits

  /** `last` is the highest number of a match on disk. */
  constructor({ file }: Database, commits: Commits, last: MatchId) {
    this.#db = file
    this.#commits = commits
    const taken = file.prepare('select max(reserved) from match_numbers').pluck().get()
    const given = Math.max(last, (taken as number | null) ?? 0)
    this.start = { last: given, reserved: given + 2 * leastBlock }
    file.transaction(() => write(file, this.start.reserved)).immediate()
  }

  /** Resolves once all numbers up to this one are reserved on disk. */
  reserve(upTo: MatchId): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#commits.add(
        () => write(this.#db, upTo),
        error => (error === null ? resolve() : reject(error)),
      ),
    )
  }

  /** Gives unused numbers back. To be called once no match will begin any more. */
  giveBack(last: MatchId): void {
    this.#commits.add(
      () => write(this.#db, last),
      () => {},
    )
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
