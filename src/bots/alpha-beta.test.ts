import { describe, expect, it } from 'vitest'
import { c4 } from '../games/c4.ts'
import { chess, chessFrom } from '../games/chess.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isFinal } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { alphaBeta } from './alpha-beta.ts'

describe('at tic-tac-toe', () => {
  it.each([0, 1])('in tic-tac-toe seat %i never loses', own => {
    const dice = Dice.fromSeed(7)
    const worst = (state: unknown): number => {
      const status = tictactoe.status(state)
      if (isFinal(status)) return status.places[own]! - status.places[1 - own]!
      const mover = status.toMove[0]!
      const moves =
        mover === own ? [alphaBeta(tictactoe, state, 5000, dice)] : tictactoe.moves!(state, mover)
      return Math.max(...moves.map(move => worst(tictactoe.play(state, mover, move))))
    }
    expect(worst(tictactoe.start(0, 2))).toBe(0)
  })
})

it('the search wins at once where it can, and blocks a win of the other seat', () => {
  const after = (columns: string) =>
    [...columns].reduce<unknown>(
      (state, column, i) => connectFour.play(state, i % 2, column),
      connectFour.start(0, 2),
    )
  expect(alphaBeta(connectFour, after('001122'), 2000, Dice.fromSeed(1))).toBe('3')
  expect(alphaBeta(connectFour, after('00112'), 2000, Dice.fromSeed(1))).toBe('3')
})

it('the search finds a mate in two', () => {
  const state = chessFrom('6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1')
  expect(alphaBeta(chess as Game, state, 5000, Dice.fromSeed(1))).toMatch(/^(a2a7|b1b7)$/)
})

const connectFour = c4 as Game
const tictactoe = ttt as Game
