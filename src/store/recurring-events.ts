import type { Clock } from '../clock.ts'
import { type Recurring, RecurringError, readRecurring } from '../events/recurring.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** The recurring events that were made by command. */
export class RecurringEvents {
  readonly #clock: Clock
  readonly #insert: Query<Row, unknown>
  readonly #delete: Query<{ name: string }, unknown>
  readonly #all: Query<object, Row>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: Row) =>
      sql
        .insertInto('recurring_events')
        .values({ name: $.name, line: $.line, created_at: $.created_at }),
    )
    this.#delete = prepare(db, (sql, $: { name: string }) =>
      sql.deleteFrom('recurring_events').where('name', '=', $.name),
    )
    this.#all = prepare(db, sql => sql.selectFrom('recurring_events').selectAll().orderBy('name'))
  }

  add({ name, line }: Recurring): void {
    this.#insert.run({ name, line, created_at: this.#clock.date() })
  }

  remove(name: string): void {
    this.#delete.run({ name })
  }

  names(): readonly string[] {
    return this.#all.all({}).map(({ name }) => name)
  }

  /** A line that this version of the host cannot read any more is left out. */
  all(): readonly Recurring[] {
    return this.#all.all({}).flatMap(({ line }) => {
      try {
        return [readRecurring(line)]
      } catch (error) {
        if (error instanceof RecurringError) return []
        throw error
      }
    })
  }
}

type Row = Schema['recurring_events']
