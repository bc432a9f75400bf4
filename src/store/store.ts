import { statSync } from 'node:fs'
import { migrations } from '../../migrations/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import { programName } from '../process/program-name.ts'
import { type Actor, Audit, theHost } from './audit.ts'
import { Chains } from './chains.ts'
import { Codes } from './codes.ts'
import { Commits, type Observers } from './commits.ts'
import { DataFolderError } from './data-folder-error.ts'
import { type Database, databasePath, openDatabase, readDatabase, withSql } from './database.ts'
import { readableError } from './database-error.ts'
import { refuseDamage, refuseEmptied, refuseLostLog } from './health.ts'
import { Keys } from './keys.ts'
import { Ladders } from './ladders.ts'
import { lockFolder } from './lock.ts'
import { Logins } from './logins.ts'
import { type Rules, SqliteMatchStore } from './match-store.ts'
import { Matches } from './matches.ts'
import { migrate, pending } from './migrate.ts'
import { Profiles } from './profiles.ts'
import { Rankings } from './rankings.ts'
import { Ratings } from './ratings.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'
import { Voids } from './voids.ts'

/** The store of a server. Each data folder has at most one server. */
export interface Store extends Tables {
  readonly matchStore: SqliteMatchStore
  readonly logins: Logins
  /** Resolves with the answer of `run` once its writes are on disk. `run` may be called again after a rollback. */
  write<T>(run: () => T): Promise<T>
  /** Closes the store once all waiting writes are on disk. */
  close(): Promise<void>
}

/** The tables, which commands may read and change beside a running server. */
export interface Tables {
  readonly db: Database
  readonly users: Users
  readonly keys: Keys
  readonly tokens: Tokens
  readonly codes: Codes
  readonly matches: Matches
  readonly voids: Voids
  readonly chains: Chains
  readonly audit: Audit
  readonly ladders: Ladders
  readonly ratings: Ratings
  readonly rankings: Rankings
  readonly profiles: Profiles
}

export type StoreOptions = Observers & Partial<Rules>

/** Opens a data folder for a server: locks it, applies migrations, and aborts matches that a dead server left live. */
export const openStore = async (
  folder: string,
  clock: Clock,
  { pauseAfter = 0, gainCap = 0, ...observers }: StoreOptions = {},
): Promise<Store> => {
  refuseLostLog(folder)
  refuseEmptied(folder)
  const db = openDatabase(folder, lockTimeout)
  let unlock = () => {}
  try {
    unlock = lockFolder(folder)
    refuseDamage(db)
    await migrate(db, clock, theHost)
    const commits = new Commits(db, clock, observers)
    const matchStore = new SqliteMatchStore(db, commits, clock, { pauseAfter, gainCap })
    const logins = new Logins(db, commits, clock)
    // From here on timers wait for a locked database, so that the event loop keeps running.
    db.file.pragma(`busy_timeout = ${serverLockTimeout}`)
    const write = <T>(run: () => T) =>
      new Promise<T>((resolve, reject) => {
        let result: T
        commits.add(
          () => {
            result = run()
          },
          error => (error === null ? resolve(result) : reject(error)),
        )
      })
    const close = async () => {
      logins.noteUse()
      matchStore.close()
      await commits.close()
      db.file.close()
      unlock()
    }
    return { ...tablesOf(db, clock), matchStore, logins, write, close }
  } catch (error) {
    db.file.close()
    unlock()
    throw readableError(error, db.file.name)
  }
}

/** Opens a data folder for a command, which may run beside a server. */
export const visitStore = (folder: string, clock: Clock): Tables => {
  if (!hasDatabase(folder))
    throw new DataFolderError(
      `no database in ${folder}: set AGENTBBS_DATA to the data folder, or make one with ${programName()} add-user or serve`,
    )
  const db = openDatabase(folder, lockTimeout)
  try {
    if (pending(db).length > 0)
      throw new DataFolderError(
        `${databasePath(folder)} is from an older agentbbs: run ${programName()} migrate`,
      )
    return tablesOf(db, clock)
  } catch (error) {
    db.file.close()
    throw readableError(error, db.file.name)
  }
}

/** Opens the data folder of a running server, for questions alone. */
export const readStore = (folder: string, clock: Clock): Tables => {
  try {
    return tablesOf(withSql(readDatabase(folder)), clock)
  } catch (error) {
    throw readableError(error, databasePath(folder))
  }
}

/** Throws for a folder that cannot be read: that does not mean it has no database. */
const hasDatabase = (folder: string): boolean => {
  try {
    return statSync(databasePath(folder), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw new DataFolderError(
      `the data folder ${folder} cannot be used: ${(error as Error).message}`,
    )
  }
}

/** Applies missing migrations to a data folder, and makes it if it is missing. Answers with their names. */
export const migrateStore = async (
  folder: string,
  actor: Actor = theHost,
  clock: Clock = systemClock,
): Promise<readonly string[]> => {
  const db = openDatabase(folder, lockTimeout)
  try {
    const missing = pending(db)
    if (missing.length === 0) return []
    if (missing.length === Object.keys(migrations).length) return await migrate(db, clock, actor)
    // The tables of a running older server must not change.
    const unlock = lockFolder(folder)
    try {
      return await migrate(db, clock, actor)
    } finally {
      unlock()
    }
  } catch (error) {
    throw readableError(error, db.file.name)
  } finally {
    db.file.close()
  }
}

const lockTimeout = 10_000
const serverLockTimeout = 2

const tablesOf = (db: Database, clock: Clock): Tables => {
  const matches = new Matches(db)
  return {
    db,
    users: new Users(db, clock),
    keys: new Keys(db, clock),
    tokens: new Tokens(db, clock),
    codes: new Codes(db, clock),
    matches,
    chains: new Chains(db, matches),
    voids: new Voids(db, clock),
    audit: new Audit(db, clock),
    ladders: new Ladders(db),
    ratings: new Ratings(db),
    rankings: new Rankings(db),
    profiles: new Profiles(db),
  }
}
