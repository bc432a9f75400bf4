import { existsSync, statSync } from 'node:fs'
import type BetterSqlite3 from 'better-sqlite3'
import { programName } from '../process/program-name.ts'
import { databasePath } from '../store/data-paths.ts'
import { readDatabase } from '../store/database.ts'
import { isDamage, isLocked } from '../store/database-error.ts'
import { pending } from '../store/migrate.ts'
import { about, type Finding, mebibytes } from './finding.ts'

/** Checks that the database is whole and of this version, its log small, and its newest match not in the future. */
export const examineDatabase = (folder: string, now: number): readonly Finding[] => {
  const { warn, fail } = about('database')
  const path = databasePath(folder)
  let file: BetterSqlite3.Database | undefined
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      return [
        warn(`there is none in ${folder}`, `the server and ${programName()} add-user make it`),
      ]
    const [log, index] = [`${path}-wal`, `${path}-shm`]
    // Opening the database would make a new log, and hide that the log is missing; see store/health.ts.
    if (!existsSync(log) && existsSync(index) && !existsSync(log))
      return [
        fail(
          `${log} is missing, and with it the last results`,
          `put it back, or remove ${index} to go on without them`,
        ),
      ]
    file = readDatabase(folder)
    return [whole(file, path), version(file), logOf(path), clock(file, now)]
  } catch (error) {
    if (isLocked(error))
      return [
        fail(`${path} is locked`, `find the process that holds it with lsof ${path}, and end it`),
      ]
    const { message } = error as Error
    return [fail(`${path}: ${message}`, isDamage(error) ? fromBackup : fromOutside)]
  } finally {
    file?.close()
  }
}

const fromBackup = 'stop the server, keep the file aside, and restore the newest backup'
/** No data is lost yet, and a backup would be older. */
const fromOutside =
  'correct what is reported of the data folder, its files and its disk; dmesg may show more'

const whole = (file: BetterSqlite3.Database, path: string): Finding => {
  const { ok, fail } = about('database')
  const problems = file.pragma('quick_check(1)', { simple: true })
  return problems === 'ok'
    ? ok(`${path} is whole, ${mebibytes(statSync(path).size)}`)
    : fail(`${path} is damaged: ${problems}`, fromBackup)
}

const version = (file: BetterSqlite3.Database): Finding => {
  const { ok, warn, fail } = about('migrations')
  try {
    const missing = pending({ file })
    return missing.length === 0
      ? ok('all are applied')
      : warn(`not yet applied: ${missing.join(', ')}`, 'restart the server: it applies them')
  } catch (error) {
    return fail((error as Error).message, 'install the version of AgentBBS that wrote it')
  }
}

/** SQLite cuts the log to this size once all of it is in the database. */
const usualLog = 64 * 2 ** 20

const logOf = (path: string): Finding => {
  const { ok, warn } = about('log')
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return size > 2 * usualLog
    ? warn(
        `the write-ahead log has grown to ${mebibytes(size)}`,
        'a process reads without end: find it with lsof, or restart the server',
      )
    : ok(`${mebibytes(size)} in the write-ahead log`)
}

/** A clock before this date is wrong. */
const thisYear = Date.UTC(2026, 0)
const oneMinute = 60_000

const clock = (file: BetterSqlite3.Database, now: number): Finding => {
  const { ok, fail } = about('clock')
  const newest = newestMatch(file)
  const time = new Date(now).toISOString()
  if (now < thisYear || newest > now + oneMinute)
    return fail(
      newest > now + oneMinute
        ? `it is ${time}, and the newest match is of ${new Date(newest).toISOString()}`
        : `it is ${time}`,
      'set the clock, and synchronize it: timedatectl set-ntp true',
    )
  return ok(time)
}

const newestMatch = (file: BetterSqlite3.Database): number => {
  const there = file.prepare("select 1 from sqlite_master where name = 'matches'").get()
  if (there === undefined) return 0
  const newest = 'select max(coalesce(ended_at, 0), started_at) from matches order by id desc'
  return (file.prepare(`${newest} limit 1`).pluck().get() as number | undefined) ?? 0
}
