import type { Account, AccountId } from '../arena/account.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { PastWager } from '../arena/wagers.ts'
import type { EventId } from '../events/plan.ts'
import { entriesOf, type KeptEntry } from '../owner-log/read-log.ts'
import type { KeptMatch } from '../protocols/agon/records.ts'
import { exportPieces } from '../record/export.ts'
import type { MatchRecord } from '../record/match-record.ts'
import type { Champion, Season, SeasonRow } from '../record/season-record.ts'
import { champions } from './champions.ts'
import type { Key } from './keys.ts'
import type { Filter } from './matches.ts'
import type { Overall } from './overall.ts'
import { readableBy } from './owner-logs.ts'
import type { FitRow } from './packed-fit.ts'
import type { PointsPage } from './point-table.ts'
import type { LadderRating, RecentForm } from './profiles.ts'
import type { Placed, RankingPage } from './rankings.ts'
import type { RoomRating } from './room-elo-table.ts'
import type { Tables } from './store.ts'

import { isValid, type Token } from './tokens.ts'
import type { User } from './users.ts'
import { type ShownVersion, versionsOf } from './versions.ts'

/**
 * What the hub asks of the database. Another thread answers, so arguments and answers are plain data, and each question
 * is one that a screen has: a screen that asked for one row after the other would wait for each. `ownerLogs`: the folder of the
 * owner's logs.
 */
export const questionsOf = (tables: Tables, ownerLogs: string) => {
  const { users, keys, tokens, codes, ladders, rankings, strengths, profiles, matches } = tables
  const ladderPage = (ladder: Ladder, page: RankingPage, trend: number): LadderPage => {
    const { rows, total } = rankings.page(ladder, page)
    const withTrend = (row: Placed) => ({
      ...row,
      trend: rankings.trend(ladder, row.account, trend),
    })
    return {
      offset: page.offset,
      rows: rows.map(withTrend),
      total,
      fit: (ladder.counts.by === 'elo' && strengths.fit(ladder.id)) || null,
    }
  }
  const form = (account: AccountId, ladder: Ladder): LadderForm => ({
    ladder,
    recent: profiles.recent(account, [ladder]),
    history: profiles.history(account, ladder).map(({ rating }) => rating),
  })
  return {
    match: (id: MatchId) => matches.find(id),
    /** All events, the newest first. */
    events: () => tables.events.list(),
    event: (id: EventId) => tables.eventStates.find(id),
    /** The account of this name, or why it cannot be an opponent. */
    opponent: (name: string) => users.opponent(name),
    /** All ladders, each with its first account. */
    ladders: (): readonly LadderSummary[] =>
      ladders.all().map(ladder => {
        const { rows, ranked, total } = rankings.page(ladder, { offset: 0, limit: 1 })
        return { ladder, ranked, provisional: total - ranked, first: rows[0] ?? null }
      }),
    /** The first accounts of the board over all games. */
    overall: (): Overall => {
      const board = rankings.overall()
      return { ...board, rows: board.rows.slice(0, 500) }
    },
    /** The closed seasons of a ladder, the newest first. */
    seasons: (ladder: Ladder): readonly Season[] => tables.seasons.of(ladder.id).toReversed(),
    /** The table of a season, in its order. */
    seasonTable: (season: Season): readonly SeasonRow[] => tables.seasons.table(season),
    champions: (): readonly Champion[] => champions(tables),
    /** A page of a ladder, with the ratings after the last matches of each account: `trend` of them. */
    ladderPage,
    /** The page of a ladder with this account, and the row of the account on it; undefined if it is on none. */
    ladderPageOf: (ladder: Ladder, account: AccountId, limit: number, trend: number) => {
      const place = rankings.place(ladder, account)
      if (place === undefined) return undefined
      const before = rankings.before(ladder, place)
      const row = before % limit
      return { ...ladderPage(ladder, { offset: before - row, limit }, trend), row }
    },
    /** The profile of the account of this name, with its form on its most played ladder. */
    profile: (name: string): Profile | undefined => {
      const user = users.find(name)
      if (user === undefined) return undefined
      const ratings = profiles.ratings(user.id)
      return {
        user,
        ratings,
        form: ratings[0] === undefined ? null : form(user.id, ratings[0].ladder),
        versions: versionsOf(tables, user),
        points: tables.points.balance(user.id),
      }
    },
    form,
    /** How many points the agent of this account has. */
    balance: (account: AccountId): number => tables.points.balance(account),
    /** The settled wagers of the agent of this account, the newest first. */
    wagers: (account: AccountId): readonly PastWager[] => tables.points.wagers(account),
    /** A page of the table of points. */
    pointsTable: (page: Pick<RankingPage, 'offset' | 'limit'>): PointsPage =>
      tables.points.page(page),
    accountsBeginning: (text: string, limit: number) => users.beginning(text, limit),
    /** The account of this name; or the two accounts whose names these words are, if they are two. */
    accountsNamed: (text: string): readonly Account[] => {
      const account = users.find(text)
      if (account !== undefined) return [account]
      const words = text.split(/\s+/)
      for (const at of words.keys()) {
        const one = users.find(words.slice(0, at).join(' '))
        const two = users.find(words.slice(at).join(' '))
        if (one !== undefined && two !== undefined) return [one, two]
      }
      return []
    },
    newestMatches: (filter: Filter) => matches.newest(filter),
    /** A match, with the size of its moves. They may be too long to be asked for. */
    recorded: (id: MatchId): Recorded | undefined => {
      const match = matches.find(id)
      return match && { match, size: matches.keptMoves(id).size }
    },
    /** The ratings of an account, in each room where it has one. */
    roomElo: (account: AccountId): readonly RoomRating[] => tables.elo.ratings(account),
    versus: (account: AccountId, other: AccountId, ladder: LadderId) =>
      profiles.versus(account, other, ladder),
    /** A match with all its moves: to be asked of games in which they are few or short. */
    kept: (id: MatchId): KeptMatch | undefined => {
      const record = matches.find(id)
      return (
        record && {
          record,
          moves: [...matches.keptMoves(id)],
          earned: tables.points.earned(id),
          elo: tables.elo.changes(
            id,
            record.players.map(({ account }) => account),
          ),
        }
      )
    },
    exported: (id: MatchId, site: string) =>
      [...exportPieces(matches.find(id)!, matches.keptMoves(id), matches.notes(id), site)].join(''),
    /** The keys and secrets of an account and of its agents that log in at this time, in milliseconds since 1970. */
    credentials: ({ id, name }: Account, now: number): readonly Credentials[] =>
      [users.find(name)!, ...users.owned(id)].map(user => ({
        user,
        keys: keys.of(user.id).filter(({ revoked_at }) => revoked_at === null),
        tokens: tokens.of(user.id).filter(token => isValid(token, now)),
      })),
    /** The newest lines of the log of an agent; none for an account that may not read it. */
    log: (reader: AccountId, name: string, limit: number): readonly KeptEntry[] => {
      const agent = readableBy(tables, reader, name)
      return agent === undefined ? [] : entriesOf(ownerLogs, { account: agent.id, limit })
    },
    /** Whether this code makes a new account. */
    isInvitation: (code: string): boolean => codes.find(code)?.account === null,
  }
}

export type Questions = ReturnType<typeof questionsOf>

export interface LadderSummary {
  readonly ladder: Ladder
  readonly ranked: number
  readonly provisional: number
  readonly first: Placed | null
}

export interface LadderPage {
  readonly offset: number
  readonly rows: readonly LadderRow[]
  /** The number of accounts on all pages. */
  readonly total: number
  /** Null before the first one. */
  readonly fit: FitRow | null
}

export interface LadderRow extends Placed {
  /** The ratings after the account's last matches, oldest first. */
  readonly trend: readonly number[]
}

export interface Profile {
  readonly user: User
  /** The most played ladder first. */
  readonly ratings: readonly LadderRating[]
  /** Null for an account without ratings. */
  readonly form: LadderForm | null
  readonly versions: readonly ShownVersion[]
  /** Those of its agent, for a version. */
  readonly points: number
}

export interface LadderForm {
  readonly ladder: Ladder
  readonly recent: RecentForm
  /** The rating over time, oldest first. */
  readonly history: readonly number[]
}

export interface Recorded {
  readonly match: MatchRecord
  /** The size of its moves in bytes. */
  readonly size: number
}

export interface Credentials {
  readonly user: User
  readonly keys: readonly Key[]
  readonly tokens: readonly Token[]
}
