import { Migrator } from 'kysely'
import { migrations } from '../../migrations/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type Actor, Audit, theHost } from './audit.ts'
import { DataFolderError } from './data-folder-error.ts'
import type { Database } from './database.ts'

/** Brings a database up to this program, and answers with what was applied. */
export const migrate = async (
  db: Database,
  clock: Clock = systemClock,
  actor: Actor = theHost,
): Promise<readonly string[]> => {
  // One transaction over all migrations: no process sees a half-migrated database, and of two that start at once one waits.
  db.file.exec('begin immediate')
  try {
    refuseNewer(db)
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) }
    const { error, results } = await new Migrator({ db: db.sql, provider }).migrateToLatest()
    if (error !== undefined) throw error
    const names = (results ?? []).map(result => result.migrationName)
    if (names.length > 0)
      new Audit(db, clock).add(actor, {
        action: 'migrate',
        target: 'database',
        detail: names.join(', '),
      })
    db.file.exec('commit')
    return names
  } catch (error) {
    if (db.file.inTransaction) db.file.exec('rollback')
    throw error
  }
}

/** The migrations that are not yet applied to this database. */
export const pending = (db: Pick<Database, 'file'>): readonly string[] => {
  refuseNewer(db)
  const done = applied(db)
  return Object.keys(migrations).filter(name => !done.includes(name))
}

const refuseNewer = (db: Pick<Database, 'file'>) => {
  const unknown = applied(db).filter(name => !(name in migrations))
  if (unknown.length > 0)
    throw new DataFolderError(
      `${db.file.name} was written by a newer agentbbs (it has ${unknown.join(', ')}): use that version`,
    )
}

const applied = ({ file }: Pick<Database, 'file'>): readonly string[] => {
  const table = file.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  if (table === undefined) return []
  return file.prepare('select name from kysely_migration order by name').pluck().all() as string[]
}
