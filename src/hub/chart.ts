import { blocks } from '../drawing/sparkline.ts'
import type { Canvas } from './terminal/canvas.ts'

/** Draws numbers over time as bars of block characters, with the scale on the left. */
export const drawChart = (canvas: Canvas, numbers: readonly number[]): void => {
  const width = canvas.width - scale
  if (numbers.length === 0 || width < 4 || canvas.height < 2) return
  const columns = sampled(numbers, width)
  const low = Math.floor(Math.min(...columns) / 10) * 10
  const high = Math.max(low + 10, Math.ceil(Math.max(...columns) / 10) * 10)
  canvas.text(0, 0, String(high).padStart(scale - 2), 'dim')
  canvas.text(0, canvas.height - 1, String(low).padStart(scale - 2), 'dim')
  for (const [x, number] of columns.entries()) {
    // Even the lowest bar has one eighth of a row.
    const eighths = 1 + Math.round(((number - low) / (high - low)) * (canvas.height * 8 - 1))
    for (let y = 0; y < canvas.height; y++) {
      const filled = Math.max(0, Math.min(8, eighths - (canvas.height - 1 - y) * 8))
      if (filled > 0) canvas.text(scale + x, y, blocks[filled]!, 'rule')
    }
  }
}

const scale = 7
/** One number for each column: some are left out of many, and few become two columns wide. */
const sampled = (numbers: readonly number[], width: number): readonly number[] => {
  const wide = Math.min(width, numbers.length * 2)
  return Array.from({ length: wide }, (_, x) => numbers[Math.floor((x * numbers.length) / wide)]!)
}
