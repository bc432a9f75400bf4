import { chmodSync, type Stats, statSync } from 'node:fs'
import { ownerLogPath } from '../owner-log/log-paths.ts'
import { databasePath, lockPath } from './data-paths.ts'

/** A file or folder of the data folder that other users can read. */
export interface Exposed {
  readonly path: string
  readonly mode: string
  /** What was done about it, or what the operator should do. */
  readonly advice: string
}

/**
 * Finds files that other users can read. The database and its files are closed to them, since a restored copy is often
 * readable. The mode of the folder is left as it is: the owner may have meant it, or the folder may hold other things.
 */
export const closeToOthers = (folder: string): readonly Exposed[] => {
  const database = databasePath(folder)
  const files = [database, `${database}-wal`, `${database}-shm`, lockPath(folder)]
  return [
    ...[folder, ownerLogPath(folder)].flatMap(path => look(path, () => `run: chmod 700 ${path}`)),
    ...files.flatMap(path => look(path, close)),
  ]
}

const look = (path: string, answer: (path: string) => string): readonly Exposed[] => {
  const found = stat(path)
  if (found === undefined || (found.mode & 0o077) === 0) return []
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0')
  return [{ path, mode, advice: answer(path) }]
}

/** A file that cannot be examined is skipped: opening the database will report it. */
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
    return `run: chmod 600 ${path}`
  }
}
