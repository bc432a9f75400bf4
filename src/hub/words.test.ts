import { expect, it } from 'vitest'
import { playedText } from './words.ts'

it.each([
  ['4', '4'],
  [{ type: 'place', position: { row: 3, col: 7 } }, 'place 3 7'],
  [{ action: 'move', direction: 'east', thought: 'gold!', memory: { tick: 21 } }, 'move east'],
])('tells of a move %j what it does', (move, text) => {
  expect(playedText([0, move, 5])).toBe(text)
})
