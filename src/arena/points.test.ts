import { expect, it } from 'vitest'
import type { Json } from '../games/game.ts'
import { messagesIn, pointsFor, wagerOutcome } from './points.ts'

it.each([
  ['a win', [1, 2], 0, [100, 25]],
  ['a draw', [1, 1], 0, [50, 50]],
  ['a win of seat 1', [2, 1], 41, [50, 125]],
  ['nine messages', [1, 2], 9, [122, 47]],
  ['the smallest bonus that is not cut', [1, 2], 1, [102, 27]],
  ['as many messages as count', [1, 1], 10, [75, 75]],
  ['more than count', [1, 1], 11, [75, 75]],
])('%s: places %j with %i messages earn %j', (_, places, messages, earned) => {
  expect(pointsFor(places, messages)).toEqual(earned)
})

it('messages are texts and what players say, not trades, votes and falls', () => {
  const moves: Json[] = [
    'e4',
    { action: 'message', content: 'hello' },
    { action: 'propose', offer: { wood: 1 } },
    { votes: [1, 2] },
    null,
    ['message'],
    7,
  ]
  expect(messagesIn(moves.map((move, i) => [i % 2, move, 10]))).toBe(2)
})

it.each([
  [
    [1, 2],
    ['win', 'loss'],
  ],
  [
    [2, 1],
    ['loss', 'win'],
  ],
  [
    [1, 1],
    ['refund', 'refund'],
  ],
])('a wager on a match with the places %j is settled as %j', (places, outcomes) => {
  expect(places.map((_, seat) => wagerOutcome(places, seat))).toEqual(outcomes)
})
