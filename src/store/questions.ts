import type { Account, AccountId } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import { entriesOf, type KeptEntry } from '../owner-log/read-log.ts'
import { exportPieces } from '../record/export.ts'
import type { MatchRecord } from '../record/match-record.ts'
import type { Key } from './keys.ts'
import type { Filter } from './matches.ts'
import { readableBy } from './owner-logs.ts'
import type { LadderRating, RecentForm } from './profiles.ts'
import type { Placed, RankingPage } from './rankings.ts'
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
  const { users, keys, tokens, codes, ladders, rankings, profiles, matches } = tables
  const ladderPage = (ladder: Ladder, page: RankingPage, trend: number): LadderPage => {
    const { rows, total } = rankings.page(ladder, page)
    const withTrend = (row: Placed) => ({
      ...row,
      trend: rankings.trend(ladder, row.account, trend),
    })
    return { offset: page.offset, rows: rows.map(withTrend), total }
  }
  const form = (account: AccountId, ladder: Ladder): LadderForm => ({
    ladder,
    recent: profiles.recent(account, [ladder]),
    history: profiles.history(account, ladder).map(({ rating }) => rating),
  })
  return {
    match: (id: MatchId) => matches.find(id),
    /** The account of this name, or why it cannot be an opponent. */
    opponent: (name: string) => users.opponent(name),
    /** All ladders, each with its first account. */
    ladders: (): readonly LadderSummary[] =>
      ladders.all().map(ladder => {
        const { rows, ranked, total } = rankings.page(ladder, { offset: 0, limit: 1 })
        return { ladder, ranked, provisional: total - ranked, first: rows[0] ?? null }
      }),
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
      }
    },
    form,
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
