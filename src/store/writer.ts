import type { Ladder } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import { theHost } from './audit.ts'
import { type CommitOptions, Commits } from './commits.ts'
import { openDatabase } from './database.ts'
import { readableError } from './database-error.ts'
import { refuseDamage, refuseEmptied, refuseLostLog } from './health.ts'
import { lockFolder } from './lock.ts'
import type { MatchWriting } from './match-book.ts'
import { MatchNumbers } from './match-numbers.ts'
import { MatchRows } from './match-rows.ts'
import { MatchWriter, type Rules } from './match-writer.ts'
import { migrate } from './migrate.ts'
import type { Reserved } from './number-giver.ts'
import { PairingTable } from './pairing-table.ts'
import { type Tables, tablesOf } from './tables.ts'

export type WriterOptions = CommitOptions & Partial<Rules>

/** The one connection that writes while a server runs, and all that goes through it. */
export interface Writer {
  readonly tables: Tables
  readonly writing: MatchWriting
  readonly commits: Commits
  /** What a `MatchBook` begins with. */
  readonly numbers: Reserved
  readonly eventLadders: readonly Ladder[]
  /** Resolves with the answer of `run` once its writes are on disk. `run` may be called again after a rollback. */
  write<T>(run: () => T): Promise<T>
  /** Closes the database once all waiting writes are on disk. `last`: the last match number that was given. */
  close(last: MatchId): Promise<void>
}

/** Opens a data folder for a server: locks it, applies migrations, and aborts matches that a dead server left live. */
export const openWriter = async (
  folder: string,
  clock: Clock,
  { pauseAfter = 0, gainCap = 0, copyCap = 0, ...options }: WriterOptions = {},
): Promise<Writer> => {
  refuseLostLog(folder)
  refuseEmptied(folder)
  const db = openDatabase(folder, lockTimeout)
  let unlock = () => {}
  try {
    unlock = lockFolder(folder)
    refuseDamage(db)
    await migrate(db, clock, theHost)
    const commits = new Commits(db, clock, options)
    const tables = tablesOf(db, clock)
    const matches = new MatchWriter(db, commits, clock, { pauseAfter, gainCap, copyCap })
    const numbers = new MatchNumbers(db, commits, new MatchRows(db).last().id)
    const pairing = new PairingTable(db)
    // From here on timers wait for a locked database, so that the event loop keeps running.
    db.file.pragma(`busy_timeout = ${serverLockTimeout}`)
    return {
      tables,
      commits,
      numbers: numbers.start,
      eventLadders: tables.ladders.all().filter(({ crowd }) => typeof crowd === 'object'),
      writing: {
        put: live => matches.put(live),
        finish: result => matches.finish(result),
        abort: match => matches.abort(match),
        escrow: (match, amount) => matches.escrow(match, amount),
        reserve: upTo => numbers.reserve(upTo),
        facts: (account, game) => pairing.facts(account, game),
        current: accounts => pairing.current(accounts),
      },
      write: run =>
        new Promise((resolve, reject) => {
          let result: ReturnType<typeof run>
          commits.add(
            () => {
              result = run()
            },
            error => (error === null ? resolve(result) : reject(error)),
          )
        }),
      close: async last => {
        numbers.giveBack(last)
        await commits.close()
        db.file.close()
        unlock()
      },
    }
  } catch (error) {
    db.file.close()
    unlock()
    throw readableError(error, db.file.name)
  }
}

export const lockTimeout = 10_000
const serverLockTimeout = 2
