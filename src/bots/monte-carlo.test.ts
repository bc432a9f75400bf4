import { expect, it } from 'vitest'
import { Dice } from '../games/dice.ts'
import { echo } from '../games/echo.ts'
import { evenOdd } from '../games/even-odd.ts'
import { type Game, stateAfter } from '../games/game.ts'
import { monteCarlo } from './monte-carlo.ts'

it('in echo the search sends the highest number that is not an echo', () => {
  const lastRound = {
    rounds: [
      [9, 1],
      [1, 9],
      [9, 1],
      [10, 10],
    ],
    sealed: [null, null],
  }
  expect(monteCarlo(echo as Game, lastRound, 0, 2000, Dice.fromSeed(1))).toEqual({ number: 9 })
})

it('a playout is guessed at only after every seat has moved', () => {
  type Round = { readonly sent: readonly number[] }
  const highest: Game<Round> = {
    id: 'highest',
    title: '',
    summary: '',
    seats: 4,
    facts: { turns: 'together', luck: false, secrets: false },
    start: () => ({ sent: [] }),
    status: ({ sent }) => ({ toMove: [sent.length % 4] }),
    moves: () => ['1', '2', '3'],
    play: ({ sent }, _seat, move) => ({ sent: [...sent, Number(move)] }),
    view: () => ({}),
    look: () => ({}),
    // The guess is only defined after a whole round.
    guess: ({ sent }) => (sent.length === 4 ? sent[0]! / 3 : 0),
  }
  expect(monteCarlo(highest as Game, { sent: [] }, 0, 200, Dice.fromSeed(1))).toBe('3')
})

it('the search does not know future dice', () => {
  const calls = Dice.fromSeed(1)
  const right = Array.from({ length: 200 }, (_, i) => {
    const state = evenOdd.start(i, 2)
    const call = monteCarlo(evenOdd as Game, state, 0, 400, calls)
    const other = stateAfter(evenOdd, state, 1, 'even') as typeof state
    const status = evenOdd.status(stateAfter(evenOdd, other, 0, call) as typeof state)
    return 'scores' in status && status.scores![0] === 1
  })
  expect(Math.abs(right.filter(Boolean).length - 100)).toBeLessThan(25)
})
