import type { Generated } from 'kysely'
import type { Account, AccountId } from '../arena/account.ts'
import type { Ending, Fault } from '../arena/ending.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { MatchId, Pause } from '../arena/match-store.ts'
import type { RoomId } from '../arena/room-setup.ts'
import type { RestartRule } from '../arena/season.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Entry } from '../events/entry.ts'
import type { EventId } from '../events/plan.ts'
import type { SecretKind } from '../protocols/credentials.ts'
import type { Act } from '../seal.ts'
import type { Action, Via } from './audit.ts'

/** The tables as the newest migration leaves them. Times are milliseconds since 1970. */
export interface Schema {
  accounts: {
    id: Generated<AccountId>
    name: string
    kind: Account['kind']
    created_at: number
    banned_at: number | null
    ban_reason: string | null
    /** The owner of this agent; null for an account without one. An account with an owner owns no other. */
    owner: AccountId | null
    /** Since when it may only practise; null while it is not paused. */
    paused_at: number | null
    pause_reason: string | null
    paused_by: Pause['by'] | null
    /** When it was last unpaused: earlier failures do not count any more. */
    unpaused_at: number | null
    /**
     * The agent whose version it is; null for an account that can log in. Owner, ban and pause of a version are those of its
     * agent: here they are null.
     */
    parent: AccountId | null
    /** What the version was declared to be. */
    model: string | null
    harness: string | null
  }
  keys: Credential & {
    type: string
    /** The public key in its wire format. */
    blob: Uint8Array
    fingerprint: string
    comment: string
  }
  /** The secrets of accounts, of every kind. */
  tokens: Credential & {
    /** SHA-256 of the secret; the secret itself is not kept. */
    hash: Buffer
    label: string
    kind: SecretKind
    /** The protocol that it is for; null for a token, and for nothing else. */
    protocol: string | null
    /** Null for all but session tokens. */
    expires_at: number | null
    /** The row that a session token was exchanged for, and is revoked with. */
    parent: number | null
  }
  matches: {
    id: MatchId
    game: string
    /** A number, or `0x` and 32 hex digits: a text of digits alone would become a number in this column. */
    seed: number | string
    /** JSON; null for the oldest rules. */
    setup: string | null
    /** Why no rating changes; null for a match that was rated when it ended. */
    unrated: Unrated | null
    started_at: number
    ended_at: number | null
    /** Null while the match is live. */
    ending: Ending | null
    /** Why it ended, in words. */
    detail: string | null
    /** The order in which results were kept, and ratings changed; null without a result. */
    finished_seq: number | null
    move_count: number
    /** JSON, `[[seat, move, ms], …]`. */
    moves: string
    /** JSON, `{"PLY": note, …}`; null for a match without notes, as nearly every match. Not sealed: the operator may remove one. */
    notes: string | null
    /** When the operator voided it; null for nearly every match. */
    voided_at: number | null
    void_reason: string | null
    /** The event that it is a match of, and `ROUND.BOARD.LEG` there; null for nearly every match. */
    event: EventId | null
    board: string | null
  }
  match_seats: {
    match: MatchId
    seat: number
    account: AccountId
    /** The ladder of the match, so that one agent's matches on one ladder are one range of an index. */
    ladder: LadderId
    /** The protocol that it came by; null for house players, and in matches from before migration 0011. */
    protocol: string | null
    place: number | null
    fault: Fault | null
    /** 1 if it fell so early that the others gained only a share. */
    quick: number
    score: number | null
    /** Both null unless the match counts: rated, with a result, and not voided. */
    rating_before: number | null
    rating_after: number | null
    /** What the seal covers, once a void has changed these ratings; `noRating` where it covers none. */
    sealed_before: number | null
    sealed_after: number | null
  }
  /** The chain of seals of each ladder, as `seal.ts` has it. Rows are never changed. */
  seals: {
    ladder: LadderId
    /** From 1, without a gap. */
    number: number
    type: 'match' | Act['type'] | 'season'
    /** Null for a season, and for nothing else. */
    match: MatchId | null
    /** When and why a match was voided, or let count again; null for the match itself. */
    at: number | null
    reason: string | null
    /** SHA-256 in hex: to read and write it as bytes costs a match 15 µs more, most of them for garbage. */
    hash: string
  }
  /** The ladders of events, from the first result on each. Rows are never changed. */
  ladders: {
    id: LadderId
    /** A `Counting` as JSON. */
    counts: string
  }
  /** The logs of all events, in the order of their commits. Rows are never changed. */
  event_log: {
    seq: Generated<number>
    event: EventId
    /** From 1 in each event, without a gap. */
    number: number
    at: number
    kind: Entry['kind']
    /** The `Entry` as JSON. */
    entry: string
  }
  recurring_events: {
    name: string
    /** As `readRecurring` takes it. */
    line: string
    created_at: number
  }
  /** The seasons that are closed. Rows are never changed. */
  seasons: {
    ladder: LadderId
    /** From 1, without a gap. */
    number: number
    title: string
    rule: RestartRule
    closed_at: number
    /** The `finished_seq` of the last result before it was closed, on whatever ladder: later ones count for the next season. */
    last_seq: number
    /** How many matches counted. */
    matches: number
    /** The number of its seal in the chain of the ladder. */
    seal: number
  }
  /** The tables of closed seasons. Rows are never changed. */
  season_rows: {
    ladder: LadderId
    season: number
    /** From 1, in the order of the table. */
    row: number
    account: AccountId
    /** Null for an account that was provisional. */
    rank: number | null
    rating: number
    /** With half the width of its interval of 95 %; both null where none had been calculated. */
    strength: number | null
    error: number | null
    games: number
    wins: number
    draws: number
    losses: number
  }
  /** Seasons that will close by themselves. */
  season_dates: {
    ladder: LadderId
    title: string
    rule: RestartRule
    at: number
  }
  /** One row: up to which number all match numbers are taken. */
  match_numbers: {
    reserved: number
  }
  /** The audit log. Rows are never changed. */
  audit: {
    id: Generated<number>
    at: number
    by: string
    via: Via
    action: Action
    target: string
    detail: string | null
    reason: string | null
  }
  /** Counts are of rated matches, apart from `lead`. */
  ratings: {
    account: AccountId
    ladder: LadderId
    /** The number that the ladder counts: a rating, points, or a sum of scores. */
    rating: number
    games: number
    wins: number
    losses: number
    draws: number
    /** How much more often the account had seat 0 than another seat, without practice. */
    lead: number
    /** The last day, counted from 1970 in UTC, on which it changed, and what it was when that day began. */
    day: Generated<number>
    began: Generated<number>
  }
  meetings: {
    account: AccountId
    ladder: LadderId
    against: AccountId
    /** How often `account` had seat 0 against `against`, without practice. */
    firsts: number
    /** The last day, counted from 1970 in UTC, on which they began a rated match in these seats, and how many then. */
    day: number
    rated: number
    /** What `account` has gained from `against` in these seats on that day, counted from 1970 in UTC. */
    gain_day: Generated<number>
    gain: Generated<number>
  }
  /** What the newest fit of a ladder says of each account that has a rated match in it. */
  strengths: {
    ladder: LadderId
    account: AccountId
    /** 400 points are odds of ten to one. */
    strength: number
    /** Half the width of its 95 % interval. */
    error: number
    /** How many matches of the account are in the fit. */
    matches: number
    /** Where the fit began for this account. Its result follows from this and the matches, to the last digit. */
    start: number
  }
  /** The newest fit of each ladder. */
  strength_fits: {
    ladder: LadderId
    /** The `finished_seq` of the last match that it took. */
    last_seq: number
    /** Changes with every void and every void that is taken back: another one than this makes the fit out of date. */
    voided: string
    matches: number
    /** How many points of strength the first seat is worth, and half the width of its 95 % interval. */
    first: number
    first_error: number
    first_start: number
    /** The share of the ladder that is not transitive, from 0 to 1; null where too few pairs have met often enough to say. */
    intransitivity: number | null
    took_ms: number
  }
  /** The ledger of points. Rows are never changed. */
  points: {
    /** In the order of commits. */
    seq: Generated<number>
    /** The agent: points of its versions are its own. */
    account: AccountId
    match: MatchId
    /** Signed. */
    amount: number
    kind: PointKind
    at: number
  }
  /** The sums of the ledger, which the database keeps by itself. One that is below zero is refused. */
  balances: {
    account: AccountId
    balance: number
  }
  /** Every match at a table of a room that was rated when it ended. */
  room_elo: {
    match: MatchId
    room: RoomId
    /** Its `finished_seq`. */
    seq: number
    /** Those of the first and the second participant. */
    account_1: AccountId
    account_2: AccountId
    /** Their ratings before it, and what it added to the first one and took from the second. Null while it is voided. */
    before_1: number | null
    before_2: number | null
    delta: number | null
  }
  /** The ratings in rooms. Who is not here has the one at which all begin. */
  room_ratings: {
    account: AccountId
    room: RoomId
    rating: number
  }
  /** The servers that have registered in leagues of league.v2. */
  league_agents: {
    league: string
    id: string
    account: AccountId | null
    endpoint: string
    name: string
    /** JSON, a list. */
    games: string
    concurrent: number
    /** SHA-256 of the token, in hex; the token itself is not kept. */
    token: string
  }
  /** The agents that have registered with Clawpoly. */
  clawpoly_agents: {
    /** As they call themselves. */
    id: string
    account: AccountId
    name: string
    description: string
    /** 1 once a join has given its secret: then every join has to. */
    guarded: 0 | 1
  }
  /** One-time codes. */
  codes: {
    /** SHA-256 of the code; the code itself is not kept. */
    hash: Buffer
    /** The account that it adds a key to; null for an invitation to make an account. */
    account: AccountId | null
    created_at: number
    expires_at: number
    used_at: number | null
  }
}

/**
 * `earned`: by a match at a table of a room. `staked`: into the wager of a match; `paid`: both stakes, to its winner;
 * `returned`: the own stake. `voided`: what a void has taken back of what the match has earned; `restored`: that again.
 */
type PointKind = 'earned' | 'staked' | 'paid' | 'returned' | 'voided' | 'restored'

interface Credential {
  id: Generated<number>
  account: AccountId
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}
