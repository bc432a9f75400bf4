import type { AccountId } from '../../arena/account.ts'
import { meetings } from '../meetings.ts'
import { pointsOf } from '../results.ts'
import type { EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'
import { cut, dealt, groupSizes, improved, seated } from './groups.ts'
import { activeOf, byesOf } from './who-plays.ts'

/**
 * The next round of a Swiss of groups; null after the last. Groups are of those whose points are nearest, and have not
 * met, as far as that goes. Those left over are the last ones who have had the fewest byes.
 */
export const swissGroups = (state: EventState, rounds: number): Drawing | null => {
  const active = activeOf(state)
  const { sizes, rest } = groupSizes(active.length, state.plan.seats)
  if (state.rounds.length >= rounds || sizes.length === 0) return null
  const points = pointsOf(state)
  const order = active.toSorted((a, b) => points(b) - points(a))
  const byesBefore = byesOf(state)
  const byes = order
    .toReversed()
    .sort((a, b) => byesBefore(a) - byesBefore(b))
    .slice(0, rest)
  const playing = order.filter(account => !byes.includes(account))
  const met = meetings(state)
  const cost = (a: AccountId, b: AccountId) => (points(a) - points(b)) ** 2 + 4 * met(a, b) ** 2
  const start = state.rounds.length === 0 ? dealt(playing, sizes) : cut(playing, sizes)
  return { boards: improved(start, cost).map(group => seated(state, group)), byes }
}
