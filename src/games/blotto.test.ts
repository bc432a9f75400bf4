import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { blotto } from './blotto.ts'
import { Dice } from './dice.ts'
import { illegal, isIllegal, type Json, stateAfter } from './game.ts'

// One round as people write it: "4-0-3-0-3 2-2-2-2-2", seat 0 first.
const played = (...rounds: string[]) =>
  rounds
    .flatMap(round => round.split(' '))
    .reduce(
      (state, allocation, i) => {
        const next = stateAfter(blotto, state, i % 2, {
          allocation: allocation.split('-').map(Number),
        })
        if (isIllegal(next)) throw new Error(next.reason)
        return next
      },
      blotto.start(1, 2),
    )

describe('blotto', () => {
  it.each([
    ['three fields take the round', '4-0-3-0-3 2-2-2-2-2', [3, 2], 0],
    ['equal soldiers tie a field', '2-2-2-2-2 2-2-2-2-2', [0, 0], null],
    ['two fields to one take nothing', '4-4-2-0-0 2-2-2-2-2', [2, 2], null],
    ['two fields to none take nothing', '5-5-0-0-0 2-2-0-0-6', [2, 1], null],
    ['all on one field loses the rest', '10-0-0-0-0 2-2-2-2-2', [1, 4], 1],
  ])('%s', (_, round, fieldsWon, winner) => {
    const allocations = round.split(' ').map(side => side.split('-').map(Number))
    expect(blotto.view(played(round), 'audience').history).toEqual([
      { round: 1, allocations, fieldsWon, winner },
    ])
  })

  it.each([
    [4, 1, { places: [1, 2], scores: [4, 1], because: '4 rounds to 1' }],
    [0, 1, { places: [2, 1], scores: [0, 1], because: '1 round to 0' }],
    [2, 2, { places: [1, 1], scores: [2, 2], because: '2 rounds each' }],
  ])('after five rounds, %i to %i, it is over', (wins, losses, final) => {
    const even = 5 - wins - losses
    const rounds = [
      ...Array(wins).fill('4-0-3-0-3 2-2-2-2-2'),
      ...Array(losses).fill('2-2-2-2-2 4-0-3-0-3'),
      ...Array(even).fill('2-2-2-2-2 2-2-2-2-2'),
    ]
    expect(blotto.status(played(...rounds))).toEqual(final)
  })

  it('waits for both seats, and shows neither what the other has sent', () => {
    const before = played('4-0-3-0-3 2-2-2-2-2')
    const after = stateAfter(blotto, before, 0, { allocation: [1, 2, 3, 4, 0] })
    if (isIllegal(after)) throw new Error(after.reason)
    expect(blotto.status(after)).toEqual({ toMove: [1] })
    for (const viewer of [0, 1, 'audience'] as const)
      expect(blotto.view(after, viewer)).toEqual(blotto.view(before, viewer))
  })

  it.each<[Json, string]>([
    ['4-0-3-0-3', 'a move is {"allocation":[…]}, got "4-0-3-0-3"'],
    [{}, 'allocation must be 5 whole numbers that add up to 10, got nothing'],
    [
      { allocation: [5, 5] },
      'allocation must be 5 whole numbers that add up to 10, got a list of 2',
    ],
    [
      { allocation: [2, 2, 2, 2, 1] },
      'allocation must be 5 whole numbers that add up to 10, got a sum of 9',
    ],
    [
      { allocation: [11, -1, 0, 0, 0] },
      'allocation must be 5 whole numbers that add up to 10, got 11',
    ],
    [
      { allocation: [2.5, 2.5, 5, 0, 0] },
      'allocation must be 5 whole numbers that add up to 10, got 2.5',
    ],
    [
      { allocation: [10, 0, 0, 0, null] },
      'allocation must be 5 whole numbers that add up to 10, got null',
    ],
  ])('refuses %j', (move, reason) => {
    expect(blotto.play(blotto.start(1, 2), 0, move)).toEqual(illegal(reason))
  })

  it('keeps no sign with nothing', () => {
    const state = blotto.play(blotto.start(1, 2), 0, { allocation: [10, -0, 0, 0, 0] })
    expect(state).toEqual(JSON.parse(JSON.stringify(state)))
  })

  it('draws the rounds', () => {
    expect(
      lookText(blotto.look(played('4-0-3-0-3 2-2-2-2-2', '2-2-2-2-2 2-2-2-2-2'), 'audience')),
    ).toBe(
      [
        'Round     seat 0     seat 1  Taken by',
        '1      4 0 3 0 3  2 2 2 2 2  seat 0',
        '2      2 2 2 2 2  2 2 2 2 2  neither',
        '3              ·          ·  open',
        'Score          1          0',
      ].join('\n'),
    )
  })

  it('finds moves that are legal', () => {
    const dice = Dice.fromSeed(1)
    for (let i = 0; i < 100; i++) {
      const move = blotto.anyMove?.(blotto.start(1, 2), 0, dice) ?? null
      expect(blotto.play(blotto.start(1, 2), 0, move)).not.toSatisfy(isIllegal)
    }
  })
})
