import { describe, expect, it } from 'vitest'
import { illegal, isIllegal } from './game.ts'
import { gomoku } from './gomoku.ts'

describe('gomoku', () => {
  it.each([
    ['across', 'H8 A1 I8 B1 J8 C1 K8 D1 L8', [1, 2]],
    ['upright', 'A15 B1 A14 B2 A13 B3 A12 B5 A11', [1, 2]],
    ['rising', 'A1 A2 B2 A3 C3 A4 D4 A5 E5', [1, 2]],
    ['falling', 'O1 A2 N2 A3 M3 A4 L4 A15 K5', [1, 2]],
    ['for the second seat', 'A1 H8 B1 I8 C1 J8 D1 K8 O15 L8', [2, 1]],
    ['and by six', 'A1 O1 B1 O2 C1 O3 E1 O4 F1 A15 D1', [1, 2]],
  ])('is won by five %s', (_, moves, places) => {
    const list = moves.split(' ')
    expect(gomoku.status(played(list))).toEqual({ places, because: 'five in a row' })
    expect(gomoku.status(played(list.slice(0, -1)))).toEqual({ toMove: [(list.length - 1) % 2] })
  })

  it('does not go on from the edge of one row to the next', () => {
    expect(gomoku.status(played('L8 A1 M8 B1 N8 C1 O8 D1 A7'.split(' ')))).toEqual({ toMove: [1] })
  })

  it('counts its rows from the bottom', () => {
    const view = gomoku.view(played(['B15', 'O1']), 0) as { board: string[][]; lastMove: string }
    expect(view.board[0]!.join('')).toBe('.X.............')
    expect(view.board[14]!.join('')).toBe('..............O')
    expect(view.lastMove).toBe('O1')
  })

  it('reads small letters', () => {
    expect(gomoku.read!(played([]), 0, 'h8')).toBe('H8')
  })

  it('tells what was wrong with a move', () => {
    expect(gomoku.play(played(['H8']), 1, 'H8')).toEqual(illegal('H8 is taken'))
    expect(gomoku.play(played([]), 0, 'P1')).toEqual(
      illegal('a move is a point from "A1" to "O15", got "P1"'),
    )
  })
})

function played(moves: readonly string[]): ReturnType<typeof gomoku.start> {
  let state = gomoku.start(1, 2)
  moves.forEach((move, i) => {
    const next = gomoku.play(state, i % 2, move)
    if (isIllegal(next)) throw new Error(next.reason)
    state = next
  })
  return state
}
