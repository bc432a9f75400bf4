import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { DataFolderError } from './data-folder-error.ts'
import { lockPath } from './data-paths.ts'
import { isLocked, readableError } from './database-error.ts'

/**
 * Makes this process the only server of a data folder until it unlocks or dies. The lock is that of the operating system
 * on an empty database, so that a dead process leaves no stale lock behind.
 */
export const lockFolder = (folder: string): (() => void) => {
  const path = lockPath(folder)
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const lock = new BetterSqlite3(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw isLocked(error)
      ? new DataFolderError(`${folder} is in use by another agentbbs server`)
      : readableError(error, path)
  }
  return () => lock.close()
}

/** The process that serves a data folder: null if its number is unknown, undefined if no server runs. */
export const serverOf = (folder: string): number | null | undefined => {
  const path = lockPath(folder)
  if (!existsSync(path)) return undefined
  const lock = new BetterSqlite3(path, { timeout: 0, readonly: true })
  try {
    lock.prepare('select 1 from sqlite_master').get()
    return undefined
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    return holderOf(path)
  } finally {
    lock.close()
  }
}

/** Only Linux tells the number. */
const holderOf = (path: string): number | null => {
  const { ino } = statSync(path)
  try {
    const line = new RegExp(`WRITE (\\d+) [0-9a-f]+:[0-9a-f]+:${ino} `)
    return Number(line.exec(readFileSync('/proc/locks', 'utf8'))?.[1]) || null
  } catch {
    return null
  }
}
