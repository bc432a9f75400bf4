import type { MatchRecord } from '../record/match-record.ts'
import { faultsText, ratedText } from '../record/result-text.ts'

/** How a match was forfeited and why it changed no rating; empty for an ordinary match. */
export const remark = (match: MatchRecord): string =>
  [...faultsText(match), ...(match.unrated === null ? [] : [ratedText(match)])].join('; ')

const bars = '▁▂▃▄▅▆▇█'

/** A row of numbers as a row of bars. */
export const sparkline = (numbers: readonly number[], width: number): string => {
  const shown = numbers.slice(-width)
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  return shown
    .map(n => bars[high === low ? 3 : Math.round(((n - low) / (high - low)) * 7)])
    .join('')
}
