import { describe, expect, it } from 'vitest'
import { sanitized } from './sanitize.ts'
import { widthOf } from './width.ts'

describe('sanitized text', () => {
  it.each([
    ['keeps ordinary characters', 'Grünfeld, 囲碁 and 😀', 'Grünfeld, 囲碁 and 😀'],
    ['moves no cursor', 'a\x1b[2Jb\x9b1;1Hc', 'a[2Jb1;1Hc'],
    ['sets no title', '\x1b]0;owned\x07x', ']0;ownedx'],
    ['is one line', 'one\r\ntwo\tthree\u2028four', 'one two three four'],
    ['never runs from right to left', 'abc\u202Etxt\u2066.exe\u200F', 'abctxt.exe'],
    ['has no invisible characters', 'a\u200Bb\u00ADc\uFEFFd\u{E0041}e', 'abcde'],
    ['has no halves of characters', 'a\uD800b', 'ab'],
    ['joins no emoji', '👩‍👩‍👧 👍🏽 ☂️', '👩👩👧 👍 ☂'],
    ['piles up no marks', `Z${'\u0335'.repeat(50)}algo`, 'Z\u0335\u0335algo'],
  ])('%s', (_, text, shown) => {
    expect(sanitized(text)).toBe(shown)
  })

  it('has the width that terminals give it', () => {
    expect(widthOf(sanitized('👩‍👩‍👧'))).toBe(6)
    expect(widthOf(sanitized('e\u0301'))).toBe(1)
  })
})
