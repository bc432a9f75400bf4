import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { c4 } from './c4.ts'
import { illegal, isFinal, isIllegal } from './game.ts'

type State = ReturnType<typeof c4.start>

describe('connect four', () => {
  it('has as many positions after each move as have been counted elsewhere', () => {
    let level = new Map([['', c4.start(1, 2)]])
    const counts: number[] = []
    for (let depth = 1; depth <= 7; depth++) {
      const next = new Map<string, State>()
      for (const state of level.values()) {
        const status = c4.status(state)
        if (isFinal(status)) continue
        const seat = status.toMove[0]!
        for (const move of c4.moves!(state, seat)) {
          const after = c4.play(state, seat, move) as State
          next.set(after.board, after)
        }
      }
      counts.push(next.size)
      level = next
    }
    expect(counts).toEqual([7, 49, 238, 1120, 4263, 16422, 54859])
  })

  it.each([
    ['upright', '0101010', [1, 2]],
    ['across', '0011223', [1, 2]],
    ['rising', '01122323363', [1, 2]],
    ['falling', '65544343303', [1, 2]],
    ['for the second seat', '01012121', [2, 1]],
  ])('is won by four %s', (_, moves, places) => {
    expect(c4.status(played(moves))).toEqual({ places, because: 'four in a row' })
    expect(c4.status(played(moves.slice(0, -1)))).toEqual({ toMove: [(moves.length - 1) % 2] })
  })

  it('does not join the end of one row to the start of the next', () => {
    expect(c4.status(played('0516536'))).toEqual({ toMove: [1] })
  })

  it('leaves a full column out, and says so when asked for it', () => {
    const state = played('000000')
    expect(c4.moves!(state, 0)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(c4.play(state, 0, '0')).toEqual(illegal('column 0 is full'))
  })

  it('shows the board from the top, and marks the last stone', () => {
    const state = played('334')
    expect(c4.view(state, 0)).toEqual({
      board: [
        ['.', '.', '.', '.', '.', '.', '.'],
        ['.', '.', '.', '.', '.', '.', '.'],
        ['.', '.', '.', '.', '.', '.', '.'],
        ['.', '.', '.', '.', '.', '.', '.'],
        ['.', '.', '.', 'O', '.', '.', '.'],
        ['.', '.', '.', 'X', 'X', '.', '.'],
      ],
    })
    expect(lookText(c4.look(state, 0))).toBe(
      [
        '  0 1 2 3 4 5 6',
        '| . . . . . . . |',
        '| . . . . . . . |',
        '| . . . . . . . |',
        '| . . . . . . . |',
        '| . . . O . . . |',
        '| . . . X[X]. . |',
        '  0 1 2 3 4 5 6',
      ].join('\n'),
    )
  })
})

function played(moves: string): State {
  let state = c4.start(1, 2)
  let seat = 0
  for (const move of moves) {
    const next = c4.play(state, seat, move)
    if (isIllegal(next)) throw new Error(next.reason)
    state = next
    seat = 1 - seat
  }
  return state
}
