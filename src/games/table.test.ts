import { expect, it } from 'vitest'
import { table } from './table.ts'

it('sets every column to the right, as wide as its widest cell', () => {
  expect(
    table([
      ['round', 'you', ''],
      [1, 'rock', 'lost'],
    ]),
  ).toBe('round   you\n    1  rock  lost')
})
