/**
 * So long, in milliseconds, may no call come while nothing is due from the seat: then it leaves the queue, or its absence begins.
 * While it owes a move, its clock alone counts: it may think between two calls.
 */
export const mostSilence = 60_000

/** The longest wait of one call, in seconds: many hosts of agents and proxies cut calls after 60 s. */
export const mostWait = 45
