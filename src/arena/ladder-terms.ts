import type { Variant } from './ladder.ts'
import type { Terms } from './terms.ts'

/**
 * What a ladder promises its seats, for protocols that have no terms of their own. `move` is the time for a move on fast
 * ladders.
 */
export const ladderTerms = ({ speed, listing }: Variant, move: number): Terms => ({
  ...(speed === 'fast' ? { move, away: 'forfeit' } : { ...thinkingTime, away: thinkingAbsence }),
  illegal: listing === 'open' ? 'forfeit' : blindStrikes,
  late: 'forfeit',
})

/** A language model thinks for long. */
export const thinkingTime = { move: 20_000, bank: 600_000 } as const

/** The client of a language model may not live as long as a match. */
const thinkingAbsence: Terms['away'] = {
  stages: [{ time: 120_000, play: 'runs' }],
  times: Number.POSITIVE_INFINITY,
}

/** The third illegal move of a match loses. */
const blindStrikes: Terms['illegal'] = { retries: 2, counted: 'in all', penalty: 'forfeit' }
