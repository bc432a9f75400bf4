import type { AccountId } from '../../arena/account.ts'
import { bracket, type Node } from '../bracket.ts'
import { lot } from '../lot.ts'
import { seatLeads } from '../seat-leads.ts'
import type { EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'

/**
 * The next round of a knockout of pairs; null after the last. Who had to meet one that has withdrawn goes on without a
 * board, as those do who have a bye in the first round.
 */
export const knockout = (state: EventState): Drawing | null => {
  const { rounds, thirdPlace } = bracket(state)
  const nodes = rounds[state.rounds.length]
  if (nodes === undefined) return null
  const there = nodes.map(node => present(state, node))
  const third =
    state.rounds.length === rounds.length - 1 && thirdPlace ? present(state, thirdPlace) : []
  return {
    boards: [...there, third].filter(({ length }) => length > 1).map(pair => seated(state, pair)),
    byes: there.filter(({ length }) => length === 1).flat(),
  }
}

const present = ({ entrants }: EventState, { accounts }: Node): readonly AccountId[] =>
  accounts.filter(
    account => account !== null && entrants.some(own => own.account === account && !own.withdrawn),
  ) as AccountId[]

/** Who has had the first seat less often has it, or by lot. */
const seated = (state: EventState, pair: readonly AccountId[]) => {
  const leads = seatLeads(state)
  const lotOf = (account: AccountId) =>
    lot(state.plan.seed, `seat ${state.rounds.length + 1} ${account}`)
  return pair.toSorted((a, b) => (leads.get(a) ?? 0) - (leads.get(b) ?? 0) || lotOf(a) - lotOf(b))
}
