import { expect, it } from 'vitest'
import type { Fault } from './ending.ts'
import { keepsFailing } from './failing.ts'

const faults: Readonly<Record<string, Fault | null>> = {
  l: 'late',
  i: 'illegal',
  g: 'gone',
  r: 'resigned',
  '-': null,
}

/** "l1" is a match against account 1 in which the bot was late. The newest is first. */
const fails = (row: string) =>
  keepsFailing(
    row
      .split(' ')
      .map(one => ({ fault: faults[one[0]!]!, against: [...one.slice(1)].map(Number) })),
    5,
  )

it.each([
  ['five in a row against three', 'l1 i2 l3 l1 i2', true],
  ['four', 'l1 i2 l3 l1', false],
  ['five against two', 'l1 i2 l1 l2 i2', false],
  ['a longer row that has a third further back', 'l1 i2 l1 l2 i2 l3', true],
  ['at one table with several', 'l123 l123 l123 l123 i123', true],
  ['a row that is over', '-1 l1 i2 l3 l1 i2', false],
  ['a row that a good match interrupts', 'l1 i2 -3 l3 l1 i2', false],
  ['a row that a resignation interrupts', 'l1 i2 r3 l3 l1 i2', false],
  ['a row with lost connections in it', 'g4 l1 i2 g4 l3 l1 g5 i2', true],
  ['lost connections', 'g1 g2 g3 g1 g2 g3', false],
])('%s (%s): keeps failing is %s', (_, row, expected) => {
  expect(fails(row)).toBe(expected)
})
