import { sha256 } from '../games/sha256.ts'

/**
 * A number of 32 bits that is the same whenever it is asked for: the first bytes of SHA-256 over the seed of the event,
 * a space and what the lot is about.
 */
export const lot = (seed: string, about: string): number =>
  new DataView(sha256(text.encode(`${seed} ${about}`)).buffer).getUint32(0)

const text = new TextEncoder()

/** In an order that only the seed knows. */
export const byLot = (seed: string, about: string, list: readonly number[]): number[] => {
  const lots = new Map(list.map(item => [item, lot(seed, `${about} ${item}`)]))
  return list.toSorted((a, b) => lots.get(a)! - lots.get(b)! || a - b)
}
