import { describe, expect, it } from 'vitest'
import { wordList } from './word-list.ts'

const blocks = wordList('grumble\n\n  Utter   Nonsense \nStraße\nκόσμος\n悪い\n')

describe('a word list', () => {
  it.each([
    'grumble',
    'GRUMBLE!',
    'You "grumble", as ever.',
    'what utter nonsense',
    'utter,\nnonsense',
    'Utter nonsense',
    'ＧＲＵＭＢＬＥ',
    'gr\u200bum\u202eble',
    'STRASSE',
    'strasse',
    'ΚΌΣΜΟΣ',
    'これは悪いです',
  ])('finds a word in %j', text => {
    expect(blocks(text)).toBe(true)
  })

  it.each([
    '',
    'grumbled',
    'grumbles and ungrumble',
    'nonsense, utterly',
    'utter some nonsense',
    'Straßen',
    '悪',
  ])('finds none in %j', text => {
    expect(blocks(text)).toBe(false)
  })

  it('of no words blocks nothing', () => {
    expect(wordList('\n \r\n')('anything at all')).toBe(false)
  })

  it('takes lines as Windows ends them', () => {
    expect(wordList('grumble\r\nmoan\r\n')('they moan')).toBe(true)
  })

  it('may be long', () => {
    const many = wordList(Array.from({ length: 50_000 }, (_, n) => `word${n}`).join('\n'))
    expect([many('a word49999 here'), many('a word50000 here')]).toEqual([true, false])
  })
})
