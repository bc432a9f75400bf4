import type { Chessman } from '../../games/look.ts'
import type { Point, Shape } from './scene.ts'

/** A chess piece: outlines on a square of 40 × 40. Symmetric outlines are mirrored. */
export const chessman = (
  kind: Chessman,
  colour: 'black' | 'white',
  [x, y]: Point,
  size: number,
): readonly Shape[] => {
  const other = colour === 'white' ? 'black' : 'white'
  const paint = { fill: colour, line: other, width: size / 28 } as const
  const scale = size / 40
  const at = ([u, v]: Point): Point => [x + u * scale, y + v * scale]
  return outlines[kind].map(part =>
    'radius' in part
      ? { kind: 'circle', at: at(part.at), radius: part.radius * scale, ...paint }
      : part.solid
        ? { kind: 'polygon', points: part.points.map(at), ...paint, fill: paint.line }
        : { kind: 'polygon', points: part.points.map(at), ...paint },
  )
}

type Outline =
  | { readonly at: Point; readonly radius: number }
  | { readonly points: readonly Point[]; readonly solid?: boolean }

/** The left half from top to bottom, and the right half as its mirror image. */
const both = (...left: readonly Point[]): Outline => ({
  points: [...left, ...left.toReversed().map(([x, y]): Point => [40 - x, y])],
})
const whole = (...points: readonly Point[]): Outline => ({ points })
const solid = (...points: readonly Point[]): Outline => ({ points, solid: true })
const ball = (x: number, y: number, radius: number): Outline => ({ at: [x, y], radius })

const foot = both([10, 32], [8, 36])

const outlines: Readonly<Record<Chessman, readonly Outline[]>> = {
  pawn: [both([17, 17], [15, 25], [11, 32]), foot, both([14.5, 16.5], [14.5, 19]), ball(20, 12, 5)],
  rook: [
    both([14, 15], [13, 28], [11, 32]),
    foot,
    both([11, 6], [11, 13], [14, 16]),
    solid([16, 5], [18, 5], [18, 9], [16, 9]),
    solid([22, 5], [24, 5], [24, 9], [22, 9]),
  ],
  knight: [
    whole(
      [13, 32],
      [14, 27],
      [19, 22],
      [20, 19],
      [16, 20],
      [12, 24],
      [9, 23.5],
      [8, 20],
      [12, 13],
      [14, 9],
      [14, 5],
      [17, 7],
      [20, 5],
      [20, 7.5],
      [26, 11],
      [30, 18],
      [30.5, 25],
      [29, 32],
    ),
    foot,
    ball(16.5, 12.5, 0.9),
  ],
  bishop: [
    both([16, 24], [14, 28], [11, 32]),
    foot,
    both([20, 7], [15, 12], [13.5, 18], [16, 24]),
    solid([21.5, 11], [22.8, 11.8], [20, 17], [18.7, 16.2]),
    both([14.5, 23], [14.5, 25.5]),
    ball(20, 5.5, 2),
  ],
  queen: [
    whole(
      [11, 32],
      [12.5, 25],
      [6.5, 12],
      [13, 19],
      [14, 8.5],
      [18, 18],
      [20, 7.5],
      [22, 18],
      [26, 8.5],
      [27, 19],
      [33.5, 12],
      [27.5, 25],
      [29, 32],
    ),
    both([11.5, 25.5], [11, 28.5]),
    foot,
    ball(6.2, 10.5, 2),
    ball(13.8, 6.8, 2),
    ball(20, 5.6, 2),
    ball(26.2, 6.8, 2),
    ball(33.8, 10.5, 2),
  ],
  king: [
    whole(
      [18.7, 9],
      [18.7, 6.8],
      [16.4, 6.8],
      [16.4, 4.4],
      [18.7, 4.4],
      [18.7, 2],
      [21.3, 2],
      [21.3, 4.4],
      [23.6, 4.4],
      [23.6, 6.8],
      [21.3, 6.8],
      [21.3, 9],
    ),
    both([20, 8.5], [17.2, 11], [17.5, 16]),
    both([11, 32], [12, 27], [7.5, 20], [8.5, 15], [13, 13.5], [18, 16.5], [20, 21]),
    both([11.5, 26.5], [11, 29]),
    foot,
  ],
}
