import { statSync } from 'node:fs'
import { migrations } from '../../migrations/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import { programName } from '../process/program-name.ts'
import { type Actor, theHost } from './audit.ts'
import { DataFolderError } from './data-folder-error.ts'
import { databasePath } from './data-paths.ts'
import { openDatabase, readDatabase, withSql } from './database.ts'
import { readableError } from './database-error.ts'
import { lockFolder } from './lock.ts'
import { migrate, pending } from './migrate.ts'
import { type Tables, tablesOf } from './tables.ts'
import { lockTimeout } from './writer.ts'

export type { Tables } from './tables.ts'

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
