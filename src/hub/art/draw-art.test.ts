import { expect, it } from 'vitest'
import { Canvas } from '../terminal/canvas.ts'
import { Grid } from '../terminal/grid.ts'
import { literal } from '../terminal/palette.ts'
import { drawArt } from './draw-art.ts'

it('draws art in its own colours, each until the next one', () => {
  const grid = new Grid(6, 1)
  const art = '\x1b[1;31ma\x1b[22mb\x1b[96;44mc\x1b[39md\x1b[mE\x1b[2Jf'
  drawArt(new Canvas({ grid, cursor: null }), 0, 0, art)
  expect(String.fromCodePoint(...grid.glyphs)).toBe('abcdEf')
  expect([...grid.styles]).toEqual(
    [
      [9, -1],
      [1, -1],
      [14, 4],
      [-1, 4],
      [-1, -1],
      [-1, -1],
    ].map(([front, back]) => literal(front!, back!)),
  )
})
