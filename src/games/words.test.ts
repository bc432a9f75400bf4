import { describe, expect, it } from 'vitest'
import { clip, cut, oneLine, printable, quoted } from './words.ts'

describe('words', () => {
  it.each([
    ['two\nlines', 'twolines'],
    ['red\u001b[31m', 'red[31m'],
    ['half \ud83d', 'half '],
    ['whole 😀', 'whole 😀'],
  ])('prints %j as %j', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('cuts between characters', () => {
    expect(cut('😀😀😀', 2)).toBe('😀😀')
    expect(cut('abc', 3)).toBe('abc')
  })

  it.each([
    ['two\nlines', 'two lines'],
    ['\u001b[2Jgone\u0007\u202e', '[2Jgone'],
    ['😀'.repeat(201), '😀'.repeat(200)],
  ])('makes a reason of %j', (text, expected) => {
    expect(oneLine(text)).toBe(expected)
  })

  it.each([
    [' 4 ', '" 4 "'],
    ['\ufeff4', '"<U+FEFF>4"'],
    ['a\n\u001b[2J', '"a<U+000A><U+001B>[2J"'],
    ['\u00a0\ud83d', '"<U+00A0><U+D83D>"'],
    ['棋😀', '"棋😀"'],
    ['x'.repeat(60_000), `"${'x'.repeat(40)}"…`],
  ])('quotes %j', (text, expected) => {
    expect(quoted(text)).toBe(expected)
  })

  it.each([
    ['a b', 8, 'a b'],
    ['line\n\tbreak', 20, 'line break'],
    ['棋棋棋', 5, '棋棋'],
    ['e\u0301\u202eabc', 3, 'eab'],
  ])('clips %j to %i columns', (text, columns, expected) => {
    expect(clip(text, columns)).toBe(expected)
  })
})
