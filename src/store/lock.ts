import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { isLocked, plainly } from './trouble.ts'
import { Unusable } from './unusable.ts'

/**
 * Makes this process the only server of a data folder, until it lets go or dies: the lock is the operating system's,
 * on an empty database, so that nothing stale can be left behind.
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
      ? new Unusable(`${folder} is in use by another agentbbs server`)
      : plainly(error, path)
  }
  return () => lock.close()
}

/** It is there once a server has opened the database of this folder. */
export const lockPath = (folder: string): string => join(folder, 'agentbbs.lock')
