import type { AccountId } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import {
  type ByParticipant,
  type Counted,
  type EloChange,
  eloChanges,
  initialElo,
  type RoomResult,
  roomEloDelta,
} from '../arena/room-elo.ts'
import type { RoomId, RoomSetup } from '../arena/room-setup.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/**
 * The ratings of accounts in rooms, and what each match made of them. All of it follows from the record, as `room-elo-check.ts`
 * makes it again: from the matches at tables that were rated when they ended and are not voided, in the order of their results.
 */
export class RoomEloTable {
  readonly #rating: Query<{ account: AccountId; room: RoomId }, { rating: number }>
  readonly #ratings: Query<{ account: AccountId }, RoomRating>
  readonly #putRating: Query<AccountRating, unknown>
  readonly #add: Query<EloRow, unknown>
  readonly #put: Query<Pick<EloRow, 'match' | 'before_1' | 'before_2' | 'delta'>, unknown>
  readonly #of: Query<{ match: MatchId }, EloRow>
  readonly #results: Query<{ room: RoomId; after: number }, ResultRow>
  readonly #all: Query<object, EloRow>
  readonly #allRatings: Query<object, AccountRating>

  constructor(db: Database) {
    this.#rating = prepare(db, (query, $: { account: AccountId; room: RoomId }) =>
      query
        .selectFrom('room_ratings')
        .select('rating')
        .where('account', '=', $.account)
        .where('room', '=', $.room),
    )
    this.#ratings = prepare(db, (query, $: { account: AccountId }) =>
      query.selectFrom('room_ratings').select(['room', 'rating']).where('account', '=', $.account),
    )
    this.#putRating = prepare(db, (query, $: AccountRating) =>
      query
        .insertInto('room_ratings')
        .values({ account: $.account, room: $.room, rating: $.rating })
        .onConflict(conflict =>
          conflict
            .columns(['account', 'room'])
            .doUpdateSet(row => ({ rating: row.ref('excluded.rating') })),
        ),
    )
    this.#add = prepare(db, (query, $: EloRow) =>
      query.insertInto('room_elo').values({
        match: $.match,
        room: $.room,
        seq: $.seq,
        account_1: $.account_1,
        account_2: $.account_2,
        before_1: $.before_1,
        before_2: $.before_2,
        delta: $.delta,
      }),
    )
    this.#put = prepare(db, (query, $: Pick<EloRow, 'match' | 'before_1' | 'before_2' | 'delta'>) =>
      query
        .updateTable('room_elo')
        .set({ before_1: $.before_1, before_2: $.before_2, delta: $.delta })
        .where('match', '=', $.match),
    )
    this.#of = prepare(db, (query, $: { match: MatchId }) =>
      query.selectFrom('room_elo').selectAll().where('match', '=', $.match),
    )
    this.#results = prepare(db, (query, $: { room: RoomId; after: number }) =>
      query
        .selectFrom('room_elo as elo')
        .innerJoin('matches', 'matches.id', 'elo.match')
        .innerJoin('match_seats as one', join =>
          join.onRef('one.match', '=', 'elo.match').onRef('one.account', '=', 'elo.account_1'),
        )
        .innerJoin('match_seats as two', join =>
          join.onRef('two.match', '=', 'elo.match').onRef('two.account', '=', 'elo.account_2'),
        )
        .selectAll('elo')
        .select(['matches.voided_at', 'one.place as place_1', 'two.place as place_2'])
        .$narrowType<{ place_1: number; place_2: number }>()
        .where('elo.room', '=', $.room)
        .where('elo.seq', '>', $.after)
        .orderBy('elo.seq'),
    )
    this.#all = prepare(db, query => query.selectFrom('room_elo').selectAll())
    this.#allRatings = prepare(db, query => query.selectFrom('room_ratings').selectAll())
  }

  rating(account: AccountId, room: RoomId): number {
    return this.#rating.get({ account, room })?.rating ?? initialElo
  }

  /** The ratings of an account, in each room where it has one. */
  ratings(account: AccountId): readonly RoomRating[] {
    return this.#ratings.all({ account })
  }

  /** Counts the newest result. Answers with what it has changed, by seat. */
  finish(
    { id: room, participants: [one, two] }: RoomSetup,
    { match, seq, accounts, places }: Finish,
  ): readonly EloChange[] {
    const of: ByParticipant<AccountId> = [accounts[one]!, accounts[two]!]
    const before = [this.rating(of[0], room), this.rating(of[1], room)] as const
    const delta = roomEloDelta(before, [places[one]!, places[two]!])
    const changes = eloChanges(before, delta)
    this.#add.run({
      ...{ match, room, seq, account_1: of[0], account_2: of[1] },
      ...columnsOf({ before, delta }),
    })
    for (const [i, account] of of.entries()) this.putRating(account, room, changes[i]!.rating)
    return accounts.map((_, seat) => changes[seat === one ? 0 : 1])
  }

  putRating(account: AccountId, room: RoomId, rating: number): void {
    this.#putRating.run({ account, room, rating })
  }

  /** Writes what a match has changed: null for a match that is voided. */
  put(match: MatchId, counted: Counted | null): void {
    this.#put.run({ match, ...columnsOf(counted) })
  }

  /** What a match has changed for these accounts, in their order; null where it has changed nothing, or is voided. */
  changes(match: MatchId, accounts: readonly AccountId[]): readonly EloChange[] | null {
    const row = this.#of.get({ match })
    const counted = row === undefined ? null : countedOf(row)
    if (row === undefined || counted === null) return null
    const [one, two] = eloChanges(counted.before, counted.delta)
    return accounts.map(account => (account === row.account_1 ? one : two))
  }

  /** The results of a room after a place in their order, those that are voided among them. */
  *results(room: RoomId, after = 0): Iterable<KeptRoomResult> {
    for (const row of this.#results.iterate({ room, after }))
      yield {
        match: row.match,
        accounts: [row.account_1, row.account_2],
        places: [row.place_1, row.place_2],
        isVoided: row.voided_at !== null,
        kept: countedOf(row),
      }
  }

  /** All matches that have a row. */
  all(): readonly EloRow[] {
    return this.#all.all({})
  }

  /** All ratings, in no order. */
  allRatings(): readonly AccountRating[] {
    return this.#allRatings.all({})
  }
}

/** What a row says; null while its match is voided. */
export const countedOf = ({ before_1, before_2, delta }: EloRow): Counted | null =>
  before_1 === null || before_2 === null || delta === null
    ? null
    : { before: [before_1, before_2], delta }

const columnsOf = (counted: Counted | null) => ({
  before_1: counted?.before[0] ?? null,
  before_2: counted?.before[1] ?? null,
  delta: counted?.delta ?? null,
})

export interface KeptRoomResult extends RoomResult {
  readonly match: MatchId
  readonly isVoided: boolean
  /** What its row says. */
  readonly kept: Counted | null
}

export type RoomRating = Pick<AccountRating, 'room' | 'rating'>

type EloRow = Schema['room_elo']
type AccountRating = Schema['room_ratings']

interface ResultRow extends EloRow {
  readonly voided_at: number | null
  readonly place_1: number
  readonly place_2: number
}

interface Finish {
  readonly match: MatchId
  /** Its `finished_seq`. */
  readonly seq: number
  /** By seat. */
  readonly accounts: readonly AccountId[]
  readonly places: readonly number[]
}
