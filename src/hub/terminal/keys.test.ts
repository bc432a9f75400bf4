import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { fc } from '../../../test/support/properties.ts'
import { type Key, KeyDecoder } from './keys.ts'

const typed = (...pieces: (string | Buffer)[]) => {
  const clock = new FakeClock()
  const pressed: string[] = []
  const keys = new KeyDecoder(clock, key =>
    pressed.push(
      key.kind === 'named' ? `<${key.name}>` : key.kind === 'paste' ? `[${key.text}]` : key.char,
    ),
  )
  for (const piece of pieces) keys.feed(Buffer.from(piece as string))
  clock.pass(1000)
  return pressed
}

describe('keys', () => {
  it.each([
    ['letters of any alphabet', ['aé囲😀'], ['a', 'é', '囲', '😀']],
    ['arrows in both modes', ['\x1b[A\x1bOB'], ['<up>', '<down>']],
    ['arrows held with shift', ['\x1b[1;2C'], ['<right>']],
    [
      'a page and an edge',
      ['\x1b[5~\x1b[6~\x1b[H\x1bOF\x1b[4~'],
      ['<page up>', '<page down>', '<home>', '<end>', '<end>'],
    ],
    ['escape alone', ['\x1b'], ['<escape>']],
    ['escape twice', ['\x1b\x1b'], ['<escape>', '<escape>']],
    ['escape and a letter', ['\x1bx'], ['<escape>', 'x']],
    ['return in all its encodings', ['\r', '\n', '\r\n'], ['<enter>', '<enter>', '<enter>']],
    ['a paste as a whole', ['\x1b[200~one\ntwo\x1b[A\x1b[201~x'], ['[one\ntwo\x1b[A]', 'x']],
    ['nothing for a sequence that it does not know', ['\x1b[38;5;9zq'], ['q']],
    ['nothing for other controls', ['\x01\x00\x9bq'], ['q']],
  ])('reads %s', (_, pieces, keys) => {
    expect(typed(...pieces)).toEqual(keys)
  })

  it('joins keys that arrive in pieces', () => {
    expect(typed('\x1b', '[', 'A')).toEqual(['<up>'])
    expect(typed(...[...Buffer.from('囲é')].map(byte => Buffer.from([byte])))).toEqual(['囲', 'é'])
    expect(typed(...'\x1b[200~pasted\x1b[201~!')).toEqual(['[pasted]', '!'])
  })

  it('goes on after a sequence without an end', () => {
    expect(typed(`\x1b[${'1'.repeat(100)}`, 'q')).toContain('q')
  })

  it('decodes the same keys however the bytes are split', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.constantFrom('\x1b[A', '\x1bOB', '\x1b[1;5C', '\x1b[5~', '\x1b[?1;2c', '\x1b[<0;1;1M'),
      fc.constantFrom(
        '\r',
        '\x7f',
        '\x00',
        '\x9b',
        '\x1bq',
        '\x1b\x1b',
        '\x1b[',
        '\x1bO',
        '\u{ffff}',
      ),
      fc.string().map(text => `\x1b[200~${text}\x1b[201~`),
      fc.uint8Array({ maxLength: 4 }).map(bytes => Buffer.from(bytes).toString('latin1')),
    )
    const cuts = fc.array(fc.nat(), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(piece), cuts, (pieces, cuts) => {
        // Return and line feed are one key or two, depending on where the bytes are split.
        const bytes = Buffer.from(pieces.join('').replaceAll('\n', ''))
        const at = cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b)
        const chunks = [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length))
        expect(typed(...chunks)).toEqual(typed(bytes))
      }),
    )
  })

  it('decodes any bytes into printable characters and known keys', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 })), chunks => {
        for (const key of typed(...chunks.map(chunk => Buffer.from(chunk))))
          if (!key.startsWith('[')) expect(key).not.toMatch(/\p{Cc}/u)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps at most 16 KiB of a paste without an end', () => {
    const pressed: Key[] = []
    const keys = new KeyDecoder(new FakeClock(), key => pressed.push(key))
    keys.feed(Buffer.from('\x1b[200~'))
    for (let i = 0; i < 200; i++) keys.feed(Buffer.alloc(10_000, 'x'))
    keys.feed(Buffer.from('\x1b[201~'))
    expect(pressed).toMatchObject([{ kind: 'paste', text: 'x'.repeat(16 * 1024) }])
  })
})
