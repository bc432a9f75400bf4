import type { AccountId } from '../../arena/account.ts'
import { lot } from '../lot.ts'
import { pointsOf } from '../results.ts'
import { seatLeads } from '../seat-leads.ts'
import type { BoardState, EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'
import { cut, groupSizes, seated } from './groups.ts'
import { matching } from './matching.ts'
import { activeOf } from './who-plays.ts'

/** When an arena calls its last boards. The time for which it is paused does not count. */
export const arenaEnds = ({ plan, startedAt, pausedFor }: EventState): number | null =>
  plan.format.kind === 'arena' && startedAt !== null
    ? startedAt + plan.format.lasts + pausedFor
    : null

/**
 * Boards for those who are here and have none, the nearest points first; null where none can be had. Those who have just
 * met do not meet again as long as another opponent will be free for them.
 */
export const arena = (state: EventState, free: ReadonlySet<AccountId>): Drawing | null => {
  const here = activeOf(state).filter(account => free.has(account))
  const boards = state.plan.seats.most > 2 ? groups(state, here) : pairs(state, here)
  const seats = new Set(boards.flat())
  return boards.length === 0 ? null : { boards, byes: here.filter(account => !seats.has(account)) }
}

const pairs = (state: EventState, here: readonly AccountId[]) => {
  const last = lastBoards(state)
  const points = pointsOf(state)
  const waits = waitsOf(state)
  const leads = seatLeads(state)
  const othersPlay = state.rounds.some(({ boards }) => boards.some(board => !board.isOver))
  const isRematch = (a: AccountId, b: AccountId) =>
    (here.length > 2 || othersPlay) && last.get(a) === last.get(b) && last.has(a)
  const round = state.rounds.length + 1
  return matching(here.length, (left, right) => {
    const [a, b] = [here[left]!, here[right]!]
    if (isRematch(a, b)) return null
    const gap = Math.min(2 ** 14, Math.round(2 * Math.abs(points(a) - points(b))))
    // Who has waited longest is paired before whose points are near.
    return (400 - waits(a) - waits(b)) * 2 ** 30 + gap ** 2
  }).map(([left, right]) => {
    const lotOf = (account: AccountId) => lot(state.plan.seed, `seat ${round} ${account}`)
    const lead = (account: AccountId) => leads.get(account) ?? 0
    return [here[left]!, here[right]!].sort((a, b) => lead(a) - lead(b) || lotOf(a) - lotOf(b))
  })
}

const groups = (state: EventState, here: readonly AccountId[]) => {
  const { sizes } = groupSizes(here.length, state.plan.seats)
  const last = lastBoards(state)
  const areOneBoard = new Set(here.map(account => last.get(account))).size === 1 && last.size > 0
  const othersPlay = state.rounds.some(({ boards }) => boards.some(board => !board.isOver))
  if (areOneBoard && othersPlay) return []
  const points = pointsOf(state)
  const waits = waitsOf(state)
  const order = here
    .toSorted((a, b) => waits(b) - waits(a))
    .slice(
      0,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    .sort((a, b) => points(b) - points(a))
  return cut(order, sizes).map(group => seated(state, group))
}

const lastBoards = ({ rounds }: EventState): ReadonlyMap<AccountId, BoardState> =>
  new Map(
    rounds.flatMap(({ boards }) =>
      boards.flatMap(board => board.accounts.map(account => [account, board] as const)),
    ),
  )

/** In how many drawings one has had no board since its last board: 200 at most. */
const waitsOf = ({ rounds }: EventState): ((account: AccountId) => number) => {
  const waits = new Map<AccountId, number>()
  for (const { boards, byes } of rounds) {
    for (const account of byes) waits.set(account, Math.min(200, (waits.get(account) ?? 0) + 1))
    for (const { accounts } of boards) for (const account of accounts) waits.delete(account)
  }
  return account => waits.get(account) ?? 0
}
