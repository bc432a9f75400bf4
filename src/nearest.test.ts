import { describe, expect, it } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const options = ['game', 'matches', 'practice', 'opponent']

describe('the nearest name', () => {
  it.each([
    ['pratice', 'practice'],
    ['practise', 'practice'],
    ['matchs', 'matches'],
    ['gmae', 'game'],
    ['Matches', 'matches'],
    ['oponnent', 'opponent'],
    ['rated', undefined],
    ['x', undefined],
    ['', undefined],
    ['p'.repeat(100_000), undefined],
  ])('the nearest name to %.20j is %j', (word, name) => {
    expect(nearest(word, options)).toBe(name)
  })

  it('there is no nearest name in an empty list', () => {
    expect(nearest('game', [])).toBeUndefined()
  })

  it('the suggestion follows the refused word', () => {
    expect(didYouMean('lader', ['ladder', 'matches'])).toBe(' (did you mean ladder?)')
    expect(didYouMean('pratice', options, '--')).toBe(' (did you mean --practice?)')
    expect(didYouMean('frobnicate', options)).toBe('')
  })
})
