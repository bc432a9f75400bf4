import type { AccountId } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { Outcome } from '../arena/ending.ts'
import { isFailure } from '../arena/failing.ts'
import {
  type Course,
  type Finished,
  type Keeper,
  type MatchId,
  type NewMatch,
  type Pause,
  type Played,
  type Standing,
  Unkept,
} from '../arena/keeper.ts'
import { quickFalls } from '../arena/quick.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Clock } from '../clock.ts'
import type { Commits, Write } from './commits.ts'
import { Conduct } from './conduct.ts'
import { Courses } from './courses.ts'
import { type Database, prepare, type Query } from './database.ts'
import { type MatchRow, MatchRows, type SeatRow, seedText } from './match-rows.ts'
import type { Result } from './reckoning.ts'
import { type Kept, type Seating, StandingsTable } from './standings.ts'

/** Keeps matches for the arena: each is on disk from its start, and ends in one transaction with its ratings. */
export class Ledger implements Keeper {
  readonly #clock: Clock
  readonly #commits: Commits
  readonly #rows: MatchRows
  readonly #standings: StandingsTable
  readonly #conduct: Conduct
  readonly #courses: Courses
  readonly #house: (account: AccountId) => boolean
  readonly #voids: Query<object, { n: number; at: number | null }>
  readonly #live = new Map<MatchId, Page>()
  #lastId: number
  #lastSeq: number
  #voided: string

  constructor(db: Database, commits: Commits, clock: Clock, { pauseAfter, gainCap }: Rules) {
    this.#clock = clock
    this.#commits = commits
    this.#rows = new MatchRows(db)
    this.#standings = new StandingsTable(db, gainCap)
    this.#conduct = new Conduct(db, clock, pauseAfter)
    this.#courses = new Courses(db)
    this.#voids = voidsOf(db)
    this.#voided = this.#voidedNow()
    this.#house = houseOf(db)
    this.#rows.abortLive(clock.date(), 'the host stopped in the middle of it')
    const { id, seq } = this.#rows.last()
    this.#lastId = id
    this.#lastSeq = seq
  }

  standing(account: AccountId, game: string): Standing {
    return this.#standings.standing(account, game)
  }

  firsts(game: string, account: AccountId, against: AccountId): number {
    return this.#standings.firsts(game, account, against)
  }

  ratedToday(ladder: string, a: AccountId, b: AccountId): number {
    return this.#standings.rated(ladder, a, b, this.#today)
  }

  playedToday(ladder: string, first: AccountId, second: AccountId): Iterable<Course> {
    return this.#courses.of(ladder, first, second, this.#today)
  }

  family(account: AccountId): AccountId {
    return this.#conduct.family(account)
  }

  pause(account: AccountId): Pause | null {
    return this.#conduct.pause(account)
  }

  /** Another process has changed something: what is remembered of that is read again. */
  review(): void {
    this.#conduct.changed()
    const voided = this.#voidedNow()
    if (voided !== this.#voided) this.#standings.changed()
    this.#voided = voided
  }

  begin(match: NewMatch): MatchId {
    const id = ++this.#lastId
    const practice = match.accounts.some(this.#house)
    const page: Page = { id, match, practice, write: null }
    this.#live.set(id, page)
    this.#standings.seated(seatingOf(page), 1)
    this.#put(page, () => this.#rows.put(...rowsOf(page, [])), covered, true)
    return id
  }

  progress(id: MatchId, moves: readonly Played[]): void {
    const page = this.#page(id)
    const rows = rowsOf(page, moves)
    this.#put(page, () => this.#rows.put(...rows), covered, true)
  }

  finish(
    id: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    unrated: Unrated | null = null,
  ): Promise<Finished> {
    const page = this.#page(id)
    const { ending, detail, places, faults } = outcome
    const objection = unrated ?? page.match.unrated
    const seating = seatingOf(page)
    const quick = quickFalls(faults, moves)
    const result: Result = { ...seating, places, quick, rated: objection === null }
    const today = this.#today
    const [match, seats] = rowsOf(page, moves, { ending, detail, at: this.#clock.date() })
    let kept: Kept
    let why: Unrated | null
    const run = () => {
      kept = this.#standings.keep(result, seating.day, today)
      why = objection ?? kept.unrated
      const rated = why === null
      this.#rows.put(
        { ...match, unrated: why, finished_seq: ++this.#lastSeq },
        seats.map((row, seat) => ({
          ...row,
          place: places[seat]!,
          fault: faults[seat] ?? null,
          quick: quick[seat] ? 1 : 0,
          score: outcome.scores?.[seat] ?? null,
          rating_before: rated ? kept.before[seat]!.rating : null,
          rating_after: rated ? kept.after[seat]!.rating : null,
        })),
      )
      if (!page.practice)
        for (const [seat, account] of result.accounts.entries())
          if (isFailure(faults[seat] ?? null)) this.#conduct.failed(account, id)
    }
    return new Promise((resolve, reject) => {
      this.#put(page, run, error => {
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
    const page = this.#page(id)
    const rows = rowsOf(page, moves, {
      ending: 'aborted',
      detail: why,
      at: this.#clock.date(),
    })
    this.#live.delete(id)
    this.#standings.seated(seatingOf(page), -1)
    return new Promise((resolve, reject) => {
      this.#put(
        page,
        () => this.#rows.put(...rows),
        error => (error === null || error instanceof Unkept ? resolve() : reject(error)),
        true,
      )
    })
  }

  get #today(): number {
    return dayOf(this.#clock.date())
  }

  /** Changes whenever a match is voided, or counts again. */
  #voidedNow(): string {
    const { n, at } = this.#voids.get({})!
    return `${n} ${at}`
  }

  #page(id: MatchId): Page {
    const page = this.#live.get(id)
    if (page === undefined) throw new Error(`match ${id} is not live`)
    return page
  }

  /** Each writing of a match holds all that an earlier one did, so only the last has to be done. */
  #put(page: Page, run: () => void, settled: (error: unknown) => void, lasting = false): void {
    if (page.write !== null) this.#commits.drop(page.write)
    page.write = this.#commits.add(run, settled, lasting)
  }
}

/** What the ledger itself holds against accounts. */
export interface Rules {
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly pauseAfter: number
  /** Points of rating that an account may gain a day from one opponent, and rise by wins over weaker ones; 0 for no limit. */
  readonly gainCap: number
}

/** A live match. */
interface Page {
  readonly id: MatchId
  readonly match: NewMatch
  readonly practice: boolean
  write: Write | null
}

/** What a start or a progress failed to write, the end of the match writes with everything else. */
const covered = () => {}

const ladderOf = ({ game, ladder }: NewMatch): string => ladder ?? game

const seatingOf = ({ match, practice }: Page): Seating => ({
  game: ladderOf(match),
  accounts: match.accounts,
  practice,
  rated: match.unrated === null,
  day: dayOf(match.startedAt),
})

const rowsOf = (
  { id, match }: Page,
  moves: readonly Played[],
  end: { ending: MatchRow['ending']; detail: string; at: number } | null = null,
): [MatchRow, readonly SeatRow[]] => [
  {
    id,
    game: match.game,
    seed: seedText(match.seed),
    setup: match.setup == null ? null : JSON.stringify(match.setup),
    unrated: match.unrated,
    started_at: match.startedAt,
    // The wall clock may have been set back meanwhile.
    ended_at: end === null ? null : Math.max(end.at, match.startedAt),
    ending: end === null ? null : end.ending,
    detail: end === null ? null : end.detail,
    finished_seq: null,
    move_count: moves.length,
    moves: JSON.stringify(moves),
  },
  match.accounts.map((account, seat) => ({
    match: id,
    seat,
    account,
    game: ladderOf(match),
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

/** Whether an account is of the house; no account ever changes its kind. */
const houseOf = (db: Database) => {
  const kindOf: Query<{ id: AccountId }, { kind: string }> = prepare(
    db,
    (sql, $: { id: AccountId }) => sql.selectFrom('accounts').select('kind').where('id', '=', $.id),
  )
  const known = new Map<AccountId, boolean>()
  return (id: AccountId): boolean => {
    let house = known.get(id)
    if (house === undefined) {
      house = kindOf.get({ id })?.kind === 'house'
      known.set(id, house)
    }
    return house
  }
}
