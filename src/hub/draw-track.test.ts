import { describe, expect, it } from 'vitest'
import { trackLook } from '../../test/support/track-look.ts'
import { drawMatch } from './draw-match.ts'
import { Canvas } from './terminal/canvas.ts'
import { Grid } from './terminal/grid.ts'

const names = ['ann', 'bob', 'a very long name of an agent', 'dan', 'eve', 'fay']

const screen = (columns: number, rows: number, input = false) => {
  const grid = new Grid(columns, rows)
  const seats = names.map((name, seat) => ({
    ...{ name, rating: 1500, protocol: null, toMove: seat === 2 },
    clock: seat === 2 ? 12_000 : null,
  }))
  drawMatch(
    new Canvas({ grid, cursor: null }),
    { look: trackLook, seats, moves: [], ply: 0, messages: ['Move 3 of 9', 'Friday'], note: null },
    {},
    input ? part => part.text(0, 1, 'Move:') : null,
  )
  return Array.from({ length: rows }, (_, y) => grid.line(y).trimEnd())
}

describe('a match on a track', () => {
  it('is complete on 80 × 24: board, money, whose turn it is, clock, newest events', () => {
    const lines = screen(78, 21)
    expect(lines[0]).toBe(`┌${'──────┬'.repeat(10)}──────┐`)
    expect(lines[18]).toBe(`└${'──────┴'.repeat(10)}──────┘`)
    expect(lines.slice(5, 14).map(line => line.slice(20, 58).trimEnd())).toEqual([
      ' 0 ann                100    1000',
      ' 1 bob                 90    1001',
      '▸2 a very long na…     80    1002 0:12',
      ' 3 dan                 70    1003',
      ' 4 eve                 60    1004',
      ' 5 fay                 50    1005',
      'a very long… pays bob $3.',
      'a very long… pays bob $4.',
      'a very long… pays bob $5.',
    ])
    expect(lines.slice(19)).toEqual([
      'Turn 43. a very long nam… may build.',
      'Move 3 of 9 · Friday',
    ])
  })

  it('leaves two rows for the input of a player', () => {
    const lines = screen(78, 21, true)
    expect(lines[16]).toMatch(/^└/)
    expect(lines[17]).toBe('Turn 43. a very long nam… may build.')
    expect(lines[20]).toBe('Move:')
  })

  it('has moves beside it and the chart below where there is more space', () => {
    const lines = screen(118, 41)
    expect(lines[2]).toContain('▸ a very long name of an a… 1500  0:12')
    expect(lines.some(line => line.startsWith('Money from turn 0 to 4'))).toBe(true)
    expect(lines.some(line => /^fay .*█▅▁ 50/.test(line))).toBe(true)
  })

  it('has standings and events below it on a narrow screen', () => {
    const lines = screen(38, 40)
    expect(lines[0]).toBe(`┌${'──┬'.repeat(10)}──┐`)
    expect(lines.find(line => line.startsWith('▸2'))).toMatch(/^▸2 a very long na… +80 +1002 0:12$/)
    expect(lines).toContain('a very long… pays bob $5.')
  })
})
