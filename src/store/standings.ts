import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { Unrated } from '../arena/unrated.ts'
import { type Database, prepare, type Query } from './database.ts'
import { DayGains } from './day-gains.ts'
import type { Result } from './rating-recalculation.ts'
import {
  counts,
  type Meeting,
  meetings,
  newcomerOn,
  type Rating,
  ratingsAfter,
} from './rating-recalculation.ts'
import type { Schema } from './schema.ts'

/** Ratings, and how often accounts met and had seat 0: read and written in the transaction of a result. */
export class StandingsTable {
  readonly #read: Query<{ account: AccountId; ladder: LadderId }, Rating>
  readonly #write: Query<RatingRow, unknown>
  readonly #addMeeting: Query<Pair & Meetings, unknown>
  readonly #gains: DayGains
  readonly #agentOf: (account: AccountId) => AccountId

  constructor(db: Database, gainCap: number, agentOf: (account: AccountId) => AccountId) {
    this.#gains = new DayGains(db, gainCap, agentOf)
    this.#agentOf = agentOf
    this.#read = prepare(db, (sql, $: { account: AccountId; ladder: LadderId }) =>
      sql
        .selectFrom('ratings')
        .select(['rating', 'games', 'wins', 'losses', 'draws', 'lead'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder),
    )
    this.#write = ratingWriter(db)
    this.#addMeeting = prepare(db, (query, $: Pair & Meetings) =>
      query
        .insertInto('meetings')
        .values({
          account: $.account,
          ladder: $.ladder,
          against: $.against,
          firsts: $.firsts,
          day: $.day,
          rated: $.rated,
        })
        .onConflict(conflict =>
          conflict.columns(['account', 'ladder', 'against']).doUpdateSet(row => ({
            firsts: row('meetings.firsts', '+', row.ref('excluded.firsts')),
            rated: sql<number>`case when ${begunAnew} then excluded.rated
              when excluded.day = meetings.day then meetings.rated + excluded.rated
              else meetings.rated end`,
            day: sql<number>`case when ${begunAnew} then excluded.day
              else meetings.day end`,
          })),
        ),
    )
  }

  /** Writes the changes of a result within its transaction. `day` is the day of its start, `today` that of its end. */
  keep(ended: Result, day: number, today: number): Kept {
    const { ladder, accounts } = ended
    const before = accounts.map(account => this.#find(account, ladder))
    const unrated = this.#gains.objection(ended, before, today)
    const result = unrated === null ? ended : { ...ended, rated: false }
    const after = ratingsAfter(result, before)
    if (counts(result))
      for (const [seat, account] of accounts.entries())
        this.#write.run({ account, ladder: ladder.id, ...after[seat]! })
    for (const meeting of meetings(result)) this.#met(meeting, ladder, day, result.rated ? 1 : 0)
    this.#gains.add(result, before, today)
    return { before, after, unrated }
  }

  /** Who had seat 0 is counted for versions, and the rated matches of a day for agents. */
  #met({ account, against, first }: Meeting, { id: ladder }: Ladder, day: number, rated: 0 | 1) {
    const agents = { account: this.#agentOf(account), against: this.#agentOf(against) }
    const areAgents = agents.account === account && agents.against === against
    const own = areAgents ? rated : 0
    this.#addMeeting.run({ account, ladder, against, firsts: first, day, rated: own })
    if (own < rated) this.#addMeeting.run({ ...agents, ladder, firsts: 0, day, rated })
  }

  #find(account: AccountId, ladder: Ladder): Rating {
    return this.#read.get({ account, ladder: ladder.id }) ?? newcomerOn(ladder)
  }
}

/**
 * Whether the count of the day starts again. A match that began yesterday may end after one of today; a day that is further
 * ahead comes from a clock that was wrong.
 */
const begunAnew = sql`excluded.day not between meetings.day - 1 and meetings.day`

/** Replaces the rating of an account. */
export const ratingWriter = (db: Database): Query<RatingRow, unknown> =>
  prepare(db, (sql, $: RatingRow) =>
    sql
      .insertInto('ratings')
      .values({
        account: $.account,
        ladder: $.ladder,
        rating: $.rating,
        games: $.games,
        wins: $.wins,
        losses: $.losses,
        draws: $.draws,
        lead: $.lead,
      })
      .onConflict(conflict =>
        conflict.columns(['account', 'ladder']).doUpdateSet(row => ({
          rating: row.ref('excluded.rating'),
          games: row.ref('excluded.games'),
          wins: row.ref('excluded.wins'),
          losses: row.ref('excluded.losses'),
          draws: row.ref('excluded.draws'),
          lead: row.ref('excluded.lead'),
        })),
      ),
  )

/** The ratings of the seats before a result and after it. */
export interface Kept {
  readonly before: readonly Rating[]
  readonly after: readonly Rating[]
  /** Why a result does not count though the match began as rated. */
  readonly unrated: Unrated | null
}

type RatingRow = Rating & { readonly account: AccountId; readonly ladder: LadderId }
type Pair = { account: AccountId; ladder: LadderId; against: AccountId }
type Meetings = Pick<Schema['meetings'], 'firsts' | 'day' | 'rated'>
