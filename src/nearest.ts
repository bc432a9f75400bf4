/** The suggestion after a refused word, such as ` (did you mean practice?)`; empty where no known name is near. */
export const didYouMean = (word: string, known: readonly string[], prefix = ''): string => {
  const found = nearest(word, known)
  return found === undefined ? '' : ` (did you mean ${prefix}${found}?)`
}

/** The known name with the fewest typing mistakes to the word; undefined where all have too many. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  // No known name is nearly this long.
  if (word.length > 80) return undefined
  const most = Math.max(1, Math.floor(word.length * 0.45))
  const mistakes = known.map(name => ({
    name,
    count: distance(word.toLowerCase(), name.toLowerCase()),
  }))
  const [best] = mistakes.sort((a, b) => a.count - b.count)
  return best !== undefined && best.count <= most ? best.name : undefined
}

/** The number of letters that are missing, added, replaced, or swapped with a neighbour. */
const distance = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next.push(
        Math.min(
          next[j - 1]! + 1,
          row[j]! + 1,
          row[j - 1]! + (same ? 0 : 1),
          swapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row[to.length]!
}
