import type { Board, Cell, Piece } from '../../games/look.ts'
import { chessman } from './pieces.ts'
import { type Point, type Scene, type Shape, seatTone, type Tone } from './scene.ts'

/** A board as shapes; `flipped` shows it from the other side. */
export const sceneOf = (board: Board, flipped = false): Scene => {
  const layout = layoutOf(board, flipped)
  const { margin, below, cell, across, down } = layout
  return {
    width: across * cell + 2 * margin,
    height: down * cell + 2 * margin + below,
    shapes: [
      ...grounds[board.surface](board, layout),
      ...highlights(board, layout),
      ...pieces(board, layout),
      ...overlays(board, layout),
      ...names(board, layout),
    ],
  }
}

interface Layout {
  readonly across: number
  readonly down: number
  /** The width of a cell. */
  readonly cell: number
  /** The space around the board, for names of rows and columns. */
  readonly margin: number
  /** More space below that margin. */
  readonly below: number
  readonly corner: (cell: Cell) => Point
  readonly middle: (cell: Cell) => Point
}

const layoutOf = ({ surface, rows, columns, rowNames }: Board, flipped: boolean): Layout => {
  const [across, down] = [rows[0]!.length, rows.length]
  const cell = surface === 'land' ? 1 : 40
  const isRack = surface === 'rack'
  const margin = isRack ? 4 : columns || rowNames ? 22 : 0
  const corner = ([x, y]: Cell): Point => [
    (flipped ? across - 1 - x : x) * cell + margin,
    (flipped ? down - 1 - y : y) * cell + margin,
  ]
  const middle = (at: Cell): Point => {
    const [left, top] = corner(at)
    return [left + cell / 2, top + cell / 2]
  }
  return { across, down, cell, margin, below: isRack && columns ? 24 : 0, corner, middle }
}

type Ground = (board: Board, layout: Layout) => readonly Shape[]

const cellsOf = ({ rows }: Board): readonly { readonly at: Cell; readonly mark: string }[] =>
  rows.flatMap((row, y) => [...row].map((mark, x) => ({ at: [x, y] as const, mark })))

const squares =
  (tone: (at: Cell) => Tone, lines = {}): Ground =>
  (board, { corner, cell }) =>
    cellsOf(board).map(({ at }) => rect(corner(at), [cell, cell], { fill: tone(at), ...lines }))

const grounds: Readonly<Record<Board['surface'], Ground>> = {
  squares: squares(([x, y]) => ((x + y) % 2 === 0 ? 'light' : 'dark')),
  felt: squares(() => 'felt', { line: 'edge', width: 1 }),

  crossings: (_board, { across, down, cell, margin, middle }) => [
    rect([margin, margin], [across * cell, down * cell], { fill: 'wood' }),
    ...times(across, x => line(middle([x, 0]), middle([x, down - 1]), 'edge', 1)),
    ...times(down, y => line(middle([0, y]), middle([across - 1, y]), 'edge', 1)),
  ],

  rack: (board, { across, down, cell, margin, middle }) => [
    rect([0, 0], [across * cell + 2 * margin, down * cell + 2 * margin], {
      fill: 'board',
      round: 8,
    }),
    ...cellsOf(board).map(({ at }) =>
      circle(middle(at), cell * 0.4, { fill: 'ground', line: 'edge', width: 1 }),
    ),
  ],

  fields: (_board, { across, down, cell }) => [
    ...times(across - 1, x =>
      line([(x + 1) * cell, 4], [(x + 1) * cell, down * cell - 4], 'rule', 2),
    ),
    ...times(down - 1, y =>
      line([4, (y + 1) * cell], [across * cell - 4, (y + 1) * cell], 'rule', 2),
    ),
  ],

  // Runs of equal tiles, because a map may have 10,000 of them.
  land: ({ rows, pieces = {} }, { across, down }) => {
    const runs = new Map<Tone, [number, number, number][]>()
    for (const [y, row] of rows.entries())
      for (let x = 0; x < row.length; ) {
        let n = 1
        while (x + n < row.length && row[x + n] === row[x]) n++
        const piece = pieces[row[x]!]
        if (piece?.kind === 'tile') {
          const tone = tileTones[piece.ground]
          const known = runs.get(tone)
          if (known === undefined) runs.set(tone, [[x, y, n]])
          else known.push([x, y, n])
        }
        x += n
      }
    return [
      rect([0, 0], [across, down], { fill: 'ground' }),
      ...[...runs].map(([fill, cells]): Shape => ({ kind: 'cells', fill, runs: cells })),
    ]
  },
}

/** Below the pieces: light marks, and the last move on boards where pieces do not fill their cells. */
const highlights: Ground = (board, { corner, cell }) => {
  const { surface, last = [], marks = [] } = board
  const isBehind = surface === 'squares' || surface === 'fields'
  const inset = surface === 'fields' ? 3 : 0
  return [
    ...(isBehind ? last : []),
    ...marks.flatMap(({ kind, cells }) => (kind === 'light' ? cells : [])),
  ].map(at => {
    const [x, y] = corner(at)
    const size = cell - 2 * inset
    return rect([x + inset, y + inset], [size, size], { fill: 'hint', round: inset })
  })
}

const pieces: Ground = (board, layout) =>
  cellsOf(board).flatMap(({ at, mark }) => {
    const piece = board.pieces?.[mark]
    if (piece !== undefined) return pieceShapes(piece, mark, at, layout)
    if (mark === '.' || mark === ' ') return []
    return [letter(layout.middle(at), mark, layout.cell * 0.5, 'label')]
  })

const pieceShapes = (piece: Piece, mark: string, cell: Cell, layout: Layout): readonly Shape[] => {
  const at = layout.middle(cell)
  const [x, y] = at
  const size = layout.cell
  switch (piece.kind) {
    case 'stone': {
      const fill = piece.colour ?? seatTone(piece.seat)
      const radius = size * (piece.colour ? 0.44 : 0.4)
      const stone = circle(at, radius, { fill, line: 'edge', width: 1 })
      // A ring tells seat 0 apart without colours.
      return piece.colour || piece.seat !== 0
        ? [stone]
        : [stone, circle(at, size * 0.22, { line: 'edge', width: 2 })]
    }
    case 'cross':
      return crossed(at, size * 0.22, piece.colour ?? seatTone(piece.seat), size * 0.12)
    case 'ring': {
      const tone = piece.colour ?? seatTone(piece.seat)
      return [circle(at, size * 0.25, { line: tone, width: size * 0.12 })]
    }
    case 'star':
      return [dot(at, 'edge', size * 0.09)]
    case 'tile': {
      const fill = tileTones[piece.ground]
      // The ground of a land already shows its tiles.
      return size === 1 ? [] : [rect(layout.corner(cell), [size, size], { fill })]
    }
    case 'token': {
      // On a large board a token is larger than its cell. At the edge it is moved inwards to stay whole.
      const radius = Math.max(size * 0.45, layout.across * size * 0.022)
      const inside = (value: number, length: number) =>
        Math.min(Math.max(value, radius), length * size - radius)
      const whole = [inside(x, layout.across), inside(y, layout.down)] as const
      const middle = layout.margin > 0 ? at : whole
      return [
        circle(middle, radius, { fill: seatTone(piece.seat), line: 'ground', width: radius * 0.2 }),
        letter(middle, mark, radius * 1.3, 'ground'),
      ]
    }
    default:
      return chessman(piece.kind, piece.colour ?? 'white', layout.corner(cell), size)
  }
}

/** Above the pieces: ring and cross marks, and the last move on boards of stones. */
const overlays: Ground = (board, { middle, cell }) => {
  const { surface, rows, last = [], marks = [] } = board
  const of = (kind: string) => marks.flatMap(mark => (mark.kind === kind ? mark.cells : []))
  const pieceAt = ([x, y]: Cell) => board.pieces?.[rows[y]![x]!]
  const lastMark = (at: Cell): Shape => {
    const piece = pieceAt(at)
    if (surface === 'rack' || piece?.kind !== 'stone') return dot(middle(at), 'mark', cell * 0.1)
    const tone = piece.colour === 'black' ? 'white' : 'black'
    return circle(middle(at), cell * 0.22, { line: tone, width: 3 })
  }
  const isOver = surface === 'crossings' || surface === 'felt' || surface === 'rack'
  return [
    ...of('ring').map(at => circle(middle(at), cell * 0.45, { line: 'mark', width: cell * 0.07 })),
    ...of('cross').flatMap(at => crossed(middle(at), cell * 0.2, 'mark', cell * 0.1)),
    ...(isOver ? last.map(lastMark) : []),
  ]
}

const names: Ground = ({ columns, rowNames }, { across, down, cell, margin, below, middle }) => {
  const [bottom, right] = [down * cell + margin * 1.5, across * cell + margin * 1.5]
  const edges = below > 0 ? [down * cell + 2 * margin + below / 2] : [margin / 2, bottom]
  const label = (at: Point, name: string) => letter(at, name, 13, 'label')
  return [
    ...(columns ?? []).flatMap((name, x) => edges.map(y => label([middle([x, 0])[0], y], name))),
    ...(rowNames ?? []).flatMap((name, y) =>
      [margin / 2, right].map(x => label([x, middle([0, y])[1]], name)),
    ),
  ]
}

const tileTones: Readonly<Record<Extract<Piece, { kind: 'tile' }>['ground'], Tone>> = {
  fog: 'faint',
  grass: 'grass',
  bush: 'bush',
  stone: 'stone',
  gold: 'gold',
  berry: 'berry',
  water: 'water',
  rock: 'rock',
  base: 'board',
}

type Paint = { readonly fill?: Tone; readonly line?: Tone; readonly width?: number }

const rect = (at: Point, size: Point, paint: Paint & { readonly round?: number }): Shape => ({
  kind: 'rect',
  at,
  size,
  ...paint,
})

const circle = (at: Point, radius: number, paint: Paint): Shape => ({
  kind: 'circle',
  at,
  radius,
  ...paint,
})

const dot = (at: Point, fill: Tone, radius: number): Shape => circle(at, radius, { fill })

const line = (from: Point, to: Point, tone: Tone, width: number): Shape => ({
  kind: 'line',
  from,
  to,
  line: tone,
  width,
})

const crossed = ([x, y]: Point, reach: number, tone: Tone, width: number): readonly Shape[] =>
  [reach, -reach].map(slope => line([x - reach, y - slope], [x + reach, y + slope], tone, width))

const letter = (at: Point, text: string, size: number, fill: Tone): Shape => ({
  kind: 'text',
  at,
  size,
  text,
  fill,
})

const times = <T>(length: number, make: (n: number) => T): T[] =>
  Array.from({ length }, (_, n) => make(n))
