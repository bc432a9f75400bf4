import { chmodSync, type Stats, statSync } from 'node:fs'
import { databasePath } from './database.ts'
import { lockPath } from './lock.ts'

/** Something of the data folder that others may look into. */
export interface Exposed {
  readonly path: string
  readonly mode: string
  /** What has been done about it, or what is to be done. */
  readonly advice: string
}

/**
 * Looks for what others may look into. The database and what belongs to it is closed to them: a copy that was put back
 * often comes back readable. The folder is left to its owner, who may have meant it, or named one that holds more.
 */
export const closeToOthers = (folder: string): readonly Exposed[] => {
  const database = databasePath(folder)
  const files = [database, `${database}-wal`, `${database}-shm`, lockPath(folder)]
  return [
    ...look(folder, path => `say: chmod 700 ${path}`),
    ...files.flatMap(path => look(path, close)),
  ]
}

const look = (path: string, answer: (path: string) => string): readonly Exposed[] => {
  const found = stat(path)
  if (found === undefined || (found.mode & 0o077) === 0) return []
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0')
  return [{ path, mode, advice: answer(path) }]
}

/** What cannot be looked at is closed to us, too: opening the database will say so. */
const stat = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

const close = (path: string): string => {
  try {
    chmodSync(path, 0o600)
    return 'it has been closed to them'
  } catch {
    return `say: chmod 600 ${path}`
  }
}
