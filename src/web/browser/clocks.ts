import { clockText } from '../../record/time-text.ts'
import { all } from './elements.ts'

let deadlines: readonly (number | null)[] = []
let ticking = false

/** Counts down the clock of each seat, from the given times or from the times on the page. */
export const startClocks = (clocks?: readonly (number | null)[]): void => {
  const times = clocks ?? all('[data-clock]').map(node => Number(node.dataset.clock) || null)
  deadlines = times.map(ms => (ms === null ? null : performance.now() + ms))
  showClocks()
  if (ticking) return
  ticking = true
  setInterval(showClocks, 250)
}

const showClocks = () => {
  for (const [seat, node] of all('[data-clock]').entries()) {
    const deadline = deadlines[seat] ?? null
    const text = deadline === null ? '' : clockText(deadline - performance.now())
    if (node.textContent !== text) node.textContent = text
  }
}
