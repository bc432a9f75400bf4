import type { AccountId } from '../arena/account.ts'
import { bracket } from './bracket.ts'
import { type Result, resultsOf, sumOf } from './results.ts'
import type { Entrant, EventState } from './state.ts'
import { lowerFirst, type TieBreak, tieBreaksOf, tieBreakValues } from './tie-breaks.ts'

/** An entrant in the table of an event. */
export interface Row {
  /** From 1, and no two have the same. */
  readonly rank: number
  readonly account: AccountId
  readonly name: string
  readonly points: number
  /** Boards that count, byes apart. */
  readonly played: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly byes: number
  readonly withdrawn: boolean
  /** In the order in which they decide between equal points; null where one says nothing. */
  readonly tieBreaks: readonly { readonly name: TieBreak; readonly value: number | null }[]
}

/** The table as it stands, the best first. */
export const table = (state: EventState): readonly Row[] => {
  const results = resultsOf(state)
  const names = tieBreaksOf(state.plan)
  const before = state.plan.format.kind === 'knockout' ? furtherFirst(state) : morePointsFirst
  const tieBreakOf = tieBreakValues(state, results)
  return state.entrants
    .map(entrant => ({
      ...counted(entrant, results.get(entrant.account) ?? []),
      tieBreaks: names.map(name => ({ name, value: tieBreakOf(name, entrant.account) })),
    }))
    .sort((a, b) => before(a, b) || byTieBreaks(a, b))
    .map((row, index) => ({ rank: index + 1, ...row }))
}

const counted = (
  { account, name, withdrawn }: Entrant,
  results: readonly Result[],
): Omit<Row, 'rank' | 'tieBreaks'> => {
  const boards = results.filter(({ board }) => board !== null)
  const count = (outcome: Result['outcome']) =>
    boards.filter(result => result.outcome === outcome).length
  return {
    account,
    name,
    points: sumOf(results.map(({ points }) => points)),
    played: boards.length,
    wins: count('win'),
    draws: count('draw'),
    losses: count('loss'),
    byes: results.length - boards.length,
    withdrawn,
  }
}

type Before = (a: Pick<Row, 'account' | 'points'>, b: Pick<Row, 'account' | 'points'>) => number

const morePointsFirst: Before = (a, b) => b.points - a.points

/** The later the round that one came to in a knockout, the better, and the better its place at the board there. */
const furtherFirst = (state: EventState): Before => {
  const { thirdPlace } = bracket(state)
  const reached = new Map<AccountId, number>()
  for (const { round, boards, byes } of state.rounds) {
    for (const account of byes) reached.set(account, round)
    for (const { board, accounts, places } of boards) {
      // Before those who lost earlier, and behind both of the final.
      const isThirdPlace = round === state.rounds.length && board === thirdPlace?.board
      for (const [seat, account] of accounts.entries()) {
        const place = places?.[seat] ?? 1
        reached.set(account, isThirdPlace ? round - 1.001 - place / 1e4 : round - place / 1000)
      }
    }
  }
  return (a, b) => (reached.get(b.account) ?? 0) - (reached.get(a.account) ?? 0)
}

const byTieBreaks = (a: Pick<Row, 'tieBreaks'>, b: Pick<Row, 'tieBreaks'>): number => {
  for (const [index, { name, value }] of a.tieBreaks.entries()) {
    const difference = (b.tieBreaks[index]?.value ?? 0) - (value ?? 0)
    if (difference !== 0) return lowerFirst.has(name) ? -difference : difference
  }
  return 0
}
