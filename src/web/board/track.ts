import type { Track, TrackSquare, TrackToken } from '../../games/look.ts'
import { type Point, type Scene, type Shape, seatTone, type Tone } from './scene.ts'

/** Squares around a rectangle as shapes: corners are square, and the others as deep as these. */
export const sceneOfTrack = ({ squares, tokens }: Track): Scene => {
  const side = squares.length / 4
  const length = 2 * deep + (side - 1) * wide
  const places = squares.map((_, i) => placeOf(i, side, length))
  const whole: Point = [length, length]
  return {
    width: length,
    height: length,
    shapes: [
      rect([0, 0], whole, { fill: 'sea', round: 10 }),
      ...squares.map((square, i) => squareShape(square, places[i]!)),
      ...tokens.map((token, i) => {
        const beside = tokens.filter(({ square }) => square === token.square)
        const nth = tokens.slice(0, i).filter(({ square }) => square === token.square).length
        return tokenShape(token, places[token.square]!, nth, beside.length)
      }),
    ],
  }
}

const deep = 116
const wide = 82
/** How deep the band is that has the colour of the group, and the houses. */
const band = 24
/** How deep the strip is that has the colour of the owner. */
const strip = 13

/** Where a square is, and to which of its edges the middle of the board is. */
interface Place {
  readonly at: Point
  readonly size: Point
  readonly inward: 'up' | 'right' | 'down' | 'left' | null
}

const placeOf = (i: number, side: number, length: number): Place => {
  const at = i % side
  const [far, along] = [length - deep, deep + (at - 1) * wide]
  const back = length - along - wide
  if (at === 0) return { at: corners(far)[i / side]!, size: [deep, deep], inward: null }
  if (i < side) return { at: [back, far], size: [wide, deep], inward: 'up' }
  if (i < 2 * side) return { at: [0, back], size: [deep, wide], inward: 'right' }
  if (i < 3 * side) return { at: [along, 0], size: [wide, deep], inward: 'down' }
  return { at: [far, along], size: [deep, wide], inward: 'left' }
}

const corners = (far: number): readonly Point[] => [
  [far, far],
  [0, far],
  [0, 0],
  [far, 0],
]

const squareShape = (square: TrackSquare, { at, size, inward }: Place): Shape => {
  const { name, colour = null, note = '', owner = null, level = 0, mortgaged = false } = square
  const [x, y] = at
  const [width, height] = size
  const isUpright = inward === 'up' || inward === 'down'
  const inner = inward !== null && colour !== null ? edgeOf({ at, size, inward }, band, true) : null
  const outer =
    inward !== null && owner !== null ? edgeOf({ at, size, inward }, strip, false) : null
  // The band and the strip take room from the text; without them it has the middle of the square.
  const top = y + (inward === 'down' ? strip : inward === 'up' ? (colour ? band : strip) : 0)
  const bottom =
    y + height - (inward === 'up' ? strip : inward === 'down' ? (colour ? band : strip) : 0)
  const left = x + (inward === 'right' ? strip : inward === 'left' ? (colour ? band : strip) : 0)
  const right =
    x + width - (inward === 'left' ? strip : inward === 'right' ? (colour ? band : strip) : 0)
  const lines = fitted(name, right - left - 4, inward === null ? 16 : 14)
  const below = note === '' || owner !== null ? [] : [{ text: note, size: 12 }]
  const rows = [...lines, ...below]
  const tall = rows.reduce((sum, row) => sum + row.size * 1.12, 0)
  let down = (top + bottom - tall) / 2
  // Where tokens stand, they cover no name.
  if (isUpright) down = inward === 'up' ? top + 5 : top + 5
  const words = rows.map(({ text, size: letters }, i) => {
    const middle: Point = [(left + right) / 2, down + letters * 0.56]
    down += letters * 1.12
    const tone: Tone = i >= lines.length ? 'edge' : 'black'
    return fine({ kind: 'text', at: middle, size: letters, text, fill: mortgaged ? 'rock' : tone })
  })
  return {
    kind: 'group',
    title: titleOf(square),
    shapes: [
      rect(at, size, { fill: mortgaged ? 'stone' : 'sand', line: 'edge', width: 1.5 }),
      ...(inner ? [rect(...inner, { fill: colour!, line: 'edge', width: 1.5 })] : []),
      ...(outer ? [rect(...outer, { fill: seatTone(owner!), line: 'edge', width: 1.5 })] : []),
      ...(outer && mortgaged ? crossed(at, size) : []),
      ...words,
      ...(inner ? houses(inner, level, isUpright) : []),
    ],
  }
}

/** The part of a square along its inner or outer edge. */
const edgeOf = (
  { at: [x, y], size: [width, height], inward }: Place,
  depth: number,
  isInner: boolean,
) => {
  const upper = (inward === 'up') === isInner
  const left = (inward === 'left') === isInner
  return inward === 'up' || inward === 'down'
    ? ([
        [x, upper ? y : y + height - depth],
        [width, depth],
      ] as const)
    : ([
        [left ? x : x + width - depth, y],
        [depth, height],
      ] as const)
}

/** Up to four houses in a row, or the large building in their middle. */
const houses = (
  [[x, y], [width, height]]: readonly [Point, Point],
  level: number,
  isUpright: boolean,
): readonly Shape[] => {
  const isLarge = level > 4
  const count = isLarge ? 1 : level
  const step = (isUpright ? width : height) / (count + 1)
  return Array.from({ length: count }, (_, i) => {
    const along = isLarge ? (isUpright ? width : height) / 2 : step * (i + 1)
    const [cx, cy] = isUpright ? [x + along, y + height / 2] : [x + width / 2, y + along]
    return house([cx, cy], isLarge)
  }).flat()
}

/** A house, or a castle with two towers. */
const house = ([x, y]: Point, isLarge: boolean): readonly Shape[] => {
  const at = (points: readonly Point[]): readonly Point[] =>
    points.map(([u, v]): Point => [x + u, y + v])
  const points: readonly Point[] = isLarge
    ? [
        [-16, -9],
        [-11, -9],
        [-11, -4],
        [-3, -4],
        [-3, -9],
        [3, -9],
        [3, -4],
        [11, -4],
        [11, -9],
        [16, -9],
        [16, 9],
        [-16, 9],
      ]
    : [
        [0, -8],
        [7, -1.5],
        [7, 8],
        [-7, 8],
        [-7, -1.5],
      ]
  return [
    {
      kind: 'polygon',
      points: at(points),
      fill: isLarge ? 'mark' : 'white',
      line: 'edge',
      width: 1.5,
    },
  ]
}

const crossed = ([x, y]: Point, [width, height]: Point): readonly Shape[] => [
  {
    kind: 'line',
    from: [x + 4, y + 4],
    to: [x + width - 4, y + height - 4],
    line: 'edge',
    width: 2,
  },
]

const tokenRadius = 15

/** A disc with the number of its seat. Several on a square stand beside each other; one that is held is behind bars. */
const tokenShape = (
  { seat, held = false }: TrackToken,
  { at: [x, y], size: [width, height], inward }: Place,
  nth: number,
  count: number,
): Shape => {
  const isUpright = inward === 'up' || inward === 'down'
  const columns = isUpright || inward === null ? Math.min(count, 3) : Math.min(count, 3)
  const row = Math.floor(nth / columns)
  const rows = Math.ceil(count / columns)
  const gap = Math.min(
    tokenRadius * 2 + 1,
    (width - 8 - 2 * tokenRadius) / Math.max(1, columns - 1),
  )
  const cx = x + width / 2 + ((nth % columns) - (columns - 1) / 2) * gap
  const bottom = y + height - (inward === 'up' ? strip : inward === 'down' ? band : 0) - 4
  const cy = bottom - tokenRadius - (rows - 1 - row) * (tokenRadius * 1.6)
  const middle: Point = [cx, cy]
  const bars = [-8, 0, 8].map(
    (by): Shape => ({
      kind: 'line',
      from: [cx + by, cy - tokenRadius],
      to: [cx + by, cy + tokenRadius],
      line: 'black',
      width: 2,
    }),
  )
  return {
    kind: 'group',
    // Pages move what has a key from its old place to the new one.
    key: { name: `token${seat}`, at: middle },
    shapes: [
      {
        kind: 'circle',
        at: middle,
        radius: tokenRadius,
        fill: seatTone(seat),
        line: 'white',
        width: 3,
      },
      { kind: 'text', at: middle, size: 18, text: `${seat}`, fill: 'ground' },
      ...(held ? bars : []),
    ],
  }
}

/** For the pointer that rests on a square. */
const titleOf = ({ name, note, owner = null, level = 0, mortgaged = false }: TrackSquare): string =>
  [
    name,
    ...(note ? [note] : []),
    ...(owner === null ? [] : [`owned by seat ${owner}`]),
    ...(level === 0
      ? []
      : [level > 4 ? 'the large building' : level === 1 ? '1 house' : `${level} houses`]),
    ...(mortgaged ? ['mortgaged'] : []),
  ].join(', ')

interface Row {
  readonly text: string
  readonly size: number
}

/** A name in rows of words. A word that is too long for its row is written smaller. */
const fitted = (name: string, width: number, size: number): readonly Row[] => {
  const most = Math.floor(width / (size * letter))
  const rows: string[] = []
  for (const word of name.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`.trim()
    if (rows.length > 0 && longer.length <= most) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows.map(text => ({ text, size: Math.min(size, width / (text.length * letter)) }))
}

/** How wide a letter is in a proportional font, by its size. */
const letter = 0.54

const rect = (
  at: Point,
  size: Point,
  paint: {
    readonly fill?: Tone
    readonly line?: Tone
    readonly width?: number
    readonly round?: number
  },
): Shape => ({ kind: 'rect', at, size, ...paint })

const fine = (shape: Extract<Shape, { kind: 'text' }>): Shape => ({ ...shape, fine: true })
