import { existsSync, statSync } from 'node:fs'
import { DataFolderError } from './data-folder-error.ts'
import { databasePath, lockPath } from './data-paths.ts'
import type { Database } from './database.ts'

/** Throws if the database is damaged: what a server would write or show could not be trusted. */
export const refuseDamage = ({ file }: Database): void => {
  const damage = damageIn(file)
  if (damage !== null)
    throw new DataFolderError(`${file.name}: it is damaged, restore a backup (${damage})`)
}

/** The first error in the structure of a database; null if it is whole. */
export const damageIn = (file: Database['file'], check = 'quick_check(1)'): string | null => {
  const found = file.pragma(check, { simple: true }) as string
  return found === 'ok' ? null : found.split('\n').join(' ')
}

/** Throws if the database file is empty, as a broken copy or a crash may leave it: SQLite would take it for a new database. */
export const refuseEmptied = (folder: string): void => {
  const path = databasePath(folder)
  if (existsSync(lockPath(folder)) && existsSync(path) && statSync(path).size === 0)
    throw new DataFolderError(`${path} is empty: restore a backup, or remove it to begin anew`)
}

/**
 * SQLite removes the index of its write-ahead log before the log. An index without a log means that the log was
 * removed, with results that players were told.
 */
export const refuseLostLog = (folder: string): void => {
  const [log, index] = ['-wal', '-shm'].map(end => `${databasePath(folder)}${end}`) as [
    string,
    string,
  ]
  // Checked twice: a command may be opening the database at this moment.
  if (!existsSync(log) && existsSync(index) && !existsSync(log))
    throw new DataFolderError(
      `${log} is missing, and with it the last results: put it back, or remove ${index} to go on without them`,
    )
}
