import { ratingText } from '../../record/rating-text.ts'
import { dayText, durationText } from '../../record/time-text.ts'
import type { Point } from '../../store/profiles.ts'
import { type Html, html } from '../html.ts'
import type { ShownMove } from '../replay.ts'

/** A rating over time, with axes. */
export const ratingChart = (points: readonly Point[], title: string): Html => {
  if (points.length < 2) return html`<p class="empty">A chart needs two rated matches.</p>`
  const [width, height, left, bottom] = [640, 220, 48, 28]
  const ratings = points.map(({ rating }) => rating)
  const step = stepFor(Math.max(...ratings) - Math.min(...ratings))
  const low = Math.floor(Math.min(...ratings) / step) * step
  const high = Math.max(low + step, Math.ceil(Math.max(...ratings) / step) * step)
  const [from, to] = [points[0]!.at, points.at(-1)!.at]
  const x = (at: number, i: number) =>
    left + (width - left - 8) * (to > from ? (at - from) / (to - from) : i / (points.length - 1))
  const y = (rating: number) => 10 + (height - bottom - 10) * (1 - (rating - low) / (high - low))
  const lines = Array.from(
    { length: Math.round((high - low) / step) + 1 },
    (_, i) => low + i * step,
  )
  const path = points.map(({ at, rating }, i) => `${x(at, i).toFixed(1)},${y(rating).toFixed(1)}`)
  const summary = `${title}: from ${ratingText(ratings[0]!)} on ${dayText(from)} to ${ratingText(ratings.at(-1)!)} on ${dayText(to)}, lowest ${ratingText(Math.min(...ratings))}, highest ${ratingText(Math.max(...ratings))}`
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${summary}">
${lines.map(
  rating =>
    html`<path class="l-faint" d="M${left} ${y(rating).toFixed(1)}H${width - 8}"/><text class="end" x="${left - 6}" y="${(y(rating) + 4).toFixed(1)}">${ratingText(rating)}</text>`,
)}
<path class="l-rule" d="M${left} 10V${height - bottom}H${width - 8}"/>
<text x="${left}" y="${height - 8}">${dayText(from)}</text><text class="end" x="${width - 8}" y="${height - 8}">${dayText(to)}</text>
<polyline class="curve" points="${path.join(' ')}"/></svg>`
}

/** The time of each move, as bars. */
export const timeChart = (moves: readonly ShownMove[], names: readonly string[]): Html | false => {
  if (moves.length === 0) return false
  const longest = Math.max(1, ...moves.map(({ ms }) => ms))
  const [width, height] = [640, 90]
  const bar = width / Math.max(moves.length, 20)
  const slowest = moves.findIndex(({ ms }) => ms === longest) + 1
  return html`<figure><figcaption>Time per move; the longest, ${durationText(longest)}, is move ${Math.max(slowest, 1)}.</figcaption>
<svg class="times" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="Time per move, longest ${durationText(longest)}">${moves.map(
    ({ seat, ms }, i) => {
      const tall = Math.max(1, (ms / longest) * (height - 4))
      return html`<rect class="f-seat${seat % 6}" data-ply="${i + 1}" x="${(i * bar).toFixed(2)}" y="${(height - tall).toFixed(1)}" width="${Math.max(0.5, bar * 0.8).toFixed(2)}" height="${tall.toFixed(1)}"><title>${i + 1}. ${names[seat] ?? ''} ${durationText(ms)}</title></rect>`
    },
  )}</svg></figure>`
}

const stepFor = (span: number): number =>
  [5, 10, 20, 25, 50, 100, 200, 250, 500].find(step => span / step <= 5) ?? 1000
