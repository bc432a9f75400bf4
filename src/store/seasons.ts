import type { LadderId } from '../arena/ladder.ts'
import type { Champion, Season, SeasonRow } from '../record/season-record.ts'
import { sealedSeason } from '../seal.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** A season that will close by itself. */
export type SeasonDate = Schema['season_dates']

/** Reads the seasons of ladders. */
export class Seasons {
  readonly #start: Query<{ ladder: LadderId }, { last: number | null }>
  readonly #all: Query<object, Row>
  readonly #table: Query<Pick<Season, 'ladder' | 'number'>, SeasonRow>
  readonly #champions: Query<
    object,
    Pick<Row, 'ladder' | 'number' | 'title' | 'closed_at'> & { readonly name: string }
  >
  readonly #dates: Query<object, SeasonDate>
  readonly #sealed: Query<{ ladder: LadderId; seal: number }, Schema['seasons']>

  constructor(db: Database) {
    this.#start = prepare(db, (sql, $: { ladder: LadderId }) =>
      sql
        .selectFrom('seasons')
        .select(({ fn }) => fn.max<number | null>('last_seq').as('last'))
        .where('ladder', '=', $.ladder),
    )
    this.#all = prepare(db, sql =>
      sql
        .selectFrom('seasons')
        .innerJoin('seals', join =>
          join
            .onRef('seals.ladder', '=', 'seasons.ladder')
            .onRef('seals.number', '=', 'seasons.seal'),
        )
        .selectAll('seasons')
        .select('seals.hash')
        .orderBy('last_seq')
        .orderBy('seasons.ladder'),
    )
    this.#table = prepare(db, (sql, $: Pick<Season, 'ladder' | 'number'>) =>
      sql
        .selectFrom('season_rows')
        .innerJoin('accounts', 'accounts.id', 'season_rows.account')
        .select(['account', 'name', 'rank', 'rating', 'strength', 'error'])
        .select(['games', 'wins', 'draws', 'losses'])
        .where('ladder', '=', $.ladder)
        .where('season', '=', $.number)
        .orderBy('row'),
    )
    this.#champions = prepare(db, sql =>
      sql
        .selectFrom('season_rows')
        .innerJoin('seasons', join =>
          join
            .onRef('seasons.ladder', '=', 'season_rows.ladder')
            .onRef('seasons.number', '=', 'season_rows.season'),
        )
        .innerJoin('accounts', 'accounts.id', 'season_rows.account')
        .select(['seasons.ladder', 'seasons.number', 'title', 'closed_at', 'name'])
        .where('rank', '=', 1)
        .orderBy('closed_at', 'desc')
        .orderBy('seasons.ladder')
        .orderBy('row'),
    )
    this.#dates = prepare(db, sql => sql.selectFrom('season_dates').selectAll().orderBy('at'))
    this.#sealed = prepare(db, (sql, $: { ladder: LadderId; seal: number }) =>
      sql
        .selectFrom('seasons')
        .selectAll()
        .where('ladder', '=', $.ladder)
        .where('seal', '=', $.seal),
    )
  }

  /** The present season of a ladder has the results after this `finished_seq`; 0 before its first season was closed. */
  start(ladder: LadderId): number {
    return this.#start.get({ ladder })?.last ?? 0
  }

  /** The closed seasons of all ladders, in the order in which they were closed. */
  all(): readonly Season[] {
    return this.#all.all({}).map(({ closed_at, last_seq, seal, hash, ...row }) => ({
      ...row,
      closedAt: closed_at,
      lastOrder: last_seq,
      seal: { number: seal, hash },
    }))
  }

  /** The closed seasons of a ladder, the first one first. */
  of(ladder: LadderId): readonly Season[] {
    return this.all().filter(season => season.ladder === ladder)
  }

  find(ladder: LadderId, number: number): Season | undefined {
    return this.of(ladder)[number - 1]
  }

  /** The first of each season, the newest season first. A season whose accounts were all provisional has none. */
  champions(): readonly Champion[] {
    const champions: Champion[] = []
    for (const { ladder, number, title, closed_at: at, name } of this.#champions.all({})) {
      const last = champions.at(-1)
      if (last?.of.kind === 'season' && last.of.ladder === ladder && last.of.number === number)
        champions.splice(-1, 1, { ...last, names: [...last.names, name] })
      else champions.push({ at, title, names: [name], of: { kind: 'season', ladder, number } })
    }
    return champions
  }

  /** The next one first. */
  dates(): readonly SeasonDate[] {
    return this.#dates.all({})
  }

  /** The table of a season, in its order. */
  table({ ladder, number }: Pick<Season, 'ladder' | 'number'>): readonly SeasonRow[] {
    return this.#table.all({ ladder, number })
  }

  /** The text that this seal covers; null if its season is missing. */
  sealed(ladder: LadderId, seal: number): string | null {
    const season = this.#sealed.get({ ladder, seal })
    return season === undefined ? null : sealedSeason(season, this.table(season))
  }
}

type Row = Schema['seasons'] & { readonly hash: string }
