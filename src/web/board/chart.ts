import type { Chart } from '../../games/look.ts'
import { type Html, html } from '../html.ts'

/** Numbers over time as SVG: a line for each seat, with axes, and its newest number beside its name. */
export const chartOf = ({ title, along, step, lines }: Chart, names: readonly string[]): Html => {
  const count = lines[0]?.length ?? 0
  if (count === 0) return html``
  const all = lines.flat()
  const scale = scaleOf(Math.min(0, ...all), Math.max(1, ...all))
  const last = (count - 1) * step
  const across = scaleOf(0, Math.max(10, last))
  const x = (at: number) => left + ((width - left - right) * at) / across.high
  const y = (value: number) =>
    top + (height - top - bottom) * (1 - (value - scale.low) / (scale.high - scale.low))
  const nameOf = (seat: number) => names[seat] ?? `seat ${seat}`
  const label = `${title} by ${along}, from 0 to ${last}: ${lines
    .map((line, seat) => `${nameOf(seat)} from ${line[0]} to ${line.at(-1)}`)
    .join(', ')}`
  return html`<figure class="lines"><figcaption>${title} by ${along}: ${lines.map(
    (line, seat) =>
      html`<span class="word"><span class="chip s${seat}">${seat}</span> ${nameOf(seat)} <b>${line.at(-1)}</b></span> `,
  )}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${scale.ticks.map(
  value =>
    html`<path class="l-faint" d="M${left} ${shortened(y(value))}H${width - right}"/><text class="end" x="${left - 6}" y="${shortened(y(value) + 4)}">${value}</text>`,
)}
<path class="l-rule" d="M${left} ${top}V${height - bottom}H${width - right}"/>
${across.ticks.map(at => html`<text class="mid" x="${shortened(x(at))}" y="${height - 8}">${at}</text>`)}
${lines.map(
  (line, seat) =>
    html`<polyline class="l-seat${seat % 6}" points="${line.map((value, i) => `${shortened(x(i * step))},${shortened(y(value))}`).join(' ')}"/><circle class="f-seat${seat % 6}" cx="${shortened(x(last))}" cy="${shortened(y(line.at(-1) ?? 0))}" r="3.5"/>`,
)}</svg></figure>`
}

const [width, height, left, right, top, bottom] = [640, 240, 48, 12, 10, 26]

/** Round numbers from below the lowest to above the highest. */
const scaleOf = (lowest: number, highest: number) => {
  const rough = (highest - lowest) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : 2))
  const low = Math.floor(lowest / step) * step
  const high = Math.ceil(highest / step) * step
  const ticks = Array.from(
    { length: Math.round((high - low) / step) + 1 },
    (_, i) => low + i * step,
  )
  return { low, high, ticks }
}

const shortened = (value: number) => Math.round(value * 10) / 10
