import type { AccountId } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { PastMatch } from '../arena/match-store.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** How many of an account's newest matches are searched for those with one opponent: it may play thousands a day. */
const lookBack = 2000

/** The past matches of two accounts against each other, from which duplicates are found. */
export class PastMatches {
  readonly #newest: Query<Pair & { limit: number }, Row>

  constructor(db: Database) {
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
        .where('theirs.account', '=', $.second)
        .where('finished_seq', 'is not', null),
    )
  }

  /** Rated matches with a result that began on this day, with the first account in seat 0. Newest first. */
  *of(
    { id: ladder }: Ladder,
    first: AccountId,
    second: AccountId,
    day: number,
  ): Iterable<PastMatch> {
    for (const row of this.#newest.iterate({ ladder, first, second, limit: lookBack }))
      if (dayOf(row.started_at) === day && row.unrated === null)
        yield {
          outcome: {
            ending: row.ending as PastMatch['outcome']['ending'],
            places: [row.first!, row.second!],
          },
          moves: JSON.parse(row.moves),
        }
  }
}

type Pair = { ladder: LadderId; first: AccountId; second: AccountId }
type Row = Pick<Schema['matches'], 'started_at' | 'unrated' | 'ending' | 'moves'> & {
  readonly first: number | null
  readonly second: number | null
}
