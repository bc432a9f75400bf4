import type { Fault } from './ending.ts'
import type { Played } from './match-store.ts'

/** Whoever falls before this many moves of its own has hardly played, */
const quickBelow = 3
/** and those who are placed before it gain only this share. The one that fell loses in full, so that it wins nothing by it. */
export const quickShare = 1 / 4

/** By seat: whether it resigned or forfeited before it had made enough moves. */
export const quickFalls = (
  faults: readonly (Fault | null)[],
  moves: readonly Played[],
): readonly boolean[] =>
  faults.map(
    (fault, seat) =>
      fault !== null &&
      moves.filter(([by, , , out]) => by === seat && out === undefined).length < quickBelow,
  )
