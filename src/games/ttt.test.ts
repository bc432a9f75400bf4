import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { illegal, isFinal } from './game.ts'
import { ttt } from './ttt.ts'

type State = ReturnType<typeof ttt.start>

describe('tic-tac-toe', () => {
  it('has 255,168 games, split as has been counted elsewhere', () => {
    const ends = { first: 0, second: 0, draw: 0 }
    const walk = (state: State): void => {
      const status = ttt.status(state)
      if (isFinal(status)) {
        const [mine, theirs] = status.places as [number, number]
        ends[mine < theirs ? 'first' : mine > theirs ? 'second' : 'draw']++
        return
      }
      const seat = status.toMove[0]!
      for (const move of ttt.moves!(state, seat)) walk(ttt.play(state, seat, move) as State)
    }
    walk(ttt.start(1, 2))
    expect(ends).toEqual({ first: 131_184, second: 77_904, draw: 46_080 })
  })

  it('tells what was wrong with a move', () => {
    const state = ttt.play(ttt.start(1, 2), 0, '4') as State
    expect(ttt.play(state, 1, '4')).toEqual(illegal('cell 4 is taken'))
    expect(ttt.play(state, 1, 5)).toEqual(
      illegal('a move is a cell from "0" to "8", row by row, got 5'),
    )
  })

  it('draws the number of a free cell', () => {
    const state = ttt.play(ttt.start(1, 2), 0, '4') as State
    expect(lookText(ttt.look(state, 0))).toBe(
      [' 0 | 1 | 2', '---+---+---', ' 3 |[X]| 5', '---+---+---', ' 6 | 7 | 8'].join('\n'),
    )
  })
})
