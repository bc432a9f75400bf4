import type { Account } from '../../src/arena/account.ts'
import type { Outcome } from '../../src/arena/ending.ts'
import type { NewMatch, Played } from '../../src/arena/match-store.ts'
import type { Terms } from '../../src/arena/terms.ts'
import type { Users } from '../../src/store/users.ts'

/** Real matches of tic-tac-toe, for tests of stored matches. */
export const ttt = {
  firstWins: cells([0, 3, 1, 4, 2]),
  secondWins: cells([0, 3, 1, 4, 8, 5]),
  draw: cells([0, 1, 2, 4, 3, 5, 7, 6, 8]),
} as const

export const outcomes = {
  firstWins: byRules([1, 2], 'three in a row'),
  secondWins: byRules([2, 1], 'three in a row'),
  draw: byRules([1, 1], 'the board is full'),
  secondLate: {
    ending: 'late',
    places: [1, 2],
    faults: [null, 'late'],
    detail: 'no move within 15 s',
  } satisfies Outcome,
} as const

export const strictTerms: Terms = {
  move: 15_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

export const tttMatch = (...accounts: readonly Account[]): NewMatch => ({
  game: 'ttt',
  seed: 1,
  accounts: accounts.map(({ id }) => id),
  unrated: null,
  startedAt: Date.UTC(2026, 0, 1),
})

/** Makes an account. */
export const newAccount = (users: Users, name: string): Account => {
  const account = users.add(name)
  if ('problem' in account) throw new Error(account.problem)
  return account
}

function cells(numbers: readonly number[]): readonly Played[] {
  return numbers.map((cell, turn) => [turn % 2, String(cell), 10 + turn])
}

function byRules(places: readonly number[], detail: string): Outcome {
  return { ending: 'rules', places, faults: places.map(() => null), detail }
}
