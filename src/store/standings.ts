import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { Standing } from '../arena/match-store.ts'
import type { Unrated } from '../arena/unrated.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { type Database, prepare, type Query } from './database.ts'
import { DayGains } from './day-gains.ts'
import type { Result } from './rating-recalculation.ts'
import {
  counts,
  meetingKey,
  meetings,
  newcomerOn,
  type Rating,
  ratingKey,
  ratingsAfter,
} from './rating-recalculation.ts'
import type { Schema } from './schema.ts'

/**
 * Ratings, and how often accounts met and had seat 0. Pairing asks for them all the time and reads them from memory; the
 * changes of a match are read and written in the transaction of its result.
 */
export class StandingsTable {
  readonly #read: Query<{ account: AccountId; ladder: LadderId }, Rating>
  readonly #write: Query<RatingRow, unknown>
  readonly #readMeetings: Query<Pair, Meetings>
  readonly #addMeeting: Query<Pair & Meetings, unknown>
  readonly #gains: DayGains
  readonly #known = new BoundedMap<string, { rating: number; lead: number }>(remembered)
  readonly #met = new BoundedMap<string, Meetings>(remembered)
  /** Cached entries whose rating has to be read again before it is used. */
  #stale = new Set<string>()

  constructor(db: Database, gainCap: number) {
    this.#gains = new DayGains(db, gainCap)
    this.#read = prepare(db, (sql, $: { account: AccountId; ladder: LadderId }) =>
      sql
        .selectFrom('ratings')
        .select(['rating', 'games', 'wins', 'losses', 'draws', 'lead'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder),
    )
    this.#write = ratingWriter(db)
    this.#readMeetings = prepare(db, (sql, $: Pair) =>
      sql
        .selectFrom('meetings')
        .select(['firsts', 'day', 'rated'])
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder)
        .where('against', '=', $.against),
    )
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

  standing(account: AccountId, ladder: Ladder): Standing {
    return this.#recall(account, ladder)
  }

  firsts({ id: ladder }: Ladder, account: AccountId, against: AccountId): number {
    return this.#meetings({ ladder, account, against }).firsts
  }

  /** How many rated matches of two accounts began on this day, including those under way. */
  rated({ id: ladder }: Ladder, a: AccountId, b: AccountId, day: number): number {
    const [one, other] = [
      this.#meetings({ ladder, account: a, against: b }),
      this.#meetings({ ladder, account: b, against: a }),
    ]
    return (one.day === day ? one.rated : 0) + (other.day === day ? other.rated : 0)
  }

  /** Counts the seats of a match that starts, or uncounts those of one without a result. */
  seated(seating: Seating, by: 1 | -1): void {
    const { ladder, accounts, practice } = seating
    if (practice) return
    for (const [seat, account] of accounts.entries())
      this.#recall(account, ladder).lead += seat === 0 ? by : -by
    for (const { account, against, first } of meetings(seating))
      this.#meetings({ ladder: ladder.id, account, against }).firsts += first * by
    if (seating.rated) this.#count(seating, by)
  }

  /** Uncounts a match that began as a rated one and ended unrated. */
  uncounted(seating: Seating): void {
    this.#count(seating, -1)
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
    const rated = result.rated ? 1 : 0
    for (const { account, against, first } of meetings(result))
      this.#addMeeting.run({ account, ladder: ladder.id, against, firsts: first, day, rated })
    this.#gains.add(result, before, today)
    return { before, after, unrated }
  }

  /** To be called once that transaction is on disk. */
  kept({ ladder, accounts }: Result, after: readonly Rating[]): void {
    for (const [seat, account] of accounts.entries())
      this.#recall(account, ladder).rating = after[seat]!.rating
  }

  /** Another process has changed ratings. */
  changed(): void {
    this.#stale = new Set(this.#known.keys())
  }

  /** As `begunAnew` has it. */
  #count(seating: Seating, by: 1 | -1): void {
    const { ladder, day } = seating
    for (const { account, against } of meetings(seating)) {
      const met = this.#meetings({ ladder: ladder.id, account, against })
      if (by > 0 && (day > met.day || day < met.day - 1)) {
        met.day = day
        met.rated = 0
      }
      if (met.day === day) met.rated += by
    }
  }

  #recall(account: AccountId, ladder: Ladder): { rating: number; lead: number } {
    const key = ratingKey(account, ladder.id)
    let known = this.#known.get(key)
    const isStale = this.#stale.delete(key)
    if (known === undefined || isStale) {
      const { rating, lead } = this.#find(account, ladder)
      // Matches under way are part of the cached lead, and not of that on disk.
      known = { rating, lead: known?.lead ?? lead }
      this.#known.set(key, known)
    }
    return known
  }

  #find(account: AccountId, ladder: Ladder): Rating {
    return this.#read.get({ account, ladder: ladder.id }) ?? newcomerOn(ladder)
  }

  #meetings(pair: Pair): Meetings {
    const key = meetingKey(pair.account, pair.ladder, pair.against)
    let met = this.#met.get(key)
    if (met === undefined) {
      met = this.#readMeetings.get(pair) ?? { firsts: 0, day: 0, rated: 0 }
      this.#met.set(key, met)
    }
    return met
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

/** The seats of a match, and the day on which it began. */
export type Seating = Pick<Result, 'ladder' | 'accounts' | 'practice' | 'rated'> & {
  readonly day: number
}

type RatingRow = Rating & { readonly account: AccountId; readonly ladder: LadderId }
type Pair = { account: AccountId; ladder: LadderId; against: AccountId }
type Meetings = Pick<Schema['meetings'], 'firsts' | 'day' | 'rated'>

/** Cached entries. Those that were dropped are read again. */
const remembered = 100_000
