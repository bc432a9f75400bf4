import { describe, expect, it } from 'vitest'
import { trackLook } from '../../test/support/track-look.ts'
import { lookText, panelText } from './look-text.ts'
import { trackText } from './track-text.ts'

const track = trackLook.track!

const drawn = (view: object) =>
  trackText(track, view).lines.map(spans => spans.map(({ text }) => text).join(''))

describe('a track', () => {
  it('of forty squares fits 78 × 19 with names, prices, owners, houses and tokens', () => {
    expect(drawn({ rich: true, width: 78, height: 19 })).toEqual([
      '┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┐',
      '│SQ20  │SQ21  │SQ22  │SQ23  │SQ24  │SQ25  │SQ26  │SQ27  │SQ28  │SQ29  │SQ30  │',
      '│$20   │$21   │$22   │$23   │2 ▪▪  │$25   │$26   │$27   │$28   │$29   │$30   │',
      '│      │      │      │      │●23   │      │      │      │      │      │      │',
      '├──────┴──────┼──────┴──────┴──────┴──────┴──────┴──────┴──────┼──────┴──────┤',
      '│SQ19   $19   │                                                │SQ31   $31   │',
      '│SQ18   $18   │                                                │SQ32   $32   │',
      '│SQ17   $17   │                                                │SQ33   $33   │',
      '│SQ16   $16   │                                                │SQ34   $34   │',
      '│SQ15   $15   │                                                │SQ35   $35   │',
      '│SQ14   $14   │                                                │SQ36   $36   │',
      '│SQ13   $13   │●4                                          ●5  │SQ37   $37   │',
      '│SQ12   5 mtg │                                                │SQ38   $38   │',
      '│SQ11   1 ▪▪▪▪│                                                │SQ39   3     │',
      '├──────┬──────┼──────┬──────┬──────┬──────┬──────┬──────┬──────┼──────┬──────┤',
      '│SQ10  │SQ9   │SQ8   │SQ7   │SQ6   │SQ5   │SQ4   │SQ3   │SQ2   │SQ1   │SQ0   │',
      '│$10   │$9    │$8    │$7    │$6    │$5    │$4    │$3    │$2    │0 ◆   │$0    │',
      '│●1(0) │      │      │      │      │      │      │      │      │      │      │',
      '└──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┘',
    ])
  })

  it('gives names the colours of their groups, and owners and tokens those of their seats', () => {
    const spans = trackText(track, { rich: true, width: 78, height: 19 }).lines.flat()
    const roleOf = (text: string) => spans.find(span => span.text.trim() === text)?.role
    expect(roleOf('SQ24')).toBe('navy')
    expect(roleOf('SQ20')).toBe('text')
    expect(roleOf('1 ▪▪▪▪')).toBe('second')
    expect(roleOf('4')).toBe('fifth')
  })

  it('is drawn smaller where there is less space, with its middle left free', () => {
    for (const [width, height] of [
      [80, 24],
      [78, 17],
      [58, 16],
      [45, 15],
      [36, 15],
    ] as const) {
      const lines = drawn({ rich: true, width, height })
      expect(lines.length).toBeLessThanOrEqual(Math.max(15, height))
      for (const line of lines) expect(line.length).toBe(lines[0]!.length)
      expect(lines[0]!.length).toBeLessThanOrEqual(width)
      const { middle } = trackText(track, { rich: true, width, height })
      for (let y = middle.y; y < middle.y + middle.height; y++)
        expect(lines[y]!.slice(middle.x, middle.x + middle.width).trim()).toBe('')
    }
  })

  it('has a token on each square, whatever space there is', () => {
    for (const width of [78, 58, 36]) {
      const text = drawn({ rich: true, width, height: 15 }).join('\n')
      // The numbers in names and prices are those of squares: what is left are owners and tokens.
      const row = text.split('\n').find(line => line.includes('23'))
      expect(row).toBeDefined()
      expect(text).toMatch(/1\(?0/)
    }
  })

  it('of few squares is drawn, too', () => {
    const small = { squares: track.squares.slice(0, 8), tokens: [{ seat: 1, square: 3 }] }
    const { lines } = trackText(small, { rich: true, width: 40, height: 12 })
    expect(lines.map(spans => spans.map(({ text }) => text).join(''))).toEqual([
      '┌──────┬──────┬──────┐',
      '│SQ4   │SQ5   │SQ6   │',
      '│$4    │$5    │$6    │',
      '│      │      │      │',
      '├──────┼──────┼──────┤',
      '│SQ3 $3│●1    │SQ7 $7│',
      '├──────┼──────┼──────┤',
      '│SQ2   │SQ1   │SQ0   │',
      '│$2    │0 ◆   │$0    │',
      '│      │      │      │',
      '└──────┴──────┴──────┘',
    ])
  })

  it('is plain text with its panels below', () => {
    const lines = lookText(trackLook).split('\n')
    expect(lines.every(line => /^[ -~]{0,80}$/.test(line))).toBe(true)
    expect(lines[0]).toBe(`+${'------+'.repeat(11)}`)
    expect(lines).toContain(
      '|SQ11   1 ^^^^|                                                |SQ39   3     |',
    )
    expect(lines.slice(20)).toEqual([
      'Turn 43. seat 2 may build.',
      'Player  Money  Wealth  Squares  State',
      'seat 0    100    1000        0  in',
      'seat 1     90    1001        1  in',
      'seat 2     80    1002        2  in',
      'seat 3     70    1003        3  in',
      'seat 4     60    1004        4  in',
      'seat 5     50    1005        5  in',
      'seat 2 pays seat 1 $1.',
      'seat 2 pays seat 1 $2.',
      'seat 2 pays seat 1 $3.',
      'seat 2 pays seat 1 $4.',
      'seat 2 pays seat 1 $5.',
      'Money by turn    0    2    4',
      'seat 0         100  100  100',
      'seat 1         100   95   90',
      'seat 2         100   90   80',
      'seat 3         100   85   70',
      'seat 4         100   80   60',
      'seat 5         100   75   50',
    ])
  })
})

describe('a chart', () => {
  const chart = (numbers: readonly number[], width: number) =>
    panelText(
      { panels: [{ kind: 'chart', title: 'Money', along: 'turn', step: 1, lines: [numbers] }] },
      { width, rich: true, names: ['ann'] },
    )

  it('is a line of bars for each seat, with the newest number', () => {
    expect(chart([0, 50, 100], 40)).toEqual(
      ['Money from turn 0 to 2, between 0 and 100:', 'ann  ▁▅█ 100'].map(line => line.slice(0, 40)),
    )
  })

  it('of more points than columns keeps the first and the last', () => {
    const [, line] = chart([...Array(99).fill(0), 100], 30)
    expect(line).toMatch(/^ann {2}▁+█ 100$/)
    expect(line!.length).toBeLessThanOrEqual(30)
  })

  it('without a point is left out', () => {
    expect(chart([], 30)).toEqual([])
  })
})
