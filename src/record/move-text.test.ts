import { expect, it } from 'vitest'
import { moveText, playedLabel } from './move-text.ts'

it.each([
  ['4', '4'],
  [{ type: 'place', position: { row: 3, col: 7 } }, '3,7'],
  [{ action: 'move', direction: 'east', thought: 'gold!', memory: { tick: 21 } }, 'move east'],
  [{ type: 'trade', offer: { wood: 2 }, request: {} }, 'offers 2 wood for nothing'],
  [[1, 2, 0], '1-2-0'],
  ['x'.repeat(41), `${'x'.repeat(39)}…`],
])('the label of the move %j is "%s"', (move, label) => {
  expect(playedLabel([0, move, 5])).toBe(label)
})

it('the label of a forfeit names the fault', () => {
  expect(playedLabel([1, null, 0, 'late'])).toBe('out: late')
})

it('the text of a move is the move as it was sent', () => {
  expect(['e2e4', { row: 1 }].map(moveText)).toEqual(['e2e4', '{"row":1}'])
})
