import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import { type Counted, RoomElo } from '../arena/room-elo.ts'
import { type RoomId, roomOf } from '../arena/room-setup.ts'
import type { Clock } from '../clock.ts'
import type { MatchRecord, PlayerRecord } from '../record/match-record.ts'
import type { Season } from '../record/season-record.ts'
import { type Actor, Audit, theHost } from './audit.ts'
import { type Database, prepare, type Query } from './database.ts'
import { Ladders } from './ladders.ts'
import { type KeptResult, Matches } from './matches.ts'
import { PointLedger } from './point-ledger.ts'
import {
  type Rating,
  type Restart,
  ratingKey,
  recalculate,
  type Standings,
} from './rating-recalculation.ts'
import { type KeptRoomResult, RoomEloTable } from './room-elo-table.ts'
import { Seals } from './seals.ts'
import { Seasons } from './seasons.ts'
import { ratingWriter } from './standings.ts'

/**
 * Voids matches: recalculates the ratings, those on ladders and those in rooms, as if they had been unrated, and takes back what
 * points they have earned. Also takes voids back.
 */
export class Voids {
  readonly #db: Database
  readonly #clock: Clock
  readonly #matches: Matches
  readonly #ladders: Ladders
  readonly #seasons: Seasons
  readonly #mark: Query<{ id: MatchId; at: number | null; reason: string | null }, unknown>
  readonly #voided: Query<object, { id: MatchId }>
  readonly #last: Query<object, { seq: number | null }>
  readonly #seals: Seals
  readonly #points: PointLedger
  readonly #elo: RoomEloTable
  readonly #audit: Audit
  readonly #writeSeat: Query<SeatRating, unknown>
  readonly #writeRating: ReturnType<typeof ratingWriter>

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#matches = new Matches(db)
    this.#ladders = new Ladders(db)
    this.#seasons = new Seasons(db)
    this.#seals = new Seals(db)
    this.#points = new PointLedger(db)
    this.#elo = new RoomEloTable(db)
    this.#audit = new Audit(db, clock)
    this.#mark = prepare(db, (sql, $: { id: MatchId; at: number | null; reason: string | null }) =>
      sql
        .updateTable('matches')
        .set({ voided_at: $.at, void_reason: $.reason })
        .where('id', '=', $.id),
    )
    this.#voided = prepare(db, sql =>
      sql.selectFrom('matches').select('id').where('voided_at', 'is not', null).orderBy('id'),
    )
    this.#last = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select(({ fn }) => fn.max('finished_seq').as('seq'))
        .where('finished_seq', 'is not', null),
    )
    this.#writeSeat = prepare(db, (sql, $: SeatRating) =>
      sql
        .updateTable('match_seats')
        .set(({ fn }) => ({
          rating_before: $.before,
          rating_after: $.after,
          // The sealed ratings: those before the first void that changed them.
          sealed_before: fn.coalesce('sealed_before', 'rating_before'),
          sealed_after: fn.coalesce('sealed_after', 'rating_after'),
        }))
        .where('match', '=', $.match)
        .where('seat', '=', $.seat),
    )
    this.#writeRating = ratingWriter(db)
  }

  /** Voids all of these matches or none. Answers with the extent of the recalculation, or why one cannot be voided. */
  void(ids: readonly MatchId[], reason: string | null, actor: Actor = theHost): Recount | Problem {
    return this.#change(ids, this.#clock.date(), reason, actor, match =>
      match.end === null
        ? 'it is still being played: void it when it is over, or ban one of its players to end it'
        : match.end.ending === 'aborted'
          ? 'it was aborted: it has no result, and changed no rating'
          : match.voided !== null
            ? 'it is voided already'
            : null,
    )
  }

  /** Takes the voids of these matches back, all or none. */
  unvoid(ids: readonly MatchId[], actor: Actor = theHost): Recount | Problem {
    return this.#change(ids, null, null, actor, match =>
      match.voided === null ? 'it is not voided' : null,
    )
  }

  /**
   * Recalculating a long ladder takes seconds, during which the database is not locked. Afterwards only the results that
   * came meanwhile are calculated under the lock. If other matches were voided or a season was closed meanwhile, it starts again.
   */
  #change(
    ids: readonly MatchId[],
    at: number | null,
    reason: string | null,
    actor: Actor,
    objection: (match: MatchRecord) => string | null,
  ): Recount | Problem {
    const { file } = this.#db
    for (;;) {
      const draft = file.transaction(() => this.#draft(new Set(ids), at === null, objection))()
      if ('problem' in draft) return draft
      const done = file
        .transaction(() =>
          isDeepStrictEqual(this.#changes(), draft.changes)
            ? this.#write(draft, at, reason, actor)
            : null,
        )
        .immediate()
      if (done !== null) return done
    }
  }

  #draft(
    ids: ReadonlySet<MatchId>,
    counts: boolean,
    objection: (match: MatchRecord) => string | null,
  ): Draft | Problem {
    const matches: MatchRecord[] = []
    for (const id of ids) {
      const match = this.#matches.find(id)
      if (match === undefined) return { problem: `there is no match ${id}` }
      const why = objection(match)
      if (why !== null) return { problem: `match ${id}: ${why}` }
      matches.push(match)
    }
    const rated = matches.filter(({ unrated }) => unrated === null || unrated === 'voided')
    const changing = new Set(rated.map(({ id }) => id))
    const ladders = [...new Set(rated.map(({ ladder }) => ladder))].map(id => {
      const ladder = this.#ladders.of(id)
      const recount = new LadderRecount(ladder)
      recount.take(changed(this.#matches.history(ladder), changing, counts))
      return recount
    })
    const rooms = [...new Set(rated.map(({ setup }) => roomOf(setup)?.id))]
      .filter(room => room !== undefined)
      .map(room => {
        const recount = new RoomRecount(room)
        for (const result of this.#elo.results(room))
          recount.take(changing.has(result.match) ? { ...result, isVoided: !counts } : result)
        return recount
      })
    const last = this.#last.get({})!.seq ?? 0
    return { matches, ladders, rooms, changes: this.#changes(), last }
  }

  #changes(): Changes {
    return { voided: this.#voided.all({}), seasons: this.#seasons.all() }
  }

  /** Marks the matches, and writes the ratings that changed. */
  #write(draft: Draft, at: number | null, reason: string | null, actor: Actor): Recount {
    const { ladders, rooms, last } = draft
    for (const { id, ladder } of draft.matches) {
      this.#mark.run({ id, at, reason })
      const type = at === null ? 'unvoid' : 'void'
      this.#audit.add(actor, { action: type, target: `match ${id}`, reason })
      const now = at ?? this.#clock.date()
      this.#seals.act({ type, match: id, ladder, at: now, reason })
      if (type === 'void') this.#points.void(id, now)
      else this.#points.restore(id, now)
    }
    let [matches, ratings] = [0, 0]
    for (const recount of ladders) {
      const { ladder, seats, accounts } = recount
      recount.take(this.#matches.history(ladder, last))
      for (const seat of seats) this.#writeSeat.run(seat)
      for (const account of accounts)
        this.#writeRating.run({ account, ladder: ladder.id, ...recount.rating(account) })
      matches += new Set(seats.map(({ match }) => match)).size
      ratings += accounts.size
    }
    for (const recount of rooms) {
      const { room, changed, accounts } = recount
      for (const result of this.#elo.results(room, last)) recount.take(result)
      for (const [match, counted] of changed) this.#elo.put(match, counted)
      for (const account of accounts) this.#elo.putRating(account, room, recount.rating(account))
    }
    return { matches, ratings }
  }
}

/** The results, with some of them rated or unrated as they will be. */
function* changed(
  results: Iterable<KeptResult | Restart>,
  changing: ReadonlySet<MatchId>,
  counts: boolean,
): Iterable<KeptResult | Restart> {
  for (const result of results)
    yield 'match' in result && changing.has(result.match) ? { ...result, rated: counts } : result
}

/** A ladder that is recalculated, and the ratings that differ from the kept ones. */
class LadderRecount {
  readonly ladder: Ladder
  readonly seats: SeatRating[] = []
  readonly accounts = new Set<AccountId>()
  readonly #standings: Standings = { ratings: new Map(), firsts: new Map() }

  constructor(ladder: Ladder) {
    this.ladder = ladder
  }

  /** Adds more results. */
  take(results: Iterable<KeptResult | Restart>): void {
    recalculate(results, this.#compare, this.#standings)
  }

  rating(account: AccountId): Rating {
    return this.#standings.ratings.get(ratingKey(account, this.ladder.id))!
  }

  readonly #compare = (result: KeptResult, before: readonly Rating[], after: readonly Rating[]) => {
    const { match, accounts, rated, seats } = result
    for (const [at, kept] of result.ratings.entries()) {
      const now: PlayerRecord['rating'] = rated
        ? { before: before[at]!.rating, after: after[at]!.rating }
        : null
      if (kept?.before === now?.before && kept?.after === now?.after) continue
      const ratings = { before: now?.before ?? null, after: now?.after ?? null }
      this.seats.push({ match, seat: seats[at]!, ...ratings })
      this.accounts.add(accounts[at]!)
    }
  }
}

/** A room that is recalculated, and what differs from what is kept. */
class RoomRecount {
  readonly room: RoomId
  readonly changed: [match: MatchId, counted: Counted | null][] = []
  readonly accounts = new Set<AccountId>()
  readonly #elo = new RoomElo()

  constructor(room: RoomId) {
    this.room = room
  }

  /** Adds the next result. */
  take(result: KeptRoomResult): void {
    const counted = result.isVoided ? null : this.#elo.take(result)
    if (isDeepStrictEqual(counted, result.kept)) return
    this.changed.push([result.match, counted])
    for (const account of result.accounts) this.accounts.add(account)
  }

  rating(account: AccountId): number {
    return this.#elo.rating(account)
  }
}

/** What is calculated before anything is written. */
interface Draft {
  readonly matches: readonly MatchRecord[]
  readonly ladders: readonly LadderRecount[]
  readonly rooms: readonly RoomRecount[]
  /** What was voided and closed at that time, and the last result: ratings follow from these alone. */
  readonly changes: Changes
  readonly last: number
}

interface Changes {
  readonly voided: readonly { readonly id: MatchId }[]
  readonly seasons: readonly Season[]
}

/** How many matches, and how many final ratings, have changed. */
export interface Recount {
  readonly matches: number
  readonly ratings: number
}

type Problem = { readonly problem: string }
type SeatRating = {
  readonly match: MatchId
  readonly seat: number
  readonly before: number | null
  readonly after: number | null
}
