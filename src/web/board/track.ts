import type { Track, TrackSquare, TrackToken } from '../../games/look.ts'
import { type Point, type Scene, type Shape, seatTone, type Tone } from './scene.ts'

/** Squares around a rectangle as shapes: corners are square, and the others as deep as these. */
export const sceneOfTrack = ({ squares, tokens }: Track, names: readonly string[] = []): Scene => {
  const side = squares.length / 4
  const length = 2 * margin + 2 * deep + (side - 1) * wide
  const places = squares.map((_, i) => placeOf(i, side, length))
  return {
    width: length,
    height: length,
    shapes: [
      { kind: 'rect', at: [0, 0], size: [length, length], fill: 'sea', round: 6 },
      ...tallies(tokens, length),
      ...squares.map((square, i) => squareShape(square, places[i]!, names)),
      ...tokens.map((token, i) => {
        const beside = tokens.filter(({ square }) => square === token.square)
        const nth = tokens.slice(0, i).filter(({ square }) => square === token.square).length
        return tokenShape(token, places[token.square]!, nth, beside.length)
      }),
    ],
  }
}

/** Room for half of the outer lines. */
const margin = 2
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
  const [near, far] = [margin, length - margin - deep]
  const along = near + deep + (at - 1) * wide
  const back = length - along - wide
  if (at === 0) return { at: corners(near, far)[i / side]!, size: [deep, deep], inward: null }
  if (i < side) return { at: [back, far], size: [wide, deep], inward: 'up' }
  if (i < 2 * side) return { at: [near, back], size: [deep, wide], inward: 'right' }
  if (i < 3 * side) return { at: [along, near], size: [wide, deep], inward: 'down' }
  return { at: [far, along], size: [deep, wide], inward: 'left' }
}

const corners = (near: number, far: number): readonly Point[] => [
  [far, far],
  [near, far],
  [near, near],
  [far, near],
]

const squareShape = (square: TrackSquare, place: Place, names: readonly string[]): Shape => {
  const { colour = null, note = '', owner = null, level = 0, mortgaged = false } = square
  const { at, size, inward } = place
  const inner = colour === null ? null : edgeOf(place, band, true)
  const outer = owner === null ? null : edgeOf(place, strip, false)
  const [left, top, width] = textRoom(place, colour !== null)
  const rows = [
    ...fitted(square.name, width, inward === null ? 16 : 13.5),
    ...(note === '' || owner !== null ? [] : [{ text: note, size: 12 }]),
  ]
  // From the top, so that tokens, which stand at the bottom, cover as little of it as possible.
  let down = top
  const words = rows.map(({ text, size }): Shape => {
    const middle: Point = [left + width / 2, down + size * 0.56]
    down += size * 1.12
    return { kind: 'text', at: middle, size, text, fill: mortgaged ? 'label' : 'black', fine: true }
  })
  return {
    kind: 'group',
    title: titleOf(square, names),
    shapes: [
      rect(at, size, mortgaged ? 'faint' : 'sand'),
      ...(inner ? [rect(...inner, colour!)] : []),
      ...(outer ? [rect(...outer, seatTone(owner!))] : []),
      ...(mortgaged ? [diagonal(at, size)] : []),
      ...words,
      ...(inner ? houses(inner, level, inward === 'up' || inward === 'down') : []),
    ],
  }
}

/** Where the text of a square begins, and how wide it may be: beside the band of its colour and the strip of its owner. */
const textRoom = (
  { at: [x, y], size: [width], inward }: Place,
  hasBand: boolean,
): readonly [left: number, top: number, width: number] => {
  const inner = hasBand ? band : strip
  const top = y + 5 + (inward === 'up' ? inner : inward === 'down' ? strip : 0)
  if (inward === 'right') return [x + strip + 2, top, width - strip - inner - 4]
  if (inward === 'left') return [x + inner + 2, top, width - strip - inner - 4]
  return [x + 2, top, width - 4]
}

/** The part of a square along its inner or outer edge; null of a corner. */
const edgeOf = (
  { at: [x, y], size: [width, height], inward }: Place,
  depth: number,
  isInner: boolean,
): readonly [at: Point, size: Point] | null => {
  if (inward === null) return null
  const isUpper = (inward === 'up') === isInner
  const isLeft = (inward === 'left') === isInner
  return inward === 'up' || inward === 'down'
    ? [
        [x, isUpper ? y : y + height - depth],
        [width, depth],
      ]
    : [
        [isLeft ? x : x + width - depth, y],
        [depth, height],
      ]
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
      fill: isLarge ? 'gold' : 'white',
      line: 'edge',
      width: 1.5,
    },
  ]
}

const diagonal = ([x, y]: Point, [width, height]: Point): Shape => ({
  kind: 'line',
  from: [x + 4, y + 4],
  to: [x + width - 4, y + height - 4],
  line: 'rule',
  width: 2,
})

/** What is said about each seat, in large letters in the middle. */
const tallies = (tokens: readonly TrackToken[], length: number): readonly Shape[] => {
  const said = tokens.filter(({ tally }) => tally !== undefined)
  const step = Math.min(120, (length - 2 * deep) / (said.length + 1))
  const first = (length - step * (said.length - 1)) / 2
  return said
    .toSorted((a, b) => a.seat - b.seat)
    .flatMap(({ seat, tally = '' }, i): readonly Shape[] => {
      const y = first + i * step
      const size = step * 0.55
      return [
        {
          kind: 'circle',
          at: [length * 0.32, y],
          radius: size * 0.62,
          fill: seatTone(seat),
          line: 'white',
          width: 4,
        },
        { kind: 'text', at: [length * 0.32, y], size: size * 0.8, text: `${seat}`, fill: 'ground' },
        { kind: 'text', at: [length * 0.58, y], size, text: tally, fill: 'white' },
      ]
    })
}

const radius = 15

/** A disc with the number of its seat. Several on a square stand beside each other; one that is held is behind bars. */
const tokenShape = (
  { seat, held = false }: TrackToken,
  { at: [x, y], size: [width, height], inward }: Place,
  nth: number,
  count: number,
): Shape => {
  const columns = Math.min(count, 3)
  const rows = Math.ceil(count / columns)
  const gap = Math.min(31, (width - 8 - 2 * radius) / Math.max(1, columns - 1))
  const bottom = y + height - 4 - (inward === 'up' ? strip : inward === 'down' ? band : 0)
  const middle: Point = [
    x + width / 2 + ((nth % columns) - (columns - 1) / 2) * gap,
    bottom - radius - (rows - 1 - Math.floor(nth / columns)) * radius * 1.6,
  ]
  return {
    kind: 'group',
    key: { name: `token${seat}`, at: middle },
    shapes: [
      { kind: 'circle', at: middle, radius, fill: seatTone(seat), line: 'white', width: 3 },
      { kind: 'text', at: middle, size: 18, text: `${seat}`, fill: 'ground' },
      ...(held ? bars(middle) : []),
    ],
  }
}

const bars = ([x, y]: Point): readonly Shape[] =>
  [-9, 0, 9].map(by => ({
    kind: 'line',
    from: [x + by, y - radius],
    to: [x + by, y + radius],
    line: 'black',
    width: 2.5,
  }))

/** For the pointer that rests on a square. */
const titleOf = (
  { name, note, owner = null, level = 0, mortgaged = false }: TrackSquare,
  names: readonly string[],
): string =>
  [
    name,
    ...(note ? [note] : []),
    ...(owner === null ? [] : [`owned by ${names[owner] ?? `seat ${owner}`}`]),
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
const letter = 0.56

const rect = (at: Point, size: Point, fill: Tone): Shape => ({
  kind: 'rect',
  at,
  size,
  fill,
  line: 'edge',
  width: 1.5,
})
