import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from './dice.ts'
import { echo } from './echo.ts'
import { illegal, isIllegal, type Json, stateAfter } from './game.ts'

// A table of rounds reads like the table that `draw` makes: seat 0, seat 1.
const played = (...rounds: (readonly [number, number])[]) =>
  rounds.flat().reduce(
    (state, number, i) => {
      const next = stateAfter(echo, state, i % 2, { number })
      if (isIllegal(next)) throw new Error(next.reason)
      return next
    },
    echo.start(1, 2),
  )

describe('echo', () => {
  it.each([
    ['the higher number takes the round', [[3, 9]], [0, 1]],
    ['equal numbers take nothing', [[4, 4]], [0, 0]],
    [
      'a repeated number counts as 0',
      [
        [7, 1],
        [7, 1],
        [7, 2],
      ],
      [1, 1],
    ],
    [
      'two repeats are equal',
      [
        [7, 1],
        [7, 1],
      ],
      [1, 0],
    ],
    [
      'a number may come back after another',
      [
        [7, 1],
        [6, 2],
        [7, 3],
      ],
      [3, 0],
    ],
  ] as const)('%s', (_, rounds, scores) => {
    expect(echo.view(played(...rounds), 'audience').scores).toEqual(scores)
  })

  it.each([
    [
      [
        [9, 1],
        [8, 2],
        [9, 3],
        [1, 4],
        [9, 9],
      ],
      { places: [1, 2], scores: [3, 1], because: '3 rounds to 1' },
    ],
    [
      [
        [1, 9],
        [2, 8],
        [3, 3],
        [3, 3],
        [4, 4],
      ],
      { places: [2, 1], scores: [0, 2], because: '2 rounds to 0' },
    ],
    [
      [
        [1, 9],
        [9, 1],
        [3, 3],
        [4, 4],
        [5, 5],
      ],
      { places: [1, 1], scores: [1, 1], because: '1 round each' },
    ],
  ] as const)('five rounds %j end it', (rounds, final) => {
    expect(echo.status(played(...rounds))).toEqual(final)
  })

  it('waits for both seats, and shows neither what the other has sent', () => {
    const before = played([2, 3])
    const after = stateAfter(echo, before, 1, { number: 8 })
    if (isIllegal(after)) throw new Error(after.reason)
    expect(echo.status(after)).toEqual({ toMove: [0] })
    for (const viewer of [0, 1, 'audience'] as const)
      expect(echo.view(after, viewer)).toEqual(echo.view(before, viewer))
  })

  it.each<[Json, Json]>([
    ['7', { number: 7 }],
    [10, { number: 10 }],
    ['seven', 'seven'],
    [{ number: 3 }, { number: 3 }],
  ])('reads %j as %j', (written, move) => {
    expect(echo.read?.(echo.start(1, 2), 0, written)).toEqual(move)
  })

  it.each<[Json, string]>([
    [{ number: 11 }, 'got 11'],
    [{ number: 2.5 }, 'got 2.5'],
    [{ number: '7' }, 'got "7"'],
    [{}, 'got nothing'],
    [null, 'got null'],
    [[7], 'got a list of 1'],
  ])('refuses %j', (move, words) => {
    expect(echo.play(echo.start(1, 2), 0, move)).toEqual(
      illegal(`a move is {"number":N} with a whole N from 1 to 10, ${words}`),
    )
  })

  it('draws the rounds', () => {
    expect(lookText(echo.look(played([7, 9], [7, 2], [1, 1]), 'audience'))).toBe(
      [
        'Round  seat 0      seat 1  Taken by',
        '1      7                9  seat 1',
        '2      7 again: 0       2  seat 1',
        '3      1                1  neither',
        '4      ·                ·  open',
        'Score  0                2',
      ].join('\n'),
    )
  })

  it('finds moves from 1 to 10', () => {
    const dice = Dice.fromSeed(1)
    const moves = Array.from({ length: 200 }, () => echo.anyMove?.(echo.start(1, 2), 0, dice))
    expect(new Set(moves.map(move => JSON.stringify(move))).size).toBe(10)
  })
})
