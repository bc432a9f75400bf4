/** Most points first, equal points share a place. */
export const placesOf = (scores: readonly number[]): number[] =>
  scores.map(score => 1 + scores.filter(other => other > score).length)

/** How two scores stand, in words: "3 rounds to 1", "2 rounds each". */
export const tally = ([a = 0, b = 0]: readonly number[], unit: string): string => {
  const most = Math.max(a, b)
  const units = most === 1 ? unit : `${unit}s`
  return a === b ? `${a} ${units} each` : `${most} ${units} to ${Math.min(a, b)}`
}
