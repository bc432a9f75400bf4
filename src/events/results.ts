import type { AccountId } from '../arena/account.ts'
import type { Points } from './plan.ts'
import type { BoardState, EventState } from './state.ts'

/** What a board or a bye amounts to for one entrant. */
export interface Result {
  readonly round: number
  /** Null for a bye. */
  readonly board: number | null
  readonly outcome: 'win' | 'draw' | 'loss'
  readonly points: number
  /** Against each of the others of the board: 1 ahead of it, ½ level with it, 0 behind it. */
  readonly against: readonly { readonly account: AccountId; readonly share: number }[]
  /** Whether there was a match. */
  readonly isPlayed: boolean
  /** The seat in the first match. */
  readonly seat: number
}

/** The results of all entrants that count, each entrant's by round. */
export const resultsOf = (state: EventState): ReadonlyMap<AccountId, readonly Result[]> => {
  const results = new Map<AccountId, Result[]>(state.entrants.map(({ account }) => [account, []]))
  const struck = struckOut(state)
  for (const { round, boards, byes } of state.rounds) {
    for (const board of boards) {
      if (board.places === null || board.accounts.some(account => struck.has(account))) continue
      for (const [seat, account] of board.accounts.entries())
        results.get(account)?.push(resultAt(board, board.places, seat, state.plan.points))
    }
    if (state.plan.format.kind === 'swiss')
      for (const account of byes) results.get(account)?.push(byeOf(round, state.plan.points))
  }
  return results
}

/**
 * As FIDE does: an entrant that withdraws from a round robin of pairs before it has played half of its boards is struck from the
 * table, and its boards do not count for its opponents either. A league of league.v2 has no such rule.
 */
const struckOut = (state: EventState): ReadonlySet<AccountId> => {
  const { format, protocol, seats } = state.plan
  if (format.kind !== 'round-robin' || protocol === 'league.v2' || seats.most > 2) return new Set()
  const most = format.cycles * (state.entrants.length - 1)
  const played = (account: AccountId) =>
    state.rounds
      .flatMap(({ boards }) => boards)
      .filter(board => board.accounts.includes(account) && board.legs.length > 0).length
  return new Set(
    state.entrants
      .filter(({ account, withdrawn }) => withdrawn && played(account) < most / 2)
      .map(({ account }) => account),
  )
}

const resultAt = (
  { round, board, accounts, legs }: BoardState,
  places: readonly number[],
  seat: number,
  points: Points,
): Result => {
  const place = places[seat]!
  const level = places.filter(other => other === place).length
  const outcome = place > 1 ? 'loss' : level > 1 ? 'draw' : 'win'
  return {
    round,
    board,
    outcome,
    points: points.by === 'result' ? points[outcome] : worthOf(points.worth, place, level),
    against: accounts.flatMap((account, other) => {
      const beside = places[other]!
      // Both have lost where both were at fault.
      const share =
        place < beside ? 1 : place > beside || (place > 1 && accounts.length === 2) ? 0 : 0.5
      return other === seat ? [] : [{ account, share }]
    }),
    isPlayed: legs.length > 0,
    seat,
  }
}

/** Equal places share what theirs and the next ones are worth. */
const worthOf = (worth: readonly number[], place: number, level: number) =>
  sumOf(Array.from({ length: level }, (_, index) => worth[place - 1 + index] ?? 0)) / level

const byeOf = (round: number, points: Points): Result => ({
  round,
  board: null,
  outcome: 'win',
  points: points.by === 'result' ? points.win : (points.worth[0] ?? 0),
  against: [],
  isPlayed: false,
  seat: 0,
})

/** The points of an entrant so far. */
export const pointsOf = (
  state: EventState,
  results: ReadonlyMap<AccountId, readonly Result[]> = resultsOf(state),
): ((account: AccountId) => number) => {
  const points = new Map(
    [...results].map(([account, own]) => [account, sumOf(own.map(result => result.points))]),
  )
  return account => points.get(account) ?? 0
}

/** Exact to a millionth: thirds that add up to a whole are one. */
export const sumOf = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) * 1e6) / 1e6
