import type { AccountId } from '../../arena/account.ts'
import type { EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'

/** All rounds of a round robin of pairs, by the circle method over the order in which they entered. */
export const schedule = ({ plan, entrants }: EventState): readonly Drawing[] => {
  const { format, protocol } = plan
  if (format.kind !== 'round-robin') return []
  const order = entrants.toSorted((a, b) => a.number - b.number).map(({ account }) => account)
  const cycle = circle(order, protocol === 'league.v2' ? leftFirst : evenly)
  return Array.from({ length: format.cycles }, (_, index) =>
    index % 2 === 0 ? cycle : cycle.map(exchanged),
  ).flat()
}

/** Who has the first seat: the places of both in the order, the left one of the circle first. */
type FirstOf = (left: number, right: number) => number

/** As league.v2 has it, where seats make no difference. */
const leftFirst: FirstOf = left => left

/** Each account is first as often as not, or once more or less: the earlier one where the places add up to an odd number. */
const evenly: FirstOf = (left, right) =>
  (left + right) % 2 === 1 ? Math.min(left, right) : Math.max(left, right)

/** Each meets each once. With an odd number one rests in each round. */
const circle = (order: readonly AccountId[], firstOf: FirstOf): readonly Drawing[] => {
  const size = order.length + (order.length % 2)
  let ring = Array.from({ length: size }, (_, place) => place)
  const rounds: Drawing[] = []
  for (let round = 1; round < size; round++) {
    const pairs = ring
      .slice(0, size / 2)
      .map((left, index) => [left, ring.at(-1 - index)!] as const)
    rounds.push({
      boards: pairs.filter(isBoard).map(([left, right]) => {
        const first = firstOf(left, right)
        return [order[first]!, order[first === left ? right : left]!]
      }),
      byes: pairs.flatMap(pair => (isBoard(pair) ? [] : [order[Math.min(...pair)]!])),
    })
    ring = [ring[0]!, ring.at(-1)!, ...ring.slice(1, -1)]
  }
  return rounds

  function isBoard([left, right]: readonly [number, number]) {
    return left < order.length && right < order.length
  }
}

const exchanged = ({ boards, byes }: Drawing): Drawing => ({
  boards: boards.map(accounts => accounts.toReversed()),
  byes,
})
