// A board as a list of shapes, from which SVG (on the host and in browsers) and pictures are made.

export type Point = readonly [x: number, y: number]

export type Shape =
  | (Painted & {
      readonly kind: 'rect'
      readonly at: Point
      readonly size: Point
      readonly round?: number
    })
  | (Painted & { readonly kind: 'circle'; readonly at: Point; readonly radius: number })
  | (Painted & { readonly kind: 'polygon'; readonly points: readonly Point[] })
  | {
      readonly kind: 'line'
      readonly from: Point
      readonly to: Point
      readonly line: Tone
      readonly width: number
    }
  /** Runs of 1 × 1 cells to the right. Thousands of tiles become one SVG path. */
  | {
      readonly kind: 'cells'
      readonly fill: Tone
      readonly runs: readonly (readonly [x: number, y: number, n: number])[]
    }
  | {
      readonly kind: 'text'
      readonly at: Point
      readonly size: number
      readonly text: string
      readonly fill: Tone
      /** Too small to be read in pictures, which leave it out. */
      readonly fine?: true
    }
  | Group

/** Shapes that belong together. */
interface Group {
  readonly kind: 'group'
  readonly shapes: readonly Shape[]
  /** Shown where the pointer rests on it. */
  readonly title?: string
  /** What is the same thing in the next position, and where it is: pages show how it moves there. */
  readonly key?: { readonly name: string; readonly at: Point }
}

type Painted = { readonly fill?: Tone; readonly line?: Tone; readonly width?: number }

export interface Scene {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

/** The use of a colour. style.css and picture.ts each define the colours. */
export const tones = [
  'ground',
  'board',
  'wood',
  'felt',
  'light',
  'dark',
  'rule',
  'faint',
  'label',
  'black',
  'white',
  'edge',
  'mark',
  'hint',
  'seat0',
  'seat1',
  'seat2',
  'seat3',
  'seat4',
  'seat5',
  'grass',
  'bush',
  'stone',
  'gold',
  'berry',
  'water',
  'rock',
  'sea',
  'sand',
  'brown',
  'sky',
  'pink',
  'orange',
  'red',
  'yellow',
  'green',
  'navy',
] as const

export type Tone = (typeof tones)[number]

export const seatTone = (seat: number): Tone => `seat${seat % 6}` as Tone
