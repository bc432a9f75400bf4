import { describe, expect, it } from 'vitest'
import { mapOf, mapSize } from './rush-map.ts'

describe('the map of resource-rush', () => {
  it.each([
    [1, [8424, 494, 276, 46, 198, 320, 240, 2], '1dbd23d3'],
    [42, [8446, 498, 288, 46, 160, 320, 240, 2], 'abd41657'],
  ])('seed %i grows the published land', (seed, counts, hash) => {
    const map = mapOf(seed)
    expect(counts.map((_, code) => map.split(`${code}`).length - 1)).toEqual(counts)
    expect(fnv1a(map)).toBe(hash)
  })

  it('looks the same from either side, whatever the seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const map = mapOf(seed)
      expect(map).toHaveLength(mapSize * mapSize)
      expect([...map].reverse().join('')).toBe(map)
    }
  })
})

const fnv1a = (map: string) =>
  [...map]
    .reduce((hash, code) => Math.imul(hash ^ Number(code), 0x01000193) >>> 0, 0x811c9dc5)
    .toString(16)
