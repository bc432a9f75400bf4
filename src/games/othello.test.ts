import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { illegal, isFinal, isIllegal } from './game.ts'
import { othello } from './othello.ts'

type State = ReturnType<typeof othello.start>

describe('othello', () => {
  it('has as many lines of each length as have been published', () => {
    const lines = (state: State, depth: number): number => {
      const status = othello.status(state)
      if (isFinal(status)) return 1
      const seat = status.toMove[0]!
      const listed = othello.moves!(state, seat)
      if (depth === 1) return listed.length
      return listed.reduce(
        (sum, move) => sum + lines(othello.play(state, seat, move) as State, depth - 1),
        0,
      )
    }
    const counts = [1, 2, 3, 4, 5, 6, 7, 8].map(depth => lines(othello.start(1, 2), depth))
    expect(counts).toEqual([4, 12, 56, 244, 1396, 8200, 55092, 390216])
  })

  it('counts its rows from the top', () => {
    const state = played('d3')
    expect(othello.view(state, 0).lastMove).toBe('d3')
    expect(lookText(othello.look(state, 0))).toBe(
      [
        '  a b c d e f g h',
        '1 . . . . . . . . 1',
        '2 . . . . . . . . 2',
        '3 . . .[X]. . . . 3',
        '4 . . . X X . . . 4',
        '5 . . . X O . . . 5',
        '6 . . . . . . . . 6',
        '7 . . . . . . . . 7',
        '8 . . . . . . . . 8',
        '  a b c d e f g h',
      ].join('\n'),
    )
  })

  it('turns stones in several directions at once', () => {
    const before = at('XOO.O.X.', '..OOO...', '.X.X.O..', '........')
    const after = othello.play(before, 0, 'd1') as State
    expect(after.board.slice(0, 32).match(/.{8}/g)).toEqual([
      'XXXXO.X.',
      '..XXO...',
      '.X.X.O..',
      '........',
    ])
  })

  it('passes only when it must, and ends when neither can move', () => {
    const stuck = at('OX......', 'X.......')
    expect(othello.status(stuck)).toEqual({ toMove: [0] })
    expect(othello.moves!(stuck, 0)).toEqual(['pass'])
    expect(othello.play(stuck, 0, 'c1')).toEqual(illegal('c1 encloses no stone'))
    const passed = othello.play(stuck, 0, 'pass') as State
    expect(othello.moves!(passed, 1)).toEqual(['c1', 'a3'])
    expect(othello.play(passed, 1, 'pass')).toEqual(
      illegal('you may pass only when you have no other move'),
    )
    expect(othello.status(at('XX.O....', ''))).toEqual({
      places: [1, 2],
      scores: [2, 1],
      because: 'nobody can move, 2 stones to 1',
    })
    expect(othello.status(at('X..O....', ''))).toMatchObject({ places: [1, 1] })
  })

  it('tells what was wrong with a move', () => {
    expect(othello.play(played('d3'), 1, 'd3')).toEqual(illegal('d3 is taken'))
    expect(othello.play(played(), 0, 'i9')).toEqual(
      illegal('a move is a cell from "a1" to "h8", or "pass", got "i9"'),
    )
  })

  it('reads capital letters', () => {
    expect(othello.read!(played(), 0, 'D3')).toBe('d3')
    expect(othello.read!(played(), 0, 'PASS')).toBe('pass')
  })
})

/** Black to move, these rows on top and nothing below. */
const at = (...rows: string[]): State => ({
  board: rows.join('').padEnd(64, '.'),
  toMove: 0,
  last: null,
})

function played(...moves: string[]): State {
  let state = othello.start(1, 2)
  moves.forEach((move, i) => {
    const next = othello.play(state, i % 2, move)
    if (isIllegal(next)) throw new Error(next.reason)
    state = next
  })
  return state
}
