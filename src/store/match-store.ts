import type { Account, AccountId } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { Ending, Outcome } from '../arena/ending.ts'
import { isFailure } from '../arena/failing.ts'
import { agentsLadder, type Ladder } from '../arena/ladder.ts'
import {
  type Finished,
  type MatchId,
  type MatchStore,
  type NewMatch,
  type PastMatch,
  type Pause,
  type Played,
  type Standing,
  Unkept,
} from '../arena/match-store.ts'
import { quickFalls } from '../arena/quick.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Clock } from '../clock.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { sealedMatch, seedText } from '../seal.ts'
import { AccountStatus } from './account-status.ts'
import type { Commits, Write } from './commits.ts'
import { type Database, prepare, type Query } from './database.ts'
import { Ladders } from './ladders.ts'
import { MatchNumbers } from './match-numbers.ts'
import { type MatchRow, MatchRows, type SeatRow } from './match-rows.ts'
import { PastMatches } from './past-matches.ts'
import type { Result } from './rating-recalculation.ts'
import { Seals } from './seals.ts'
import { type Kept, type Seating, StandingsTable } from './standings.ts'

/** Keeps matches for the arena: each is on disk from its start, and ends in one transaction with its ratings. */
export class SqliteMatchStore implements MatchStore {
  readonly #clock: Clock
  readonly #commits: Commits
  readonly #rows: MatchRows
  readonly #standings: StandingsTable
  readonly #accountStatus: AccountStatus
  readonly #pastMatches: PastMatches
  readonly #seals: Seals
  readonly #numbers: MatchNumbers
  readonly #ladders: Ladders
  readonly #accountOf: (id: AccountId) => Account
  readonly #voids: Query<object, { n: number; at: number | null }>
  readonly #live = new Map<MatchId, LiveMatch>()
  #lastSeq: number
  #voided: string

  constructor(db: Database, commits: Commits, clock: Clock, { pauseAfter, gainCap }: Rules) {
    this.#clock = clock
    this.#commits = commits
    this.#rows = new MatchRows(db)
    this.#standings = new StandingsTable(db, gainCap)
    this.#accountStatus = new AccountStatus(db, clock, pauseAfter)
    this.#seals = new Seals(db, () => commits.transaction)
    this.#pastMatches = new PastMatches(db)
    this.#ladders = new Ladders(db)
    this.#voids = voidsOf(db)
    this.#voided = this.#voidedNow()
    this.#accountOf = accountsOf(db)
    const { id, seq } = this.#rows.last()
    this.#lastSeq = seq
    this.#numbers = new MatchNumbers(db, commits, clock, id)
    db.file.transaction(() => this.#abortLive()).immediate()
  }

  standing(account: AccountId, ladder: Ladder): Standing {
    return this.#standings.standing(account, ladder)
  }

  firsts(ladder: Ladder, account: AccountId, against: AccountId): number {
    return this.#standings.firsts(ladder, account, against)
  }

  ratedToday(ladder: Ladder, a: AccountId, b: AccountId): number {
    return this.#standings.rated(ladder, a, b, this.#today)
  }

  playedToday(ladder: Ladder, first: AccountId, second: AccountId): Iterable<PastMatch> {
    return this.#pastMatches.of(ladder, first, second, this.#today)
  }

  family(account: AccountId): AccountId {
    return this.#accountStatus.family(account)
  }

  pause(account: AccountId): Pause | null {
    return this.#accountStatus.pause(account)
  }

  /** Another process may have changed accounts or voided matches: what is cached of them is read again. */
  review(): void {
    this.#accountStatus.changed()
    const voided = this.#voidedNow()
    if (voided !== this.#voided) this.#standings.changed()
    this.#voided = voided
  }

  begin(match: NewMatch): MatchId {
    const ladder = match.ladder ?? agentsLadder(match.game)
    this.#ladders.begin(ladder)
    const id = this.#numbers.next()
    const practice = match.accounts.some(account => this.#accountOf(account).kind === 'house')
    const live: LiveMatch = { id, match, ladder, practice, write: null }
    this.#live.set(id, live)
    this.#standings.seated(seatingOf(live), 1)
    this.#put(live, () => this.#rows.put(...rowsOf(live, [])), covered, true)
    return id
  }

  progress(id: MatchId, moves: readonly Played[]): void {
    const live = this.#liveMatch(id)
    const rows = rowsOf(live, moves)
    this.#put(live, () => this.#rows.put(...rows), covered, true)
  }

  finish(
    id: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    unrated: Unrated | null = null,
  ): Promise<Finished> {
    const live = this.#liveMatch(id)
    const { ending, detail, places, faults } = outcome
    const objection = unrated ?? live.match.unrated
    const seating = seatingOf(live)
    const quick = quickFalls(faults, moves)
    const scores = places.map((_, seat) => outcome.scores?.[seat] ?? null)
    const result: Result = { ...seating, places, scores, quick, rated: objection === null }
    const today = this.#today
    const [match, seats] = rowsOf(live, moves, { ending, detail, at: this.#clock.date() })
    let kept: Kept
    let why: Unrated | null
    const run = () => {
      this.#ladders.keep(live.ladder)
      kept = this.#standings.keep(result, seating.day, today)
      why = objection ?? kept.unrated
      const rated = why === null
      this.#end(
        { ...match, unrated: why, finished_seq: ++this.#lastSeq },
        seats.map((row, seat) => ({
          ...row,
          place: places[seat]!,
          fault: faults[seat] ?? null,
          quick: quick[seat] ? 1 : 0,
          score: scores[seat]!,
          rating_before: rated ? kept.before[seat]!.rating : null,
          rating_after: rated ? kept.after[seat]!.rating : null,
        })),
      )
      if (!live.practice)
        for (const [seat, account] of result.accounts.entries())
          if (isFailure(faults[seat] ?? null)) this.#accountStatus.failed(account, id)
    }
    return new Promise((resolve, reject) => {
      this.#put(live, run, error => {
        if (error !== null) return reject(error)
        this.#live.delete(id)
        this.#standings.kept(result, kept.after)
        if (seating.rated && why !== null) this.#standings.uncounted(seating)
        resolve({
          changes: kept.after.map(({ rating }, seat) => ({
            rating,
            change: rating - kept.before[seat]!.rating,
          })),
          unrated: why,
        })
      })
    })
  }

  abort(id: MatchId, why: string, moves: readonly Played[]): Promise<void> {
    const live = this.#liveMatch(id)
    const rows = rowsOf(live, moves, {
      ending: 'aborted',
      detail: why,
      at: this.#clock.date(),
    })
    this.#live.delete(id)
    this.#standings.seated(seatingOf(live), -1)
    return new Promise((resolve, reject) => {
      this.#put(
        live,
        () => this.#end(...rows),
        error => (error === null || error instanceof Unkept ? resolve() : reject(error)),
        true,
      )
    })
  }

  /** To be called once no match will begin any more. */
  close(): void {
    this.#commits.add(() => this.#numbers.close(), covered)
  }

  /** Writes and seals an ended match, within a transaction. */
  #end(match: MatchRow, seats: readonly SeatRow[]): void {
    this.#rows.put(match, seats)
    const { ladder } = seats[0]!
    const sealed = seats.map(seat => ({ ...seat, ...this.#accountOf(seat.account) }))
    this.#seals.match(ladder, match.id, sealedMatch(match, ladder, sealed))
  }

  /** Aborts the matches that were live when the last server died. */
  #abortLive(): void {
    const now = this.#clock.date()
    for (const [match, seats] of this.#rows.live()) {
      const detail = 'the host stopped in the middle of it'
      this.#end({ ...match, ...endAt(match.started_at, 'aborted', detail, now) }, seats)
    }
  }

  get #today(): number {
    return dayOf(this.#clock.date())
  }

  /** A text that changes with every void and every void that is taken back. */
  #voidedNow(): string {
    const { n, at } = this.#voids.get({})!
    return `${n} ${at}`
  }

  #liveMatch(id: MatchId): LiveMatch {
    const live = this.#live.get(id)
    if (live === undefined) throw new Error(`match ${id} is not live`)
    return live
  }

  /** Each write of a match covers the earlier ones, so that only the last is done. */
  #put(live: LiveMatch, run: () => void, settled: (error: unknown) => void, lasting = false): void {
    if (live.write !== null) this.#commits.drop(live.write)
    live.write = this.#commits.add(run, settled, lasting)
  }
}

/** Rules on accounts that are applied with a result. */
export interface Rules {
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly pauseAfter: number
  /** Points of rating that an account may gain a day from one opponent, and rise by wins over weaker ones; 0 for no limit. */
  readonly gainCap: number
}

/** A live match. */
interface LiveMatch {
  readonly id: MatchId
  readonly match: NewMatch
  readonly ladder: Ladder
  readonly practice: boolean
  write: Write | null
}

/** Errors are ignored: the end of the match writes again what its start or its progress could not write. */
const covered = () => {}

const seatingOf = ({ match, ladder, practice }: LiveMatch): Seating => ({
  ladder,
  accounts: match.accounts,
  practice,
  rated: match.unrated === null,
  day: dayOf(match.startedAt),
})

const rowsOf = (
  { id, match, ladder }: LiveMatch,
  moves: readonly Played[],
  end: { ending: Ending; detail: string; at: number } | null = null,
): [MatchRow, readonly SeatRow[]] => [
  {
    id,
    game: match.game,
    seed: seedText(match.seed),
    setup: match.setup == null ? null : JSON.stringify(match.setup),
    unrated: match.unrated,
    started_at: match.startedAt,
    ...(end === null
      ? { ended_at: null, ending: null, detail: null }
      : endAt(match.startedAt, end.ending, end.detail, end.at)),
    finished_seq: null,
    move_count: moves.length,
    moves: JSON.stringify(moves),
  },
  match.accounts.map((account, seat) => ({
    match: id,
    seat,
    account,
    ladder: ladder.id,
    place: null,
    fault: null,
    quick: 0,
    score: null,
    rating_before: null,
    rating_after: null,
  })),
]

const voidsOf = (db: Database): Query<object, { n: number; at: number | null }> =>
  prepare(db, sql =>
    sql
      .selectFrom('matches')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('voided_at').as('at')])
      .where('voided_at', 'is not', null),
  )

/** The wall clock may have been set back since the start. */
const endAt = (startedAt: number, ending: Ending, detail: string, at: number) => ({
  ended_at: Math.max(at, startedAt),
  ending,
  detail,
})

/** Cached for good: no account ever changes its name or its kind. */
const accountsOf = (db: Database) => {
  const find: Query<{ id: AccountId }, Account> = prepare(db, (sql, $: { id: AccountId }) =>
    sql.selectFrom('accounts').select(['id', 'name', 'kind']).where('id', '=', $.id),
  )
  const known = new BoundedMap<AccountId, Account>(100_000)
  return (id: AccountId): Account => {
    let account = known.get(id)
    if (account === undefined) {
      account = find.get({ id })
      if (account === undefined) throw new Error(`there is no account ${id}`)
      known.set(id, account)
    }
    return account
  }
}
