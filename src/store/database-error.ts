import BetterSqlite3 from 'better-sqlite3'
import { programName } from '../process/program-name.ts'
import { DataFolderError } from './data-folder-error.ts'

/** Why the database as a whole cannot be read or written, and what to do about it; null for other errors. */
export const databaseProblem = (error: unknown): string | null => {
  if (!(error instanceof BetterSqlite3.SqliteError)) return null
  const { code } = error
  const [, advice] = advices.find(([start]) => code.startsWith(start)) ?? []
  return advice === undefined ? null : `${advice} (${code})`
}

/** The error with a message that an operator can act on, or else the same error. */
export const readableError = (error: unknown, path: string): unknown => {
  if (isUnloadable(error))
    return new DataFolderError(
      'better-sqlite3 was not built for this Node, or not at all: run npm ci in the folder of the program',
    )
  const problem = databaseProblem(error)
  return problem === null ? error : new DataFolderError(`${path}: ${problem}`)
}

/** The errors of Node for a module that was built for another version, and of better-sqlite3 for a missing one. */
const isUnloadable = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED' ||
  (error instanceof Error && error.message.startsWith('Could not locate the bindings file'))

export const isLocked = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)

export const isDamage = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

/** Called once when the database stops taking writes, and once when it takes them again. */
export interface Alarm {
  /** Why, and what to do about it. */
  raised(problem: string): void
  over(ms: number): void
}

export const noAlarm: Alarm = { raised: () => {}, over: () => {} }

const advices = [
  ['SQLITE_FULL', 'the disk is full: make room on it'],
  // The file that its connections share cannot grow, before anything is written.
  ['SQLITE_IOERR_SHMSIZE', 'the disk is full, or a quota is used up: make room on it'],
  ['SQLITE_BUSY', 'another program has locked it: end that, or wait for it'],
  ['SQLITE_LOCKED', 'another program has locked it: end that, or wait for it'],
  [
    'SQLITE_READONLY',
    'it may not be written to: the folder and its files have to belong to the user who runs this, on a disk that is not mounted read-only',
  ],
  [
    'SQLITE_CANTOPEN',
    'it cannot be opened: the folder and its files have to belong to the user who runs this, on a disk that is not mounted read-only',
  ],
  [
    'SQLITE_CORRUPT',
    `it is damaged: stop the server and restore a backup, as ${programName()} restore --help says`,
  ],
  [
    'SQLITE_NOTADB',
    `it is not a database: restore a backup, as ${programName()} restore --help says`,
  ],
  ['SQLITE_IOERR', 'the disk fails, or a quota is used up: look at dmesg and df'],
  ['SQLITE_PROTOCOL', 'another program has locked it: end that, or wait for it'],
  ['SQLITE_NOMEM', 'there is no memory left'],
] as const
