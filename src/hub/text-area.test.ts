import { expect, it } from 'vitest'
import { Canvas, type DrawTarget } from './terminal/canvas.ts'
import { Grid } from './terminal/grid.ts'
import type { Key } from './terminal/keys.ts'
import { TextArea } from './text-area.ts'

const type = (area: TextArea, text: string) => {
  for (const char of text) area.press({ kind: 'char', char })
}
const press = (area: TextArea, name: Extract<Key, { kind: 'named' }>['name']) =>
  area.press({ kind: 'named', name })
const drawn = (area: TextArea, columns: number, rows: number) => {
  const target: DrawTarget = { grid: new Grid(columns, rows), cursor: null }
  area.draw(new Canvas(target))
  const lines = Array.from({ length: rows }, (_, y) => target.grid.line(y))
  return { lines, cursor: target.cursor }
}

it('breaks lines at blanks, and words that are longer than a line', () => {
  const area = new TextArea(100)
  type(area, 'one two three abcdefghijklm')
  expect(drawn(area, 11, 6).lines).toEqual([
    'one two',
    'three',
    'abcdefghij',
    'klm',
    '',
    '  27 / 100',
  ])
})

it('keeps the line breaks of a paste, and nothing that a terminal would act on', () => {
  const area = new TextArea(100)
  area.press({ kind: 'paste', text: ' one\r\n\x1b[31mtwo\u202e\u200b\n ' })
  expect(area.text).toBe('one\n[31mtwo')
})

it('takes no more than its length, and says that not all had room', () => {
  const area = new TextArea(5)
  expect(area.press({ kind: 'paste', text: '𝔸𝔹ℂ𝔻' })).toBe(true)
  expect(area.press({ kind: 'paste', text: 'EFG' })).toBe('full')
  expect(area.text).toBe('𝔸𝔹ℂ𝔻E')
  expect(area.press({ kind: 'char', char: 'F' })).toBe('full')
  expect(area.length).toBe(5)
})

it.each([
  ['one character', ['backspace'], 'one two thre'],
  ['a word', ['ctrl w'], 'one two '],
  ['two words', ['ctrl w', 'ctrl w'], 'one '],
  ['all before the cursor', ['left', 'left', 'ctrl u'], 'ee'],
  ['the character after the cursor', ['home', 'delete'], 'ne two three'],
] as const)('deletes %s', (_, keys, left) => {
  const area = new TextArea(100)
  type(area, 'one two three')
  for (const key of keys) press(area, key)
  expect(area.text).toBe(left)
})

it('writes where the cursor is, which goes up and down by the rows that are shown', () => {
  const area = new TextArea(100)
  type(area, 'one two three four')
  expect(drawn(area, 10, 4)).toMatchObject({
    lines: ['one two', 'three', 'four', '18 / 100'.padStart(9)],
    cursor: { x: 4, y: 2 },
  })
  press(area, 'up')
  press(area, 'up')
  type(area, '!')
  expect(area.text).toBe('one !two three four')
  press(area, 'down')
  press(area, 'end')
  type(area, '?')
  expect(area.text).toBe('one !two three? four')
})

it('shows the rows around the cursor where not all have room', () => {
  const area = new TextArea(100)
  type(area, 'aaaa bbbb cccc dddd')
  expect(drawn(area, 5, 3)).toMatchObject({ lines: ['cccc', 'dddd', expect.anything()] })
  for (let i = 0; i < 3; i++) press(area, 'up')
  expect(drawn(area, 5, 3)).toMatchObject({
    lines: ['aaaa', 'bbbb', expect.anything()],
    cursor: { x: 4, y: 0 },
  })
})

it('leaves up and down to what is above it while it is empty', () => {
  const area = new TextArea(100)
  expect(press(area, 'up')).toBe(false)
  type(area, 'x')
  expect(press(area, 'up')).toBe(true)
})
