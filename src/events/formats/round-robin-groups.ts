import type { AccountId } from '../../arena/account.ts'
import { byLot } from '../lot.ts'
import { meetings } from '../meetings.ts'
import type { EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'
import { cut, groupSizes, improved, seated } from './groups.ts'
import { activeOf, byesOf } from './who-plays.ts'

/**
 * The next round of a round robin of groups; null after the last. There are as many rounds as it takes for each pair to
 * meet `cycles` times on average, rounded up, and each is drawn so that those share a group who have done so least.
 */
export const roundRobinGroups = (state: EventState, cycles: number): Drawing | null => {
  const { plan, entrants, rounds } = state
  const active = activeOf(state)
  const { sizes, rest } = groupSizes(active.length, plan.seats)
  if (sizes.length === 0 || rounds.length >= roundsFor(entrants.length, plan.seats, cycles))
    return null
  const byesBefore = byesOf(state)
  const byes = byLot(plan.seed, `byes of round ${rounds.length + 1}`, active)
    .sort((a, b) => byesBefore(a) - byesBefore(b))
    .slice(0, rest)
  const playing = active.filter(account => !byes.includes(account))
  const met = meetings(state)
  const cost = (a: AccountId, b: AccountId) => met(a, b) ** 2
  const tries = Array.from({ length: 12 }, (_, index) =>
    improved(cut(byLot(plan.seed, `try ${rounds.length} ${index}`, playing), sizes), cost),
  )
  const costs = tries.map(groups => costOf(groups, cost))
  const best = tries[costs.indexOf(Math.min(...costs))]!
  return { boards: best.map(group => seated(state, group)), byes }
}

const roundsFor = (count: number, seats: EventState['plan']['seats'], cycles: number) => {
  const pairs = groupSizes(count, seats).sizes.reduce((sum, size) => sum + size * (size - 1), 0)
  return Math.ceil((cycles * count * (count - 1)) / pairs)
}

const costOf = (
  groups: readonly (readonly AccountId[])[],
  cost: (a: AccountId, b: AccountId) => number,
) =>
  groups.reduce(
    (sum, group) =>
      sum +
      group.reduce(
        (own, a, seat) => own + group.slice(seat + 1).reduce((all, b) => all + cost(a, b), 0),
        0,
      ),
    0,
  )
