import blossom from 'edmonds-blossom-fixed'

/**
 * The pairs of a matching of the most vertices, and of the least cost among those: vertices 0 to `count` − 1, costs whole
 * numbers below 2^46, null for two that cannot be paired. Of more than 64 vertices each is first given its 24 cheapest
 * partners and those with the nearest numbers alone; all of them where that leaves out more than it must.
 */
export const matching = (count: number, cost: Cost): readonly Pair[] => {
  const edges: Edge[] = []
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const price = cost(a, b)
      if (price !== null) edges.push([a, b, 2 ** 46 - price])
    }
  if (count <= exactTo) return pairsOf(edges)
  const pairs = pairsOf(cheapest(edges))
  return pairs.length === Math.floor(count / 2) ? pairs : pairsOf(edges)
}

type Cost = (a: number, b: number) => number | null
type Pair = readonly [number, number]
type Edge = [a: number, b: number, weight: number]

const exactTo = 64
const partners = 24
const neighbours = 12

const pairsOf = (edges: readonly Edge[]): readonly Pair[] =>
  blossom(edges, true).flatMap((b, a) => (a < b ? [[a, b] as const] : []))

const cheapest = (edges: readonly Edge[]): readonly Edge[] => {
  const kept = new Map<number, number>()
  const isAmong = (vertex: number) => {
    const number = (kept.get(vertex) ?? 0) + 1
    kept.set(vertex, number)
    return number <= partners
  }
  return edges
    .toSorted((a, b) => b[2] - a[2])
    .filter(([a, b]) => [isAmong(a), isAmong(b), b - a <= neighbours].includes(true))
}
