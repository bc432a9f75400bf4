import type { AccountId } from '../arena/account.ts'
import { expectedScore } from '../arena/strength.ts'

/** One board over all games. */
export interface Overall {
  /** The ids of the games that count: those on whose ladder at least two accounts are ranked. */
  readonly games: readonly string[]
  /** In how many of them an account is ranked that is on the board. */
  readonly least: number
  /** The best first. */
  readonly rows: readonly OverallRow[]
}

export interface OverallRow {
  /** Equal scores share a rank. */
  readonly rank: number
  readonly account: AccountId
  readonly name: string
  /** From 0 to 1: the mean over all games that count. */
  readonly score: number
  /** By the id of each game in which it is ranked: the score expected against one of the other ranked accounts at random. */
  readonly scores: Readonly<Record<string, number>>
}

/** The ranked accounts of one game that have a strength. */
export interface Field {
  readonly game: string
  readonly accounts: readonly { account: AccountId; name: string; strength: number }[]
}

/**
 * Each game has equal weight: a score is what an account would make of one match in each game against an opponent drawn at
 * random from its ranked accounts, in either seat as often. A game in which it is not ranked counts as lost.
 */
export const overallOf = (all: readonly Field[]): Overall => {
  const fields = all.filter(({ accounts }) => accounts.length > 1)
  const least = Math.min(leastGames, fields.length)
  const found = new Map<AccountId, { name: string; scores: Record<string, number> }>()
  for (const { game, accounts } of fields) {
    const buckets = bucketsOf(accounts)
    for (const { account, name, strength } of accounts) {
      const row = found.get(account) ?? { name, scores: {} }
      row.scores[game] = scoreAgainst(buckets, strength, accounts.length)
      found.set(account, row)
    }
  }
  const rows = [...found]
    .filter(([, { scores }]) => Object.keys(scores).length >= least)
    .map(([account, { name, scores }]) => ({
      ...{ account, name, scores },
      score: Object.values(scores).reduce((sum, score) => sum + score, 0) / fields.length,
    }))
    .sort((a, b) => b.score - a.score || a.account - b.account)
  const ranks: number[] = []
  for (const [i, { score }] of rows.entries())
    ranks.push(score === rows[i - 1]?.score ? ranks[i - 1]! : i + 1)
  return {
    games: fields.map(({ game }) => game),
    least,
    rows: rows.map((row, i) => ({ rank: ranks[i]!, ...row })),
  }
}

const leastGames = 3

/** Strengths in steps of ten points, so that a field of thousands is not compared with itself one by one. */
const bucketsOf = (accounts: Field['accounts']): ReadonlyMap<number, number> => {
  const buckets = new Map<number, number>()
  for (const { strength } of accounts)
    buckets.set(bucketOf(strength), (buckets.get(bucketOf(strength)) ?? 0) + 1)
  return buckets
}

const bucketOf = (strength: number): number => 10 * Math.round(strength / 10)

const scoreAgainst = (buckets: ReadonlyMap<number, number>, own: number, n: number): number => {
  let sum = -expectedScore(own - bucketOf(own))
  for (const [strength, count] of buckets) sum += count * expectedScore(own - strength)
  return sum / (n - 1)
}
