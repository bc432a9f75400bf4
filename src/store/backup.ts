import { chmodSync, closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { DataFolderError } from './data-folder-error.ts'
import type { Database } from './database.ts'
import { databaseProblem, isDamage, readableError } from './database-error.ts'
import { damageIn } from './health.ts'

/** The content of a backup, in numbers. */
export interface Copied {
  readonly matches: number
  readonly accounts: number
  /** The host key is in a table of its own: it does not belong to the store, but a host cannot be restored without it. */
  readonly hostKey: Buffer | null
}

/**
 * Writes all data of this moment into one plain SQLite database that only its owner can read, and reads it back. A
 * running server does not wait: it keeps writing into its write-ahead log.
 */
export const copyDatabase = ({ file }: Database, path: string, hostKey: Buffer | null): Copied => {
  // SQLite takes an empty file for a missing one, and keeps its permissions.
  writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
  try {
    file.prepare('vacuum into ?').run(path)
    return within(path, path, copy => {
      copy.exec('create table backup (name text primary key, content blob not null) strict')
      const put = copy.prepare('insert into backup values (?, ?)')
      if (hostKey !== null) put.run('host_key', hostKey)
      return contentsOf(copy)
    })
  } catch (error) {
    rmSync(path, { force: true })
    throw databaseProblem(error) === null || isDamage(error) ? error : readableError(error, path)
  }
}

/**
 * Prepares a backup for use by a server: checks that it is whole, and takes the host key out. Every database of agentbbs
 * will do, however it was copied. Errors call it by the name that the operator gave.
 */
export const unpackCopy = (path: string, name: string): Copied => {
  chmodSync(path, 0o600)
  return within(path, name, copy => {
    const contents = contentsOf(copy)
    copy.pragma('secure_delete = ON')
    copy.exec('drop table if exists backup')
    return contents
  })
}

const within = <T>(path: string, name: string, work: (copy: BetterSqlite3.Database) => T): T => {
  const copy = new BetterSqlite3(path)
  try {
    return work(copy)
  } catch (error) {
    throw error instanceof DataFolderError
      ? new DataFolderError(`${name}: ${error.message}`)
      : readableError(error, name)
  } finally {
    copy.close()
    sync(path)
  }
}

/** Forces a file, and its name in its folder, to disk. */
export const sync = (path: string): void => {
  for (const one of [path, dirname(path)]) {
    const file = openSync(one, 'r')
    fsyncSync(file)
    closeSync(file)
  }
}

const contentsOf = (copy: BetterSqlite3.Database): Copied => {
  const damage = damageIn(copy, 'integrity_check(1)')
  if (damage !== null) throw new DataFolderError(`it is damaged (${damage})`)
  const has = (table: string) =>
    copy.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table)
  if (!has('kysely_migration') || !has('matches'))
    throw new DataFolderError('it is not a database of agentbbs')
  // The accounts of guests, below 0, belong to nobody.
  const count = (table: 'matches' | 'accounts') =>
    copy.prepare(`select count(*) from ${table} where id > 0`).pluck().get() as number
  const hostKey = has('backup')
    ? copy.prepare("select content from backup where name = 'host_key'").pluck().get()
    : undefined
  return {
    matches: count('matches'),
    accounts: count('accounts'),
    hostKey: (hostKey as Buffer | undefined) ?? null,
  }
}
