import { type Account, type AccountId, agentOf } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { Ending, Fault } from '../arena/ending.ts'
import { isFailure } from '../arena/failing.ts'
import { areTooFew, countedSeats, isGuestId, ofSeats, placesAmong } from '../arena/guests.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import { type MatchId, type NewMatch, type Pause, Unkept } from '../arena/match-store.ts'
import type { SeatPoints } from '../arena/points.ts'
import type { EloChange } from '../arena/room-elo.ts'
import { type RoomSetup, roomOf } from '../arena/room-setup.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Escrowed } from '../arena/wagers.ts'
import type { Clock } from '../clock.ts'
import { gameOf } from '../games/index.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { sealedMatch } from '../seal.ts'
import { AccountFailures } from './account-failures.ts'
import { familiesOf } from './agents.ts'
import type { Commits, Write } from './commits.ts'
import { type Database, prepare, type Query } from './database.ts'
import { DuplicateMatches } from './duplicate-matches.ts'
import { Ladders } from './ladders.ts'
import { type MatchRow, MatchRows, type SeatRow } from './match-rows.ts'
import { PastMatchTable } from './past-matches.ts'
import { PointLedger } from './point-ledger.ts'
import { newcomerOn, type Result } from './rating-recalculation.ts'
import { RoomEloTable } from './room-elo-table.ts'
import { Seals } from './seals.ts'
import { type Kept, StandingsTable } from './standings.ts'

/** A live match as it is kept on disk. Plain data, since it may come from another thread. */
export interface LiveRecord {
  readonly id: MatchId
  readonly game: string
  readonly seed: MatchRow['seed']
  readonly setup: string | null
  readonly accounts: readonly AccountId[]
  /** By seat. */
  readonly protocols: readonly (string | null)[]
  /** Only the id of a ladder that every game has. */
  readonly ladder: LadderId | Ladder
  readonly unrated: Unrated | null
  readonly startedAt: number
  readonly moveCount: number
  /** JSON. */
  readonly moves: string
  /** JSON; null for a match without notes. */
  readonly notes: string | null
  /** Of a match of an event. */
  readonly event: NewMatch['event'] | null
}

/** A match that ends with a result. */
export interface ResultRecord extends LiveRecord {
  readonly ending: Ending
  readonly detail: string
  readonly endedAt: number
  readonly places: readonly number[]
  readonly faults: readonly (Fault | null)[]
  readonly scores: readonly (number | null)[]
  readonly quick: readonly boolean[]
  /** How many of the moves are messages, which earn points; null for a match that was not at a table of a room. */
  readonly messages: number | null
}

/** A match that ends without a result. */
export interface AbortRecord extends LiveRecord {
  readonly detail: string
  readonly endedAt: number
}

/** What a result has changed. */
export interface ResultChanges {
  /** By seat. */
  readonly ratings: readonly { readonly before: number; readonly after: number }[]
  /** Why the match is unrated after all. */
  readonly unrated: Unrated | null
  /** The agents that it has paused. */
  readonly paused: readonly (Pause & { readonly account: AccountId })[]
  /** By seat; null where the match earns none and has no wager. */
  readonly points: readonly SeatPoints[] | null
  /** The ratings in its room, by seat; null where it changed none. */
  readonly elo: readonly EloChange[] | null
}

/** Rules that are applied with a result. */
export interface Rules {
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly pauseAfter: number
  /** Points of rating that an account may gain a day from one opponent, and rise by wins over weaker ones; 0 for no limit. */
  readonly gainCap: number
  /** How many rated matches may have the same players, moves and end in a day; 0 for no limit. */
  readonly copyCap: number
}

/** Writes matches: each is on disk from its start, and ends in one transaction with its ratings. */
export class MatchWriter {
  readonly #commits: Commits
  readonly #rows: MatchRows
  readonly #standings: StandingsTable
  readonly #failures: AccountFailures
  readonly #duplicates: DuplicateMatches
  readonly #seals: Seals
  readonly #ladders: Ladders
  readonly #points: PointLedger
  readonly #elo: RoomEloTable
  readonly #clock: Clock
  readonly #accountOf: (id: AccountId) => Account
  /** Read anew each time: owners change. */
  readonly #familyOf: (agent: AccountId) => AccountId
  /** The last write of each match, while it waits. */
  readonly #waiting = new Map<MatchId, Write>()
  #lastSeq: number

  constructor(db: Database, commits: Commits, clock: Clock, rules: Rules) {
    this.#commits = commits
    this.#rows = new MatchRows(db)
    this.#failures = new AccountFailures(db, clock, rules.pauseAfter)
    this.#duplicates = new DuplicateMatches(new PastMatchTable(db), rules.copyCap)
    this.#seals = new Seals(db, () => commits.transaction)
    this.#ladders = new Ladders(db)
    this.#points = new PointLedger(db)
    this.#elo = new RoomEloTable(db)
    this.#clock = clock
    this.#accountOf = accountsOf(db)
    this.#familyOf = familiesOf(db)
    this.#standings = new StandingsTable(db, rules.gainCap, this.#agentOf)
    this.#lastSeq = this.#rows.last().seq
    db.file.transaction(() => this.#abortLive(clock.date())).immediate()
  }

  /** Writes live matches as they are now. Errors are ignored: the end of a match writes all of it again. */
  put(matches: readonly LiveRecord[]): void {
    for (const match of matches) {
      const rows = rowsOf(match)
      this.#put(match.id, () => this.#rows.put(...rows), covered, true)
    }
  }

  /** Resolves once the result is on disk. */
  finish(match: ResultRecord): Promise<ResultChanges> {
    const { id, accounts, places, faults, scores, quick } = match
    const counted = countedSeats(accounts)
    const practice = this.#isPractice(accounts) || areTooFew(counted)
    const ladder = this.#ladderOf(match)
    const rows = rowsOf(match)
    const end = endOf(match)
    const result: Result = {
      ...{ ladder, practice, accounts: ofSeats(accounts, counted) },
      places: placesAmong(places, counted),
      scores: ofSeats(scores, counted),
      quick: ofSeats(quick, counted),
      rated: match.unrated === null,
    }
    const [day, today] = [dayOf(match.startedAt), dayOf(match.endedAt)]
    let kept: Kept
    let why: Unrated | null
    let paused: ResultChanges['paused'][number][]
    let points: ResultChanges['points']
    let elo: ResultChanges['elo']
    const run = () => {
      this.#ladders.keep(ladder)
      const ofOneOwner = match.messages !== null && !practice && this.#areOfOneOwner(accounts)
      const objection = ofOneOwner
        ? 'agents of one owner'
        : (match.unrated ?? this.#duplicate(match, ladder, today))
      kept = this.#standings.keep({ ...result, rated: objection === null }, day, today)
      why = objection ?? kept.unrated
      const rated = why === null
      this.#end(
        { ...rows[0], ...end, unrated: why, finished_seq: ++this.#lastSeq },
        rows[1].map((row, seat) => ({
          ...row,
          place: places[seat]!,
          fault: faults[seat]!,
          quick: quick[seat] ? 1 : 0,
          score: scores[seat]!,
          rating_before: rated ? (kept.before[counted.indexOf(seat)]?.rating ?? null) : null,
          rating_after: rated ? (kept.after[counted.indexOf(seat)]?.rating ?? null) : null,
        })),
      )
      paused = []
      points = null
      elo = null
      if (practice) return
      if (match.messages !== null)
        points = this.#points.finish({
          ...{ match: id, places, at: end.ended_at },
          agents: accounts.map(this.#agentOf),
          messages: ofOneOwner ? null : match.messages,
        })
      const room = rated && match.messages !== null ? roomOfMatch(match) : null
      if (room !== null)
        elo = this.#elo.finish(room, { match: id, seq: this.#lastSeq, accounts, places })
      for (const seat of counted) {
        const agent = this.#agentOf(accounts[seat]!)
        const pause = isFailure(faults[seat]!) ? this.#failures.failed(agent, id) : null
        if (pause !== null) paused.push({ account: agent, ...pause })
      }
    }
    return new Promise((resolve, reject) =>
      this.#put(id, run, error => {
        this.#duplicates.settled(id, error === null && why === null)
        if (error !== null) reject(error)
        else
          resolve({
            ratings: accounts.map((_, seat) => {
              const at = counted.indexOf(seat)
              const { rating } = kept.before[at] ?? newcomerOn(ladder)
              return { before: rating, after: kept.after[at]?.rating ?? rating }
            }),
            unrated: why,
            paused,
            points,
            elo,
          })
      }),
    )
  }

  /** Resolves once that is on disk, or once the database turns out to be slow. */
  abort(match: AbortRecord): Promise<void> {
    const [row, seats] = rowsOf(match)
    const ended = { ...row, ...endOf({ ...match, ending: 'aborted' }) }
    return new Promise((resolve, reject) =>
      this.#put(
        match.id,
        () => this.#abort(ended, seats),
        error => (error === null || error instanceof Unkept ? resolve() : reject(error)),
        true,
      ),
    )
  }

  /** Stakes points of both sides in one transaction, if the match is live and may have a wager. */
  escrow(match: LiveRecord, amount: number): Promise<Escrowed> {
    let answer: Escrowed
    return new Promise((resolve, reject) =>
      this.#commits.add(
        () => {
          answer = this.#escrow(match, amount)
        },
        error => (error === null ? resolve(answer) : reject(error)),
      ),
    )
  }

  #escrow(match: LiveRecord, amount: number): Escrowed {
    const { id, accounts } = match
    const ending = this.#rows.ending(id)
    if (ending != null) return { refused: 'over' }
    if (roomOfMatch(match) === null || this.#isPractice(accounts) || this.#areOfOneOwner(accounts))
      return { refused: 'no-points' }
    if (this.#points.hasWager(id)) return { refused: 'wagered' }
    const agents = accounts.map(this.#agentOf)
    const poor = accounts.find((_, seat) => this.#points.balance(agents[seat]!) < amount)
    if (poor !== undefined) return { poor }
    // The start of a match may still be on its way to the disk.
    if (ending === undefined) this.#rows.put(...rowsOf(match))
    this.#points.stake(id, agents, amount, this.#clock.date())
    return { ok: true }
  }

  #isPractice(accounts: readonly AccountId[]): boolean {
    return accounts.some(account => this.#accountOf(account).kind === 'house')
  }

  /** Whether two of them have one owner, or one owns the other. */
  #areOfOneOwner(accounts: readonly AccountId[]): boolean {
    const families = accounts.map(account => this.#familyOf(this.#agentOf(account)))
    return new Set(families).size < accounts.length
  }

  readonly #agentOf = (account: AccountId): AccountId => agentOf(this.#accountOf(account))

  #duplicate(match: ResultRecord, ladder: Ladder, today: number): Unrated | null {
    // Guests are not the same ones each time, so that no two of their matches are copies.
    if (gameOf(match.game)?.facts.luck || match.accounts.some(isGuestId)) return null
    const pair = { ladder: ladder.id, agents: match.accounts.map(this.#agentOf) }
    return this.#duplicates.isOneTooMany(match.id, pair, match, today)
      ? 'a copy of earlier matches'
      : null
  }

  #ladderOf({ ladder }: LiveRecord): Ladder {
    return typeof ladder === 'string' ? this.#ladders.of(ladder) : ladder
  }

  /** Writes and seals an ended match, within a transaction. */
  #end(match: MatchRow, seats: readonly SeatRow[]): void {
    this.#rows.put(match, seats)
    const { ladder } = seats[0]!
    const sealed = seats.map(seat => ({ ...seat, ...this.#accountOf(seat.account) }))
    this.#seals.match(ladder, match.id, sealedMatch(match, ladder, sealed))
  }

  #abort(match: MatchRow, seats: readonly SeatRow[]): void {
    this.#end(match, seats)
    this.#points.giveBack(match.id, match.ended_at!)
  }

  /** Aborts the matches that were live when the last server died. */
  #abortLive(now: number): void {
    for (const [match, seats] of this.#rows.live()) {
      const detail = 'the host stopped in the middle of it'
      const end = { startedAt: match.started_at, ending: 'aborted', detail, endedAt: now } as const
      this.#abort({ ...match, ...endOf(end) }, seats)
    }
    this.#points.giveStraysBack(now)
  }

  /** Each write of a match covers the earlier ones, so that only the last is done. */
  #put(id: MatchId, run: () => void, settled: (error: unknown) => void, lasting = false): void {
    const earlier = this.#waiting.get(id)
    if (earlier !== undefined) this.#commits.drop(earlier)
    const write = this.#commits.add(
      run,
      error => {
        if (this.#waiting.get(id) === write) this.#waiting.delete(id)
        settled(error)
      },
      lasting,
    )
    this.#waiting.set(id, write)
  }
}

const covered = () => {}

const roomOfMatch = ({ setup }: LiveRecord): RoomSetup | null =>
  roomOf(setup === null ? null : JSON.parse(setup))

const rowsOf = (match: LiveRecord): [MatchRow, readonly SeatRow[]] => {
  const { id, ladder } = match
  return [
    {
      id,
      game: match.game,
      seed: match.seed,
      setup: match.setup,
      unrated: match.unrated,
      started_at: match.startedAt,
      ended_at: null,
      ending: null,
      detail: null,
      finished_seq: null,
      move_count: match.moveCount,
      moves: match.moves,
      notes: match.notes,
      event: match.event?.id ?? null,
      board: match.event?.board ?? null,
    },
    match.accounts.map((account, seat) => ({
      match: id,
      seat,
      account,
      ladder: typeof ladder === 'string' ? ladder : ladder.id,
      protocol: match.protocols[seat] ?? null,
      place: null,
      fault: null,
      quick: 0,
      score: null,
      rating_before: null,
      rating_after: null,
    })),
  ]
}

/** The wall clock may have been set back since the start. */
const endOf = ({
  startedAt,
  endedAt,
  ending,
  detail,
}: Pick<ResultRecord, 'startedAt' | 'endedAt' | 'ending' | 'detail'>) => ({
  ended_at: Math.max(endedAt, startedAt),
  ending,
  detail,
})

/** Cached for good: no account ever changes its name, its kind or its agent. */
const accountsOf = (db: Database) => {
  const find: Query<{ id: AccountId }, Account> = prepare(db, (sql, $: { id: AccountId }) =>
    sql.selectFrom('accounts').select(['id', 'name', 'kind', 'parent']).where('id', '=', $.id),
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
