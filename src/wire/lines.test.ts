import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import type { WireCode } from '../protocols/codes.ts'
import { Lines, longestLine } from './lines.ts'

type Heard = string | { readonly code: WireCode }

const hear = (chunks: readonly (string | Buffer)[]): Heard[] => {
  const heard: Heard[] = []
  const lines = new Lines(message =>
    heard.push(typeof message === 'string' ? message : { code: message.code }),
  )
  for (const chunk of chunks) lines.feed(Buffer.from(chunk as string))
  lines.end()
  return heard
}

const x = (length: number) => 'x'.repeat(length)
const tooLong = { code: 'line-too-long' }
const bad = { code: 'bad-message' }

describe('lines', () => {
  it.each([
    ['one line', ['{"type":"ping"}\n'], ['{"type":"ping"}']],
    ['many in a chunk', ['a\nb\nc\n'], ['a', 'b', 'c']],
    ['one over many chunks', ['a', 'b', '', 'c\n'], ['abc']],
    ['an end and a beginning in one chunk', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['carriage returns before the line break', ['a\r\nb\r', '\nc\n'], ['a', 'b', 'c']],
    ['a carriage return elsewhere', ['a\rb\n'], ['a\rb']],
    ['empty lines', ['\n\r\na\n\n', '\r', '\n'], ['a']],
    ['no line break at the end', ['a\nb'], ['a', 'b']],
    ['nothing', [], []],
  ])('takes %s', (_, chunks, lines) => {
    expect(hear(chunks)).toEqual(lines)
  })

  it('takes a character that is cut in two', () => {
    const [a, b] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)]
    expect(hear([a!, b!])).toEqual(['é'])
  })

  it('refuses a line that is not UTF-8, and that line alone', () => {
    expect(hear([Buffer.from([0x61, 0xff, 0x0a]), 'b\n'])).toEqual([bad, 'b'])
    expect(hear([Buffer.from([0xe9])])).toEqual([bad])
  })

  it('takes 64 KiB, not counting the line break', () => {
    for (const end of ['\n', '\r\n', ''])
      expect(hear([x(longestLine) + end])).toEqual([x(longestLine)])
    expect(hear([`${x(longestLine)}\r`, '\n', 'b\n'])).toEqual([x(longestLine), 'b'])
  })

  it('refuses one byte more, once, and takes nothing after it', () => {
    expect(hear([`${x(longestLine + 1)}\nb\n`, 'c\n'])).toEqual([tooLong])
    expect(hear([`a\n${x(longestLine)}\rb`, '\nc\n'])).toEqual(['a', tooLong])
    expect(hear([x(longestLine), 'x', 'x\n', 'b\n'])).toEqual([tooLong])
    expect(hear([x(longestLine + 1)])).toEqual([tooLong])
    expect(hear([`${x(longestLine)}\r`, 'x\n'])).toEqual([tooLong])
  })

  it('refuses a line that is too long before its end has come', () => {
    const heard: Heard[] = []
    const lines = new Lines(message => heard.push(message))
    for (let i = 0; i <= longestLine; i++) lines.feed(Buffer.from('x'))
    expect(heard).toMatchObject([tooLong])
  })

  it('hears the same however the bytes are cut', () => {
    const bytes = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom('\n', '\r\n', '\r', x(longestLine - 1), x(longestLine), '\xff'),
        ),
      )
      .map(parts => Buffer.concat(parts.map(part => Buffer.from(part))))
    const cuts = fc.array(fc.nat())
    fc.assert(
      fc.property(bytes, cuts, (bytes, cuts) => {
        const at = cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b)
        const chunks = [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length))
        expect(hear(chunks)).toEqual(hear([bytes]))
      }),
    )
  })

  it('hears what was written, line by line', () => {
    const line = fc.string({ unit: 'binary' }).filter(text => !/[\r\n]/.test(text) && text !== '')
    fc.assert(
      fc.property(fc.array(line), lines => {
        expect(hear([lines.map(text => `${text}\n`).join('')])).toEqual(lines)
      }),
    )
  })
})
