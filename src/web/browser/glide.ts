import { all } from './elements.ts'

type Point = readonly [x: number, y: number]

/** Where on a board those things are that have a key. */
export const keyedPlaces = (board: Element): ReadonlyMap<string, Point> =>
  new Map(all('[data-key]', board).map(node => [node.dataset.key!, placeOf(node)]))

/** Lets what has a key glide from its old place to where it is drawn now. */
export const glide = (board: Element, before: ReadonlyMap<string, Point>): void => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const node of all('[data-key]', board)) {
    const from = before.get(node.dataset.key!)
    const to = placeOf(node)
    if (from === undefined || (from[0] === to[0] && from[1] === to[1])) continue
    const { width, height } = (node as unknown as SVGGElement).ownerSVGElement!.viewBox.baseVal
    const steps = [from, ...cornerBetween(from, to, [width / 2, height / 2]), to]
    node.animate(
      steps.map(([x, y]) => ({ transform: `translate(${x - to[0]}px, ${y - to[1]}px)` })),
      { duration, easing: 'ease-in-out' },
    )
  }
}

/** Milliseconds: less than a replay at normal speed waits between two moves. */
const duration = 600

/** Between two sides of a track the way leads around its corner and not through its middle. */
const cornerBetween = ([x, y]: Point, [u, v]: Point, [cx, cy]: Point): readonly Point[] => {
  if (Math.abs(x - u) < cx / 4 || Math.abs(y - v) < cy / 4) return []
  const fromMiddle = ([a, b]: Point) => Math.hypot(a - cx, b - cy)
  const [first, second]: [Point, Point] = [
    [x, v],
    [u, y],
  ]
  return [fromMiddle(first) > fromMiddle(second) ? first : second]
}

const placeOf = (node: HTMLElement): Point => {
  const [x = 0, y = 0] = (node.dataset.at ?? '').split(' ').map(Number)
  return [x, y]
}
