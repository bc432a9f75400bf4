import type { Outcome } from '../../arena/ending.ts'
import type { Agent, End } from './words/words.ts'

/** How a match ended, in this protocol. `scores`: those of the last board; null where the winner has 1 and others 0. */
export const endOf = (
  outcome: Outcome,
  agents: readonly Agent[],
  scores: readonly number[] | null,
  totalRounds: number,
): End => {
  const { places, faults } = outcome
  const hasWinner = places.filter(place => place === 1).length === 1
  const isTimeout =
    faults.some(fault => fault === 'late' || fault === 'gone') &&
    faults.filter(fault => fault === null).length <= 1
  const reason = isTimeout ? 'timeout' : undefined
  const final = outcome.scores ?? scores ?? places.map(place => (hasWinner && place === 1 ? 1 : 0))
  const seats = agents
    .map((agent, seat) => ({ agent, seat, place: places[seat]!, score: final[seat] ?? 0 }))
    .sort((a, b) => a.place - b.place || b.score - a.score || a.seat - b.seat)
  const rankings = seats.map(({ agent, score }) => ({ ...agent, finalScore: score }))
  const [first, second] = seats
  const isTie =
    reason === undefined && first?.place === second?.place && first?.score === second?.score
  const draw = isTie || faults.every(fault => fault === 'late')
  return { ...(reason && { reason }), draw, totalRounds, rankings }
}

/** The end of a match that was aborted, which has no winner. */
export const abortedEnd = (
  agents: readonly Agent[],
  scores: readonly number[],
  totalRounds: number,
): End => ({
  reason: 'error',
  draw: false,
  totalRounds,
  rankings: agents
    .map((agent, seat) => ({ ...agent, finalScore: scores[seat] ?? 0 }))
    .sort((a, b) => b.finalScore - a.finalScore),
})
