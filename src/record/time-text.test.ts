import { expect, it } from 'vitest'
import { countText } from './count-text.ts'
import { clockText, dayText, durationText, isoTime, momentText } from './time-text.ts'

it('times, minutes and days are written in UTC', () => {
  const at = Date.UTC(2026, 10, 5, 14, 3, 7, 123)
  expect([isoTime(at), momentText(at), dayText(at)]).toEqual([
    '2026-11-05T14:03:07.123Z',
    '2026-11-05 14:03Z',
    '2026-11-05',
  ])
  expect(isoTime(null)).toBeNull()
})

it.each([
  [0, '0 ms'],
  [349.6, '350 ms'],
  [1_000, '1.0 s'],
  [9_949, '9.9 s'],
  [10_000, '10 s'],
  [119_400, '119 s'],
  [120_000, '2 min'],
])('a duration of %d ms is written as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

it.each([
  [null, '–'],
  [-5, '0:00'],
  [6_001, '0:07'],
  [60_000, '1:00'],
])('a clock with %j ms shows %s', (ms, text) => {
  expect(clockText(ms)).toBe(text)
})

it.each([
  [1, 'match', '1 match'],
  [0, 'match', '0 matches'],
  [2, 'seal', '2 seals'],
  [1_234_567, 'move', '1\u202f234\u202f567 moves'],
] as const)('%d of "%s" are written as "%s"', (n, unit, text) => {
  expect(countText(n, unit)).toBe(text)
})
