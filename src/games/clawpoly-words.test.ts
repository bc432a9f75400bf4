import { expect, it } from 'vitest'
import { startOf } from './clawpoly-state.ts'
import { typed, typingNow } from './clawpoly-words.ts'

it('a person reads what there is to type now, and each of it is read', () => {
  const start = startOf('0'.repeat(32), 2)
  const seat = start.current
  const squares = start.squares.with(39, { owner: seat, level: 0, mortgaged: false })
  const roll = { ...start, squares }
  expect(typingNow(roll, seat)).toBe('Type roll, mortgage emper or trade 2: poseid $50 for coral.')
  for (const words of ['mortgage 39', 'mortgage emper', ' Mortgage  EMPER '])
    expect(typed(words)).toEqual({ action: 'mortgage', square: 39 })
  const inPot = start.players.with(seat, { ...start.players[seat]!, inPot: true, position: 10 })
  const pot = { ...start, phase: 'pot', players: inPot } as const
  expect(typingNow(pot, seat)).toBe('Type pay or try.')
  expect(typed('try')).toEqual({ action: 'escape_roll' })
})
