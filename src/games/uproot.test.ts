import { describe, expect, it } from 'vitest'
import { longestRun } from './grid.ts'
import { safeLayouts } from './uproot.ts'

const width = 9
const boardOf = (...rows: string[]) =>
  rows
    .map(row => row.padEnd(width, '0'))
    .join('')
    .padEnd(width * width, '0')

const slots = [0, 1, 2, 9, 10, 11, 18, 19, 20]

// The same by brute force: every arrangement there is, each looked at on a whole board.
const bruteForce = (board: string, cells: readonly number[]): string[] => {
  const values = cells.map(cell => board[cell]!)
  const all = new Set([''])
  for (const _ of values) for (const text of [...all]) for (const v of '012') all.add(text + v)
  return [...all]
    .filter(text => text.length === cells.length && sorted(text) === sorted(values.join('')))
    .filter(text => text !== values.join(''))
    .filter(text => {
      const next = [...board]
      cells.forEach((cell, i) => {
        next[cell] = text[i]!
      })
      return next.every((v, cell) => v === '0' || longestRun(next.join(''), width, cell) < 5)
    })
    .sort()
}

const sorted = (text: string) => [...text].sort().join('')

describe('safe layouts', () => {
  it.each([
    ['one stone has eight other cells', boardOf('1'), slots],
    ['three of each', boardOf('111', '222'), slots],
    ['nothing to move', boardOf('', '', '', '', '1'), slots],
    ['all alike', boardOf('111', '101', '111'), slots],
    ['no five across', boardOf('1001111'), [0, 1, 2]],
    ['no five for either colour', boardOf('1201111', '0002222'), [0, 1, 2, 9, 10, 11]],
    ['no five downwards, through two slots', boardOf('11', '', '', '1', '1', '1'), slots],
    ['no five aslant', boardOf('110', '000', '000', '0001', '00001', '000001'), slots],
    ['cells that are left out stand still', boardOf('1001111', '2'), [0, 1, 9, 10]],
  ])('%s', (_, board, cells) => {
    expect(safeLayouts(board, width, cells).map(layout => layout.join(''))).toEqual(
      bruteForce(board, cells),
    )
  })

  it('leave out what would make five', () => {
    expect(safeLayouts(boardOf('1001111'), width, [0, 1, 2])).toEqual([[0, 1, 0]])
  })
})
