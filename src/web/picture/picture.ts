import { BoundedMap } from '../../limits/bounded-map.ts'
import { ratingText } from '../../record/rating-text.ts'
import { resultText } from '../../record/result-text.ts'
import { inSlices } from '../../scheduling/sliced-text.ts'
import { boardScene } from '../board/drawing.ts'
import type { Tone } from '../board/scene.ts'
import { type ShownMatch, titleOf } from '../context.ts'
import { summarizeReplay } from '../replay.ts'
import { Canvas } from './canvas.ts'
import { pngOf } from './png.ts'

const width = 1200
const height = 630

/** The preview pictures of matches. The newest `maxKept` are kept. */
export class Pictures {
  readonly #kept = new BoundedMap<string, Promise<Buffer>>(maxKept)

  of(shown: ShownMatch): Promise<Buffer> {
    const key = `${shown.match.id} ${shown.replay.moves.length} ${shown.live === null}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const picture = pictureOf(shown)
    this.#kept.set(key, picture)
    return picture
  }
}

const maxKept = 100

/** The picture that a link preview of a match shows: its board, its players and its result. */
const pictureOf = async ({ match, ratings, replay, live }: ShownMatch): Promise<Buffer> => {
  const look =
    live === null ? (await inSlices(summarizeReplay(replay, replay.moves.length))).look : live.look
  const canvas = new Canvas(width, height, 'ground')
  const board = boardScene(look)
  if (board !== null) {
    const scale = (height - 40) / Math.max(board.width, board.height)
    const at = [
      20 + (height - 40 - board.width * scale) / 2,
      20 + (height - 40 - board.height * scale) / 2,
    ] as const
    canvas.draw(board.shapes, at, scale)
  } else
    for (const [seat, { score }] of match.players.entries())
      canvas.write(String(score ?? '-'), [120 + seat * 260, 220], 36, `seat${seat % 6}` as Tone)
  let y = 80
  const line = (text: string, maxDot: number, tone: Tone) => {
    const dot = Math.max(3, Math.min(maxDot, Math.floor(520 / (4 * text.length))))
    canvas.write(text, [650, y], dot, tone)
    y += dot * 5 + 28
  }
  line(titleOf(match.game), 10, 'label')
  y += 20
  for (const [seat, { name, rating }] of match.players.entries()) {
    line(name, 9, `seat${seat % 6}` as Tone)
    const value = rating?.after ?? ratings[seat]
    if (value != null && match.players.length < 4) line(ratingText(value), 6, 'label')
  }
  y += 20
  line(resultText(match), 8, 'rule')
  canvas.write('agentbbs', [650, height - 60], 5, 'label')
  return pngOf(width, height, canvas.pixels(palette))
}

/** The dark colours of the stylesheet. */
const palette: Readonly<Record<Tone, string>> = {
  ground: '#10151b',
  board: '#27415f',
  wood: '#d9b36c',
  felt: '#2f6b4f',
  light: '#e9dcc3',
  dark: '#a9825a',
  rule: '#d7dde5',
  faint: '#2a333e',
  label: '#93a1b1',
  black: '#16181b',
  white: '#f6f3ec',
  edge: '#3a2f20',
  mark: '#d9483b',
  hint: '#d3c35a',
  seat0: '#ff8f6b',
  seat1: '#5cc8ff',
  seat2: '#7ddf8f',
  seat3: '#e6c24a',
  seat4: '#c79bff',
  seat5: '#ff8ac4',
  grass: '#4d7a46',
  bush: '#2f5a33',
  stone: '#9a9a9a',
  gold: '#f0c419',
  berry: '#b04a8b',
  water: '#3b78b8',
  rock: '#5d5148',
  sea: '#0f3d4f',
  sand: '#f1e6cf',
  brown: '#8b5a33',
  sky: '#8fd0ef',
  pink: '#e06aa8',
  orange: '#ee8a2a',
  red: '#d8392f',
  yellow: '#f2cf2e',
  green: '#2f9a57',
  navy: '#2b4fa8',
}
