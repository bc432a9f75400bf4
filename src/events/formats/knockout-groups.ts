import type { AccountId } from '../../arena/account.ts'
import { isFinal } from '../bracket.ts'
import type { BoardState, EventState, Round } from '../state.ts'
import type { Drawing } from './drawing.ts'
import { dealt, groupSizes, seated } from './groups.ts'
import { activeOf } from './who-plays.ts'

/**
 * The next round of a knockout of groups; null after the last. The best half of each group goes on, or as many more as it
 * takes to seat one group. Those who are too many for full groups have a bye: the best by seeding.
 */
export const knockoutGroups = (state: EventState): Drawing | null => {
  const { seats } = state.plan
  const last = state.rounds.at(-1)
  if (last !== undefined && isFinal(last)) return null
  const active = activeOf(state)
  const left = last === undefined ? active : goingOn(state, last).filter(a => active.includes(a))
  const { sizes, rest } = groupSizes(left.length, seats)
  if (sizes.length === 0) return null
  return {
    boards: dealt(left.slice(rest), sizes).map(group => seated(state, group)),
    byes: left.slice(0, rest),
  }
}

/** The best first: those with a bye, then by place in their group, equal ones by seeding. */
const goingOn = (state: EventState, { boards, byes }: Round): readonly AccountId[] => {
  const seeding = state.entrants.map(({ account }) => account)
  const placed = boards
    .flatMap(board => byPlace(board))
    .sort((a, b) => a.place - b.place || seeding.indexOf(a.account) - seeding.indexOf(b.account))
  const better = placed.filter(({ isBetter }) => isBetter)
  const few = state.plan.seats.least - byes.length - better.length
  const more = placed.filter(({ isBetter }) => !isBetter).slice(0, Math.max(0, few))
  return [...byes, ...[...better, ...more].map(({ account }) => account)]
}

const byPlace = ({ accounts, places }: BoardState) =>
  accounts.flatMap((account, seat) => {
    const place = places?.[seat]
    const isBetter = place !== undefined && place <= Math.ceil(accounts.length / 2)
    return place === undefined ? [] : [{ account, place, isBetter }]
  })
