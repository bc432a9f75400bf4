import { type Kysely, sql } from 'kysely'
import { oneLine } from '../src/games/words.ts'
import {
  type Act,
  noHash,
  noRating,
  type SealedMatch,
  type SealedSeat,
  sealedAct,
  sealedMatch,
  sealOf,
} from '../src/seal.ts'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // By ladder and number, so that the last one is found, and the next put down, beside it.
  await db.schema
    .createTable('seals')
    .addColumn('ladder', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('type', 'text', column =>
      column.notNull().check(sql`type in ('match', 'void', 'unvoid')`),
    )
    .addColumn('match', 'integer', column => column.notNull())
    .addColumn('at', 'integer')
    .addColumn('reason', 'text')
    .addColumn('hash', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('seals_key', ['ladder', 'number'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await db.schema.createIndex('seals_by_match').on('seals').columns(['match']).execute()

  // A seal covers the ratings that a match led to when it ended. Where a void has changed them since, they are kept here.
  const seats = () => db.schema.alterTable('match_seats')
  await seats().addColumn('sealed_before', 'real').execute()
  await seats().addColumn('sealed_after', 'real').execute()

  // Up to which match number all are taken, whether or not a match of that number is on disk.
  await db.schema
    .createTable('match_numbers')
    .addColumn('reserved', 'integer', column => column.notNull())
    .execute()

  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', column => column.notNull())
    .addColumn('by', 'text', column => column.notNull())
    .addColumn('via', 'text', column =>
      column.notNull().check(sql`via in ('command', 'hub', 'host')`),
    )
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('detail', 'text')
    .addColumn('reason', 'text')
    .execute()

  await sealAll(db)
  for (const table of ['seals', 'audit'])
    for (const change of ['update', 'delete'])
      await sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table}: what is written here stays as it is`)}); end`.execute(
        db,
      )
}

/** Seals what has ended so far: the results of each ladder in their order, then what was aborted, then what was voided. */
const sealAll = async (db: Kysely<unknown>): Promise<void> => {
  const chains = new Map<string, { number: number; hash: string }>()
  let waiting: Entry[] = []
  const put = async () => {
    if (waiting.length > 0) await sql`insert into seals ${values(waiting)}`.execute(db)
    waiting = []
  }
  const add = async (entry: Omit<Entry, 'number' | 'hash'>, text: string) => {
    const last = chains.get(entry.ladder)
    const sealed = { number: (last?.number ?? 0) + 1, hash: sealOf(last?.hash ?? noHash, text) }
    chains.set(entry.ladder, sealed)
    if (waiting.push({ ...entry, ...sealed }) >= chunk) await put()
  }
  const sealed = async (rows: readonly SealedMatch[]) => {
    const seats = await seatsOf(db, rows)
    for (const row of rows) {
      // What players once could write into it is shown without its control characters, and sealed as it is shown.
      const match = { ...row, detail: row.detail && oneLine(row.detail) }
      if (match.detail !== row.detail)
        await sql`update matches set detail = ${match.detail} where id = ${match.id}`.execute(db)
      const own = seats.get(match.id) ?? []
      const ladder = own[0]?.game ?? match.game
      await add(
        { ladder, type: 'match', match: match.id, at: null, reason: null },
        sealedMatch(match, ladder, own),
      )
    }
  }
  for (let last = 0; ; ) {
    const { rows } = await sql<SealedMatch>`
      select ${columns} from matches where finished_seq > ${last} order by finished_seq limit ${chunk}`.execute(
      db,
    )
    if (rows.length === 0) break
    await sealed(rows)
    last = rows.at(-1)!.finished_seq!
  }
  const aborted = await sql<{ id: number }>`
    select id from matches where ending = 'aborted' order by id`.execute(db)
  for (let from = 0; from < aborted.rows.length; from += chunk) {
    const ids = aborted.rows.slice(from, from + chunk).map(({ id }) => id)
    const { rows } = await sql<SealedMatch>`
      select ${columns} from matches where id in (${sql.join(ids)}) order by id`.execute(db)
    await sealed(rows)
  }
  await sql`update match_seats set sealed_before = ${noRating}, sealed_after = ${noRating}
    where match in (select id from matches where voided_at is not null and unrated is null)`.execute(
    db,
  )
  const voided = await sql<Omit<Act, 'type'>>`
    select id as match, voided_at as at, void_reason as reason,
      (select game from match_seats where match_seats.match = id and seat = 0) as ladder
    from matches where voided_at is not null order by voided_at, id`.execute(db)
  for (const row of voided.rows) {
    const act: Act = { ...row, type: 'void' }
    await add(act, sealedAct(act))
  }
  await put()
}

const chunk = 1000

const columns = sql.raw(
  'id, game, seed, setup, unrated, started_at, ended_at, ending, detail, finished_seq, move_count, moves',
)

const seatsOf = async (db: Kysely<unknown>, matches: readonly SealedMatch[]) => {
  const { rows } = await sql<SealedSeat & { match: number; game: string }>`
    select match, seat, account, game, name, kind, place, fault, 0 as quick, score, rating_before, rating_after
    from match_seats join accounts on accounts.id = account
    where match in (${sql.join(matches.map(({ id }) => id))}) order by match, seat`.execute(db)
  const seats = new Map<number, (typeof rows)[number][]>()
  for (const row of rows) seats.set(row.match, [...(seats.get(row.match) ?? []), row])
  return seats
}

interface Entry extends Pick<Act, 'match' | 'ladder' | 'reason'> {
  readonly type: Act['type'] | 'match'
  readonly number: number
  readonly at: number | null
  readonly hash: string
}

const values = (entries: readonly Entry[]) =>
  sql`values ${sql.join(
    entries.map(
      ({ ladder, number, type, match, at, reason, hash }) =>
        sql`(${ladder}, ${number}, ${type}, ${match}, ${at}, ${reason}, ${hash})`,
    ),
  )}`
