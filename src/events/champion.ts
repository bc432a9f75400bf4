import { bracket } from './bracket.ts'
import type { Entrant, EventState } from './state.ts'
import { table } from './table.ts'

/** The winner of the event; null before it is finished, after a drawn series, and without a board that counts. */
export const champion = (state: EventState): Entrant | null => {
  if (state.status !== 'finished') return null
  const entrant = state.entrants.find(({ account }) => account === winner(state))
  return entrant ?? null
}

const winner = (state: EventState) => {
  const { format } = state.plan
  if (format.kind === 'knockout') {
    const final = bracket(state).rounds.at(-1) ?? []
    return final.length === 1 ? final[0]?.winners[0] : undefined
  }
  const [first, second] = table(state)
  if (first === undefined || first.played + first.byes === 0) return undefined
  return format.kind === 'series' && first.points === second?.points ? undefined : first.account
}
