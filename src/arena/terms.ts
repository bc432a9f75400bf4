/**
 * What a seat was promised by its dialect. Two seats of one match may have different terms; the referee alone
 * turns them into rulings.
 */
export interface Terms {
  /** Milliseconds for the first move, and for each later one. */
  readonly firstMove: number
  readonly move: number
  /** A move that the rules refuse loses at once, or is refused and may be tried again. */
  readonly illegal: 'forfeit' | 'retry'
  /** This many late moves in a row lose; an earlier one starts the clock again or has a move made for the seat. */
  readonly late: { readonly strikes: number; readonly otherwise: 'clock' | 'fallback' }
  /** How long a lost line may stay away before the seat loses, and what the seats' clocks do meanwhile. */
  readonly away: { readonly grace: number; readonly clock: 'runs' | 'stops' }
}
