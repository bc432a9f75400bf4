import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gameSuite } from '../../test/support/game-suite.ts'
import { type Game, illegal } from '../games/game.ts'
import { type Board, type Piece, seatPart } from '../games/look.ts'
import { draw } from '../web/board/drawing.ts'
import { boardText } from './board-text.ts'
import { lookText, panelText } from './look-text.ts'

/** A game that no renderer knows: two foxes race along a lane with a wall in it. */
type Race = { readonly steps: readonly number[]; readonly toMove: number }

const lane = 4
const race: Game<Race> = {
  id: 'race',
  title: 'Fox Race',
  summary: 'First at the end of the lane.',
  seats: 2,
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: () => ({ steps: [0, 0], toMove: 0 }),
  status: ({ steps, toMove }) => {
    const first = steps.findIndex(step => step === lane - 1)
    return first < 0
      ? { toMove: [toMove] }
      : { places: first === 0 ? [1, 2] : [2, 1], because: 'first at the end' }
  },
  moves: ({ toMove }, seat) => (seat === toMove ? ['run', 'rest'] : []),
  read: (_state, _seat, move) => (typeof move === 'string' ? move.trim().toLowerCase() : move),
  play: ({ steps, toMove }, seat, move) =>
    move !== 'run' && move !== 'rest'
      ? illegal('a move is run or rest')
      : { steps: steps.with(seat, steps[seat]! + (move === 'run' ? 1 : 0)), toMove: 1 - toMove },
  view: ({ steps }) => ({ steps }),
  look: ({ steps }) => ({
    board: {
      surface: 'squares',
      rows: [rowOf('F', steps[0]!), `.#${'.'.repeat(lane - 2)}`, rowOf('f', steps[1]!)],
      pieces: {
        F: { kind: 'token', seat: 0 },
        f: { kind: 'stone', seat: 1, colour: 'white' },
        '#': { kind: 'tile', ground: 'rock' },
      },
      columns: [...'abcd'],
      rowNames: ['1', '2', '3'],
      last: [[steps[0]!, 0]],
      marks: [{ kind: 'ring', cells: [[steps[1]!, 2]], means: 'ahead' }],
      turns: 'free',
    },
    panels: [
      { kind: 'line', text: ['Ahead: ', seatPart(steps[1]! > steps[0]! ? 1 : 0), '.'] },
      {
        kind: 'table',
        head: ['Fox', 'Steps'],
        rows: steps.map((step, seat) => [[seatPart(seat)], step]),
      },
    ],
  }),
}

const rowOf = (mark: string, step: number) => '.'.repeat(step) + mark + '.'.repeat(lane - 1 - step)

const look = race.look({ steps: [2, 1], toMove: 0 }, 'replay')

describe('a new game that is one file', () => {
  gameSuite(race as Game)

  it('is drawn as plain text', () => {
    expect(lookText(look)).toBe(
      [
        '  a b c d',
        '1 . .[F]. 1',
        '2 . # . . 2',
        '3 .(f). . 3',
        '  a b c d',
        '',
        '( ) ahead',
        'Ahead: seat 0.',
        'Fox     Steps',
        'seat 0      2',
        'seat 1      1',
      ].join('\n'),
    )
  })

  it('is drawn in boxes on a rich terminal, without boxes in less space, and from both sides', () => {
    const drawn = (view: object) =>
      boardText(look.board!, { rich: true, ...view }).map(spans =>
        spans.map(({ text }) => text).join(''),
      )
    expect(drawn({})).toEqual([
      '    a   b   c   d',
      '  ┌───┬───┬───┬───┐',
      '1 │   │   │[F]│   │',
      '  ├───┼───┼───┼───┤',
      '2 │   │ # │   │   │',
      '  ├───┼───┼───┼───┤',
      '3 │   │(○)│   │   │',
      '  └───┴───┴───┴───┘',
    ])
    expect(drawn({ height: 5 })[1]).toBe('1 · ·[F]· 1')
    expect(drawn({ height: 5, flipped: true })[3]).toBe('1 ·[F]· · 1')
    expect(drawn({ height: 5, cursor: [3, 1] })[2]).toBe('2 · # ·>·<2')
    // A board that does not fit shows the part around the last move.
    expect(drawn({ width: 6, height: 2 })).toEqual(['  b c', '1 ·[F]'])
    expect(panelText(look, { width: 20, names: ['ann', 'bob'] })).toContain('Ahead: ann.')
  })

  it('is drawn as SVG and HTML with player names and a label for screen readers', () => {
    const { text } = draw({ title: race.title, names: ['ann', '<bob>'] }, look)
    expect(text).toContain('aria-label="Fox Race. Cells by row: ..F. / .#.. / .f...')
    expect(text.match(/class="f-(light|dark)"/g)).toHaveLength(3 * lane)
    for (const part of ['class="f-seat0 ', 'class="f-white ', 'class="f-rock"', 'class="f-hint"'])
      expect(text).toContain(part)
    expect(text).toContain('class="l-mark"')
    expect(text).toContain('<th scope="row"><span class="chip s1">1</span> &lt;bob&gt;<td>1')
  })

  it('has a colour for every piece, ground and mark of a board', () => {
    const sheet = readFileSync(new URL('../web/style.css', import.meta.url), 'utf8')
    const seats = [0, 1, 2, 3, 4, 5]
    const grounds = [
      'fog',
      'grass',
      'bush',
      'stone',
      'gold',
      'berry',
      'water',
      'rock',
      'base',
    ] as const
    const kinds = [
      'stone',
      'cross',
      'ring',
      'king',
      'queen',
      'rook',
      'bishop',
      'knight',
      'pawn',
    ] as const
    const all: Piece[] = [
      ...grounds.map(ground => ({ kind: 'tile', ground }) as const),
      ...kinds.flatMap(kind => seats.map(seat => ({ kind, seat }))),
      ...kinds.map(kind => ({ kind, seat: 1, colour: 'black' }) as const),
      ...seats.map(seat => ({ kind: 'token', seat }) as const),
      { kind: 'star' },
    ]
    const marks = all.map((_, i) => String.fromCodePoint(0x4e00 + i))
    const surfaces = ['squares', 'felt', 'crossings', 'rack', 'fields', 'land'] as const
    for (const surface of surfaces) {
      const board: Board = {
        surface,
        rows: [`${marks.join('')}?`],
        pieces: Object.fromEntries(marks.map((mark, i) => [mark, all[i]!])),
        last: [[0, 0]],
        marks: (['light', 'ring', 'cross'] as const).map(kind => ({
          kind,
          cells: [[1, 0]],
          means: kind,
        })),
      }
      const { text } = draw({ title: 'All', names: [] }, { board })
      const used = new Set(text.match(/[fl]-[a-z]+\d?/g))
      expect(used.size).toBeGreaterThan(10)
      for (const name of used) expect(sheet).toContain(`.${name} {`)
      expect(boardText(board, { rich: true }).length).toBeGreaterThan(0)
    }
  })
})
