import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { type Compilable, Kysely, SqliteDialect } from 'kysely'
import { DataFolderError } from './data-folder-error.ts'
import { databasePath } from './data-paths.ts'
import { readableError } from './database-error.ts'
import type { Schema } from './schema.ts'

export interface Database {
  readonly file: BetterSqlite3.Database
  /** Builds and types SQL. Only migrations run through it: all other statements are prepared once. */
  readonly sql: Kysely<Schema>
}

/** Opens the database of a data folder. Makes folder and database if they are missing. */
export const openDatabase = (folder: string, busyTimeout: number): Database => {
  const path = databasePath(folder)
  makeWhatIsMissing(folder, path)
  let file: BetterSqlite3.Database | undefined
  try {
    file = new BetterSqlite3(path, { timeout: busyTimeout })
    file.pragma('journal_mode = WAL')
    file.pragma('synchronous = FULL')
    file.pragma('foreign_keys = ON')
    // Fewer checkpoints: a page that many matches change is copied to the database once for all of them.
    file.pragma('wal_autocheckpoint = 8000')
    file.pragma('journal_size_limit = 67108864')
    return withSql(file)
  } catch (error) {
    file?.close()
    throw readableError(error, path)
  }
}

export const withSql = (file: BetterSqlite3.Database): Database => ({
  file,
  sql: new Kysely<Schema>({ dialect: new SqliteDialect({ database: file }) }),
})

const makeWhatIsMissing = (folder: string, path: string) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // SQLite gives its log and index the permissions of this file.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new DataFolderError(
      `the data folder ${folder} cannot be used: ${(error as Error).message}`,
    )
  }
}

/** Opens a database for reading, and leaves its files as they were. */
export const readDatabase = (folder: string): BetterSqlite3.Database => {
  const path = databasePath(folder)
  // A connection that only reads leaves an empty log behind where there was none. One that may write copies into the
  // database what a dead server has left in its log.
  const readonly = existsSync(`${path}-wal`)
  const file = new BetterSqlite3(path, { readonly, fileMustExist: true, timeout: 2_000 })
  file.pragma('query_only = ON')
  return file
}

/**
 * Builds a query with Kysely and prepares it with SQLite, once. `$` stands for its parameters: they are named and typed
 * where the query is built, and get their values where it is run.
 */
export const prepare = <In extends object, Out>(
  { file, sql }: Database,
  build: (sql: Kysely<Schema>, $: In) => Compilable<Out>,
): Query<In, Out> => {
  const { sql: text, parameters } = build(sql, slots as In).compile()
  const statement = file.prepare<unknown[], Out>(text)
  const bind = (input: In) =>
    parameters.map(value => (value instanceof Slot ? input[value.name as keyof In] : value))
  return {
    get: input => statement.get(bind(input)),
    all: input => statement.all(bind(input)),
    iterate: input => statement.iterate(bind(input)),
    run: input => statement.run(bind(input)).changes,
  }
}

export interface Query<In, Out> {
  get(input: In): Out | undefined
  all(input: In): Out[]
  iterate(input: In): IterableIterator<Out>
  /** Answers how many rows were changed. */
  run(input: In): number
}

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })
