import BetterSqlite3 from 'better-sqlite3'
import { programName } from '../program-name.ts'
import { Unusable } from './unusable.ts'

/** What keeps a whole database from being written or read, and what to do about it; null for any other error. */
export const troubleOf = (error: unknown): string | null => {
  if (!(error instanceof BetterSqlite3.SqliteError)) return null
  const { code } = error
  const [, advice] = advices.find(([start]) => code.startsWith(start)) ?? []
  return advice === undefined ? null : `${advice} (${code})`
}

/** The same error, or one whose message an operator can act on. */
export const plainly = (error: unknown, path: string): unknown => {
  if (isUnloadable(error))
    return new Unusable(
      'better-sqlite3 was not built for this Node, or not at all: say npm ci in the folder of the program',
    )
  const trouble = troubleOf(error)
  return trouble === null ? error : new Unusable(`${path}: ${trouble}`)
}

/** As Node says it of a module built for another, and better-sqlite3 of one that is not there. */
const isUnloadable = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED' ||
  (error instanceof Error && error.message.startsWith('Could not locate the bindings file'))

export const isLocked = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)

export const isDamage = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

/** Told to the operator: once when a database stops taking writes, and once when it takes them again. */
export interface Alarm {
  /** Why, and what to do about it. */
  raised(trouble: string): void
  over(ms: number): void
}

export const noAlarm: Alarm = { raised: () => {}, over: () => {} }

const advices = [
  ['SQLITE_FULL', 'the disk is full: make room on it'],
  ['SQLITE_BUSY', 'another program has locked it: end that, or wait for it'],
  ['SQLITE_LOCKED', 'another program has locked it: end that, or wait for it'],
  [
    'SQLITE_READONLY',
    'it may not be written to: the folder and its files have to belong to whoever runs this, on a disk that is not mounted read-only',
  ],
  [
    'SQLITE_CANTOPEN',
    'it cannot be opened: the folder and its files have to belong to whoever runs this, on a disk that is not mounted read-only',
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
