import { describe, expect, it } from 'vitest'
import { evenOdd } from './even-odd.ts'
import { illegal, isIllegal, type Json, stateAfter } from './game.ts'

const called = (seed: number, ...calls: string[]) =>
  calls.reduce(
    (state, call, seat) => {
      const next = stateAfter(evenOdd, state, seat, call)
      if (isIllegal(next)) throw new Error(next.reason)
      return next
    },
    evenOdd.start(seed, 2),
  )

describe('even-odd', () => {
  // Seed 1 draws 3, seed 42 draws 2.
  it.each([
    [1, 'odd', 'even', { places: [1, 2], scores: [1, 0], because: '3 is odd, which one called' }],
    [42, 'odd', 'even', { places: [2, 1], scores: [0, 1], because: '2 is even, which one called' }],
    [1, 'odd', 'odd', { places: [1, 1], scores: [1, 1], because: '3 is odd, which both called' }],
    [
      1,
      'even',
      'even',
      { places: [1, 1], scores: [0, 0], because: '3 is odd, which neither called' },
    ],
  ])('seed %i, %s against %s', (seed, a, b, final) => {
    expect(evenOdd.status(called(seed, a, b))).toEqual(final)
  })

  it('draws every number from 1 to 10 and none else', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) => called(seed, 'odd', 'odd')).flatMap(
      state => ('drawn' in state ? [state.drawn] : []),
    )
    expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('does not draw, nor show a call, before both have called', () => {
    const before = evenOdd.start(1, 2)
    const after = called(1, 'odd')
    expect(evenOdd.status(after)).toEqual({ toMove: [1] })
    expect(evenOdd.moves?.(after, 0)).toEqual([])
    for (const viewer of [0, 1, 'audience'] as const)
      expect(evenOdd.view(after, viewer)).toEqual(evenOdd.view(before, viewer))
  })

  it('shows the draw and both calls once they are in', () => {
    expect(evenOdd.view(called(42, 'odd', 'even'), 0)).toEqual({
      round: 1,
      maxRounds: 1,
      scores: [0, 1],
      history: [{ round: 1, choices: ['odd', 'even'], drawn: 2, parity: 'even' }],
    })
  })

  it.each<[Json, string]>([
    ['EVEN', 'a move is "even" or "odd", got "EVEN"'],
    [7, 'a move is "even" or "odd", got 7'],
    [{ parity: 'odd' }, 'a move is "even" or "odd", got an object'],
  ])('refuses %j', (move, reason) => {
    expect(evenOdd.play(evenOdd.start(1, 2), 0, move)).toEqual(illegal(reason))
  })
})
