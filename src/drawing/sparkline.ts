/** From a blank to a full block, in eighths. */
export const blocks = ' ▁▂▃▄▅▆▇█'

/** The newest numbers as one line of bars, from the lowest to the highest unless `range` says otherwise. */
export const sparkline = (
  numbers: readonly number[],
  width: number,
  range?: readonly [low: number, high: number],
): string => {
  const shown = numbers.slice(-width)
  const [low, high] = range ?? [Math.min(...shown), Math.max(...shown)]
  return shown
    .map(n => blocks[high === low ? 4 : 1 + Math.round(((n - low) / (high - low)) * 7)])
    .join('')
}

/** At most so many numbers, evenly chosen: the first and the last are among them. */
export const thinned = (numbers: readonly number[], most: number): readonly number[] =>
  numbers.length <= most
    ? numbers
    : Array.from(
        { length: most },
        (_, i) => numbers[Math.round((i * (numbers.length - 1)) / (most - 1))]!,
      )
