import { expect, it } from 'vitest'
import { commandWords } from './command-words.ts'

it.each([
  ['', []],
  ['  ttt \t --matches 2 ', ['ttt', '--matches', '2']],
  ['ttt --opponent "Dr. Deep Blue 2"', ['ttt', '--opponent', 'Dr. Deep Blue 2']],
  ["ttt --opponent='Dr. Deep Blue 2'", ['ttt', '--opponent=Dr. Deep Blue 2']],
  [`a"b c"'d "e'`, ['ab cd "e']],
  [`"" ''`, ['', '']],
  [`it's "one`, ["it's", '"one']],
])('the words of %j are %j', (text, words) => {
  expect(commandWords(text)).toEqual(words)
})

it('many quotes are read in no time', () => {
  const began = performance.now()
  for (const text of ['"', "'", `"'`, `"a`, `'" `]) commandWords(text.repeat(20_000))
  expect(performance.now() - began).toBeLessThan(500)
})
