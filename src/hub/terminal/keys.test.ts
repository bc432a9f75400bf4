import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { Keys } from './keys.ts'

const typed = (...pieces: (string | Buffer)[]) => {
  const clock = new FakeClock()
  const pressed: string[] = []
  const keys = new Keys(clock, key =>
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
    ['return, however it is sent', ['\r', '\n', '\r\n'], ['<enter>', '<enter>', '<enter>']],
    ['what is pasted, whole', ['\x1b[200~one\ntwo\x1b[A\x1b[201~x'], ['[one\ntwo\x1b[A]', 'x']],
    ['nothing for a sequence that it does not know', ['\x1b[38;5;9zq'], ['q']],
    ['nothing for other controls', ['\x01\x00\x9bq'], ['q']],
  ])('reads %s', (_, pieces, keys) => {
    expect(typed(...pieces)).toEqual(keys)
  })

  it('puts together what comes in pieces', () => {
    expect(typed('\x1b', '[', 'A')).toEqual(['<up>'])
    expect(typed(...[...Buffer.from('囲é')].map(byte => Buffer.from([byte])))).toEqual(['囲', 'é'])
    expect(typed(...'\x1b[200~pasted\x1b[201~!')).toEqual(['[pasted]', '!'])
  })

  it('is not stopped by a sequence without an end', () => {
    expect(typed(`\x1b[${'1'.repeat(100)}`, 'q')).toContain('q')
  })
})
