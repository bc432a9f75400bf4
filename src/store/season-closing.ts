import { sql } from 'kysely'
import { startOf } from '../arena/counting.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Season } from '../record/season-record.ts'
import { sealedSeason } from '../seal.ts'
import { type Actor, Audit, theHost } from './audit.ts'
import { type Database, prepare, type Query } from './database.ts'
import { databaseProblem } from './database-error.ts'
import { Ladders } from './ladders.ts'
import { Rankings } from './rankings.ts'
import type { Schema } from './schema.ts'
import { Seals } from './seals.ts'
import { type SeasonDate, Seasons } from './seasons.ts'

/** Closes seasons: keeps the table of a ladder as it is, seals it, and lets the ratings start again. */
export class SeasonClosing {
  readonly #db: Database
  readonly #clock: Clock
  readonly #ladders: Ladders
  readonly #rankings: Rankings
  readonly #seasons: Seasons
  readonly #seals: Seals
  readonly #audit: Audit
  readonly #last: Query<object, { seq: number | null }>
  readonly #matches: Query<{ ladder: LadderId; game: string; after: number }, { n: number }>
  readonly #insert: Query<Schema['seasons'], unknown>
  readonly #insertRow: Query<Schema['season_rows'], unknown>
  readonly #restart: Query<{ ladder: LadderId; kept: 0 | 1; start: number }, unknown>
  /** Strengths are those of the present season. */
  readonly #dropFit: readonly Query<{ ladder: LadderId }, unknown>[]
  readonly #putDate: Query<SeasonDate, unknown>
  readonly #dropDate: Query<{ ladder: LadderId }, unknown>

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#ladders = new Ladders(db)
    this.#rankings = new Rankings(db)
    this.#seasons = new Seasons(db)
    this.#seals = new Seals(db)
    this.#audit = new Audit(db, clock)
    this.#last = prepare(db, query =>
      query
        .selectFrom('matches')
        .select(({ fn }) => fn.max('finished_seq').as('seq'))
        .where('finished_seq', 'is not', null),
    )
    this.#matches = prepare(db, (query, $: { ladder: LadderId; game: string; after: number }) =>
      query
        .selectFrom('matches')
        .innerJoin('match_seats', join =>
          join.onRef('match_seats.match', '=', 'matches.id').on('seat', '=', 0),
        )
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('finished_seq', '>', $.after)
        .where('game', '=', $.game)
        .where('ladder', '=', $.ladder)
        .where('unrated', 'is', null)
        .where('voided_at', 'is', null),
    )
    this.#insert = prepare(db, (query, $: Schema['seasons']) =>
      query.insertInto('seasons').values({
        ladder: $.ladder,
        number: $.number,
        title: $.title,
        rule: $.rule,
        closed_at: $.closed_at,
        last_seq: $.last_seq,
        matches: $.matches,
        seal: $.seal,
      }),
    )
    this.#insertRow = prepare(db, (query, $: Schema['season_rows']) =>
      query.insertInto('season_rows').values({
        ladder: $.ladder,
        season: $.season,
        row: $.row,
        account: $.account,
        rank: $.rank,
        rating: $.rating,
        strength: $.strength,
        error: $.error,
        games: $.games,
        wins: $.wins,
        draws: $.draws,
        losses: $.losses,
      }),
    )
    this.#restart = prepare(db, (query, $: { ladder: LadderId; kept: 0 | 1; start: number }) =>
      query
        .updateTable('ratings')
        .set({
          rating: sql<number>`case when ${$.kept} then rating else (rating + ${$.start}) / 2 end`,
          games: 0,
          wins: 0,
          draws: 0,
          losses: 0,
          // The rise of a day begins again with the rating of the new season.
          day: 0,
          began: 0,
        })
        .where('ladder', '=', $.ladder),
    )
    this.#dropFit = (['strengths', 'strength_fits'] as const).map(table =>
      prepare(db, (query, $: { ladder: LadderId }) =>
        query.deleteFrom(table).where('ladder', '=', $.ladder),
      ),
    )
    this.#putDate = prepare(db, (query, $: SeasonDate) =>
      query
        .insertInto('season_dates')
        .values({ ladder: $.ladder, title: $.title, rule: $.rule, at: $.at })
        .onConflict(conflict =>
          conflict.column('ladder').doUpdateSet(row => ({
            title: row.ref('excluded.title'),
            rule: row.ref('excluded.rule'),
            at: row.ref('excluded.at'),
          })),
        ),
    )
    this.#dropDate = prepare(db, (query, $: { ladder: LadderId }) =>
      query.deleteFrom('season_dates').where('ladder', '=', $.ladder),
    )
  }

  /** Closes the present season of a ladder now. Answers with it, or says why that cannot be. */
  close(ladder: Ladder, named: SeasonName, actor: Actor): Season | Problem {
    return this.#transact(() => this.#close(ladder, named, actor))
  }

  /** Has it closed at a time. A ladder has one such date: a later call replaces it. */
  closeAt(ladder: Ladder, { title, rule }: SeasonName, at: number, actor: Actor): Problem | null {
    return this.#transact(() => {
      const problem = objection(ladder)
      if (problem !== null) return problem
      if (at <= this.#clock.date()) return { problem: 'the date is past: leave out --at' }
      this.#putDate.run({ ladder: ladder.id, title, rule, at })
      const detail = `${title}, at ${new Date(at).toISOString()}, ratings ${rule}`
      this.#audit.add(actor, { action: 'date-season', target: ladder.id, detail })
      return null
    })
  }

  /** Forgets the date of a ladder. */
  cancel(ladder: Ladder, actor: Actor): Problem | null {
    return this.#transact(() => {
      if (this.#dropDate.run({ ladder: ladder.id }) === 0)
        return { problem: `no date is set for the season of ${ladder.id}` }
      this.#audit.add(actor, { action: 'cancel-season', target: ladder.id })
      return null
    })
  }

  /** Closes what is due. Answers with the number of seasons that were closed. */
  closeDue(): number {
    const now = this.#clock.date()
    const isDue = ({ at }: SeasonDate) => at <= now
    if (!this.#seasons.dates().some(isDue)) return 0
    return this.#transact(() => {
      let closed = 0
      for (const { ladder, ...named } of this.#seasons.dates().filter(isDue)) {
        const season = this.#close(this.#ladders.of(ladder), named, theHost)
        if (!('problem' in season)) closed++
        else {
          const reason = season.problem
          this.#dropDate.run({ ladder })
          this.#audit.add(theHost, { action: 'cancel-season', target: ladder, reason })
        }
      }
      return closed
    })
  }

  #close(ladder: Ladder, { title, rule }: SeasonName, actor: Actor): Season | Problem {
    const problem = objection(ladder)
    if (problem !== null) return problem
    const { id, game } = ladder
    const after = this.#seasons.start(id)
    const matches = this.#matches.get({ ladder: id, game, after })!.n
    if (matches === 0) return { problem: `no rated match was played on ${id} in this season` }
    const number = this.#seasons.of(id).length + 1
    const closed_at = this.#clock.date()
    const last_seq = this.#last.get({})!.seq!
    const season = { ladder: id, number, title, rule, closed_at, last_seq, matches }
    const rows = this.#rankings
      .top(ladder, Number.MAX_SAFE_INTEGER)
      .map(({ strength, ...row }) => ({
        ...row,
        strength: strength?.value ?? null,
        error: strength?.error ?? null,
      }))
    const seal = this.#seals.season(id, sealedSeason(season, rows))
    this.#insert.run({ ...season, seal: seal.number })
    for (const [at, row] of rows.entries())
      this.#insertRow.run({ ladder: id, season: number, row: at + 1, ...row })
    this.#restart.run({ ladder: id, kept: rule === 'kept' ? 1 : 0, start: startOf(ladder.counts) })
    for (const drop of this.#dropFit) drop.run({ ladder: id })
    this.#dropDate.run({ ladder: id })
    const detail = `season ${number}, ${title}, ratings ${rule}`
    this.#audit.add(actor, { action: 'close-season', target: id, detail })
    return this.#seasons.find(id, number)!
  }

  #transact<T>(run: () => T): T {
    return this.#db.file.transaction(run).immediate()
  }
}

/** Closes seasons within a second of their dates, until the returned function is called. */
export const closeSeasonsInTime = (
  closing: Pick<SeasonClosing, 'closeDue'>,
  clock: Clock,
  closed: () => void,
): (() => void) => {
  let timer: Timer
  const look = () => {
    timer = clock.after(lookEvery, look)
    try {
      if (closing.closeDue() > 0) closed()
    } catch (error) {
      // The operator is told by the results that wait for the same database. The next look tries again.
      if (databaseProblem(error) === null) throw error
    }
  }
  look()
  return () => timer.cancel()
}

const lookEvery = 1_000

const objection = ({ id, crowd }: Ladder): Problem | null =>
  typeof crowd === 'object'
    ? { problem: `${id} is the ladder of an event, which ends by itself: it has no seasons` }
    : null

export type SeasonName = Pick<Season, 'title' | 'rule'>

interface Problem {
  readonly problem: string
}
