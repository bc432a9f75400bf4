import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { BoundedMap } from './bounded-map.ts'

describe('a bounded map', () => {
  it('holds exactly the entries that were set last, the oldest first', () => {
    const act = fc.record({
      kind: fc.constantFrom('set', 'delete', 'get'),
      key: fc.nat(9),
      value: fc.nat(),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(act), (capacity, acts) => {
        const forgotten: number[] = []
        const map = new BoundedMap<number, number>(capacity, key => forgotten.push(key))
        let expected: [number, number][] = []
        const expectedForgotten: number[] = []
        for (const { kind, key, value } of acts) {
          if (kind === 'get') {
            expect(map.get(key)).toBe(expected.find(([other]) => other === key)?.[1])
            continue
          }
          expected = expected.filter(([other]) => other !== key)
          if (kind === 'delete') map.delete(key)
          else {
            map.set(key, value)
            if (expected.length === capacity) expectedForgotten.push(expected[0]![0])
            expected = [...expected, [key, value] as [number, number]].slice(-capacity)
          }
          expect([...map]).toEqual(expected)
          expect(forgotten).toEqual(expectedForgotten)
        }
      }),
    )
  })

  it('forgets nothing when a key that it holds is set again', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3)
    expect([...map]).toEqual([
      ['b', 2],
      ['a', 3],
    ])
  })
})
