import type { Fault } from './ending.ts'
import type { Played } from './match-store.ts'

/** A seat that is faulted before it has made this many moves has hardly played. */
const quickBelow = 3
/**
 * The seats placed above it then gain only this share. The faulted seat loses in full, so that giving up early brings it
 * nothing.
 */
export const quickShare = 1 / 4

/** For each seat, whether it resigned or forfeited before it had made enough moves. */
export const quickFalls = (
  faults: readonly (Fault | null)[],
  moves: readonly Played[],
): readonly boolean[] =>
  faults.map(
    (fault, seat) =>
      fault !== null &&
      moves.filter(([by, , , out]) => by === seat && out === undefined).length < quickBelow,
  )
