import { expect, it } from 'vitest'
import { pointsText } from './event-text.ts'

it.each([
  [0, '0'],
  [0.25, '¼'],
  [0.5, '½'],
  [13.75, '13¾'],
  [12, '12'],
  [1.3333333333333333, '1.33'],
])('%d points are written %s', (points, text) => {
  expect(pointsText(points)).toBe(text)
})
