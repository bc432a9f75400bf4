import { describe, expect, it } from 'vitest'
import { Dice } from '../games/dice.ts'
import { type Game, isFinal } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { alphaBeta } from './alpha-beta.ts'

describe('at tic-tac-toe', () => {
  it.each([0, 1])('seat %i never loses, whatever the other does', own => {
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

const tictactoe = ttt as Game
