import { clockText } from '../../record/time-text.ts'
import { all } from './elements.ts'

let ends: readonly (number | null)[] = []
let ticking = false

/** Counts down what each seat has left: from what the host said, or from what the page shows. */
export const startClocks = (left?: readonly (number | null)[]): void => {
  const given = left ?? all('[data-clock]').map(node => Number(node.dataset.clock) || null)
  ends = given.map(ms => (ms === null ? null : performance.now() + ms))
  show()
  if (ticking) return
  ticking = true
  setInterval(show, 250)
}

const show = () => {
  for (const [seat, node] of all('[data-clock]').entries()) {
    const end = ends[seat] ?? null
    const text = end === null ? '' : clockText(end - performance.now())
    if (node.textContent !== text) node.textContent = text
  }
}
