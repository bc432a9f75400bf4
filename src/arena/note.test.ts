import { expect, it } from 'vitest'
import { readNote } from './note.ts'

it.each([
  [undefined, undefined],
  ['', undefined],
  [' \n\u202e\u0000 ', undefined],
  ['I take the centre', 'I take the centre'],
  ['  two\nlines\r\n\tand a tab ', 'two lines and a tab'],
  ['left\u202eright\u2066 \u001b[31mred\u0007', 'leftright [31mred'],
  ['half \ud83d of it', 'half  of it'],
  ['👍'.repeat(280), '👍'.repeat(280)],
  [`\n${'a'.repeat(280)}\n`, 'a'.repeat(280)],
])('the note %j is kept as %j', (raw, note) => {
  expect(readNote(raw)).toBe(note)
})

it.each([
  [7, 'a note is a string, got "7": send text, or leave it out; the move was not played'],
  [null, 'a note is a string, got "null": send text, or leave it out; the move was not played'],
  [
    { why: 'it is best' },
    'a note is a string, got "{"why":"it is best"}": send text, or leave it out; the move was not played',
  ],
  [
    'a'.repeat(281),
    `a note has at most 280 characters, got 281: "${'a'.repeat(40)}"…; shorten it, or leave it out; the move was not played`,
  ],
])('the note %j is refused', (raw, problem) => {
  expect(readNote(raw)).toEqual({ problem })
})
