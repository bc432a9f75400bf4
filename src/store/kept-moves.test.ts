import { expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { KeptMoves } from './kept-moves.ts'

const kept = (text: string) => new KeptMoves(() => text, { length: 0, size: text.length })

it('kept moves read one at a time are those that were kept, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.nat(2), (moves, indent) => {
      const text = JSON.stringify(moves, null, indent)
      expect([...kept(text)]).toEqual(JSON.parse(text))
    }),
  )
  const odd = ['"]', '\\', '{', '[[[', '\\"', 'a\\\\"', '', '\u2028', '💥']
  expect([...kept(JSON.stringify(odd))]).toEqual(odd)
})

it('only the move that is asked for is parsed', () => {
  const [first] = kept('[[0,"a",1],[broken')
  expect(first).toEqual([0, 'a', 1])
})
