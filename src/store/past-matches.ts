import type { AccountId } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { LadderId } from '../arena/ladder.ts'
import { idsOf } from './agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { PastMatch } from './duplicate-matches.ts'
import type { Schema } from './schema.ts'

/** How many of an account's newest matches are searched for those with one opponent: it may play thousands a day. */
const lookBack = 2000

/** The past matches of two agents against each other, in whatever versions, from which duplicates are found. */
export class PastMatchTable {
  readonly #rated: Query<Pair & { day: number }, { rated: number }>
  readonly #ids: Query<{ agent: AccountId }, { id: AccountId }>
  readonly #newest: Query<Pair & { limit: number }, Row>

  constructor(db: Database) {
    this.#rated = prepare(db, (sql, $: Pair & { day: number }) =>
      sql
        .selectFrom('meetings')
        .select('rated')
        .where('ladder', '=', $.ladder)
        .where('account', '=', $.first)
        .where('against', '=', $.second)
        .where('day', '=', $.day),
    )
    this.#ids = prepare(db, (sql, $: { agent: AccountId }) => idsOf(sql, $.agent))
    this.#newest = prepare(db, (sql, $: Pair & { limit: number }) =>
      sql
        .with('mine', cte =>
          cte
            .selectFrom('match_seats')
            .select(['match', 'seat', 'place'])
            .where('account', '=', $.first)
            .where('ladder', '=', $.ladder)
            .orderBy('match', 'desc')
            .limit($.limit),
        )
        .selectFrom('mine')
        .innerJoin('match_seats as theirs', 'theirs.match', 'mine.match')
        .innerJoin('matches', 'matches.id', 'mine.match')
        .select(['started_at', 'unrated', 'ending', 'moves'])
        .select(['mine.place as first', 'theirs.place as second'])
        .where('mine.seat', '=', 0)
        .where('theirs.seat', '=', 1)
        .where('theirs.account', 'in', idsOf(sql, $.second))
        .where('finished_seq', 'is not', null),
    )
  }

  /** How many rated matches with a result began on this day, with the first agent in seat 0. */
  rated(ladder: LadderId, first: AccountId, second: AccountId, day: number): number {
    return this.#rated.get({ ladder, first, second, day })?.rated ?? 0
  }

  /** These matches. Newest first. */
  *of(ladder: LadderId, first: AccountId, second: AccountId, day: number): Iterable<PastMatch> {
    for (const { id } of this.#ids.all({ agent: first }))
      for (const row of this.#newest.iterate({ ladder, first: id, second, limit: lookBack }))
        if (dayOf(row.started_at) === day && row.unrated === null)
          yield {
            ending: row.ending as PastMatch['ending'],
            places: [row.first!, row.second!],
            moves: row.moves,
          }
  }
}

type Pair = { ladder: LadderId; first: AccountId; second: AccountId }
type Row = Pick<Schema['matches'], 'started_at' | 'unrated' | 'ending' | 'moves'> & {
  readonly first: number | null
  readonly second: number | null
}
