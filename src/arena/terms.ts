/**
 * What a protocol promises a seat. Two seats of one match may have different terms. The referee alone applies them.
 */
export interface Terms {
  /** Milliseconds for the first move, and for each later one. */
  readonly firstMove: number
  readonly move: number
  /** What an illegal move costs: the match, or nothing, so that the seat may try again. */
  readonly illegal: 'forfeit' | 'retry'
  /** This many late moves in a row lose. A late move before that restarts the clock, or the game's fallback move is made. */
  readonly late: { readonly strikes: number; readonly otherwise: 'clock' | 'fallback' }
  /** How long a seat may be disconnected before it loses, and whether all clocks run or stop in that time. */
  readonly away: { readonly grace: number; readonly clock: 'runs' | 'stops' }
}
