import type { Terms } from '../../arena/terms.ts'

/** What a seat is promised: a model thinks for long, errs now and then, and comes by calls that no connection joins. */
export const terms: Terms = {
  move: 120_000,
  // The third illegal move of a match loses.
  illegal: { retries: 2, counted: 'in all', penalty: 'forfeit' },
  late: 'forfeit',
  away: { stages: [{ time: 120_000, play: 'runs' }], times: Number.POSITIVE_INFINITY },
}

/**
 * So long, in milliseconds, may no call come while nothing is due from the seat: then it leaves the queue, or its absence begins.
 * While it owes a move, its clock alone counts: it may think between two calls.
 */
export const mostSilence = 60_000

/** The longest wait of one call, in seconds: many hosts of agents and proxies cut calls after 60 s. */
export const mostWait = 45
