import type { Style } from './grid.ts'

/** The roles of cells. A theme gives each role its colours. */
const roles = [
  'text',
  'dim',
  'bright',
  'title',
  'key',
  'rule',
  'bar',
  'barDim',
  'chosen',
  'good',
  'bad',
  'warning',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'mark',
  'cursor',
  'board',
  'glow1',
  'glow2',
  'glow3',
  'glow4',
  'brown',
  'sky',
  'pink',
  'orange',
  'red',
  'yellow',
  'green',
  'navy',
] as const

export type Role = (typeof roles)[number]

export const styleOf = (role: Role): Style => numbers.get(role)!

/** The style of a pair of the sixteen colours, for art: 0 to 15, or −1 for the default of the terminal. */
export const literal = (front: number, back: number): Style =>
  firstLiteral + (front + 1) * 17 + back + 1

/** How many colours a terminal has. */
export type ColourDepth = 'none' | '16' | '256' | 'full'

export const colourDepth = (term: string, variables: ReadonlyMap<string, string>): ColourDepth => {
  if ((variables.get('NO_COLOR') ?? '') !== '') return 'none'
  if (/^(truecolor|24bit)$/.test(variables.get('COLORTERM') ?? '') || /-direct/.test(term))
    return 'full'
  if (/256|kitty|alacritty|ghostty|wezterm|foot/.test(term)) return '256'
  return /^vt[1-5]|-m$|mono/.test(term) ? 'none' : '16'
}

/** Whether the terminal understands no escape sequences. */
export const isDumb = (term: string): boolean => /^(|dumb|unknown|network|dialup)$/.test(term)

const themes = {
  harbour: theme(['#5fd7d7', 6], ['#ffaf5f', 3], ['#5f87d7', 12], '#1c3a4a'),
  amber: theme(['#ffaf00', 3], ['#ffd75f', 11], ['#d78700', 3], '#4a3000'),
  phosphor: theme(['#5fff87', 10], ['#afffaf', 2], ['#00af5f', 2], '#003a1c'),
  plum: theme(['#d787ff', 13], ['#87d7ff', 14], ['#af5faf', 5], '#3a1c4a'),
  plain: theme(['#eeeeee', 15], ['#d0d0d0', 7], ['#a8a8a8', 7], '#3a3a3a'),
} as const satisfies Record<string, Theme>

export type ThemeName = keyof typeof themes
export const themeNames = Object.keys(themes) as readonly ThemeName[]

/** The escape sequences of a theme at a colour depth. All sessions with the same two share them. */
export const sgrOf = (name: ThemeName, depth: ColourDepth): ((style: Style) => string) => {
  const key = `${name} ${depth}`
  let sgr = known.get(key)
  if (sgr === undefined) {
    const sequences = roles.map(role => sequence(themes[name][role], depth))
    sgr = style => (style < firstLiteral ? sequences[style]! : literalSequence(style, depth))
    known.set(key, sgr)
  }
  return sgr
}

type Colour = readonly [full: string, ansi: number]

interface Look {
  readonly front?: Colour
  readonly back?: Colour
  readonly bold?: true
  readonly reverse?: true
}

type Theme = Readonly<Record<Role, Look>>

const firstLiteral = 64
const numbers = new Map<string, Style>(roles.map((role, number) => [role, number]))
const known = new Map<string, (style: Style) => string>()

/** A theme of two main colours, one for lines, and the background of bars. */
function theme(main: Colour, second: Colour, line: Colour, ground: string): Theme {
  const dim: Colour = ['#8a8a8a', 8]
  const back: Colour = [ground, 4]
  return {
    text: {},
    dim: { front: dim },
    bright: { bold: true },
    title: { front: main, bold: true },
    key: { front: second },
    rule: { front: line },
    bar: { front: ['#ffffff', 15], back, bold: true },
    barDim: { front: ['#c6c6c6', 7], back },
    chosen: { front: ['#ffffff', 15], back, bold: true },
    good: { front: ['#87d75f', 2] },
    bad: { front: ['#ff8787', 9] },
    warning: { front: ['#ffd75f', 11], bold: true },
    first: { front: main, bold: true },
    second: { front: second, bold: true },
    third: { front: ['#87d75f', 10], bold: true },
    fourth: { front: ['#ffff87', 11], bold: true },
    fifth: { front: ['#d7afff', 13], bold: true },
    sixth: { front: ['#ff87af', 9], bold: true },
    mark: { front: ['#ffffff', 15], bold: true },
    cursor: { reverse: true },
    board: { front: dim },
    glow1: { front: main, bold: true },
    glow2: { front: main },
    glow3: { front: line },
    glow4: { front: second },
    brown: { front: ['#af875f', 3] },
    sky: { front: ['#87d7ff', 14] },
    pink: { front: ['#ff87d7', 13] },
    orange: { front: ['#ff8700', 3] },
    red: { front: ['#ff5f5f', 9] },
    yellow: { front: ['#ffd75f', 11] },
    green: { front: ['#5faf5f', 2] },
    navy: { front: ['#5f87ff', 12] },
  }
}

const sequence = ({ front, back, bold, reverse }: Look, depth: ColourDepth): string => {
  if (depth === 'none') return ''
  const codes = [
    ...(bold ? ['1'] : []),
    ...(reverse ? ['7'] : []),
    ...(front === undefined ? [] : [colour(front, depth, 30)]),
    ...(back === undefined ? [] : [colour(back, depth, 40)]),
  ]
  return codes.length === 0 ? '' : `\x1b[0;${codes.join(';')}m`
}

const literalSequence = (style: Style, depth: ColourDepth): string => {
  if (depth === 'none') return ''
  const front = Math.floor((style - firstLiteral) / 17) - 1
  const back = ((style - firstLiteral) % 17) - 1
  const codes = [...(front < 0 ? [] : [ansi(front, 30)]), ...(back < 0 ? [] : [ansi(back, 40)])]
  return codes.length === 0 ? '' : `\x1b[0;${codes.join(';')}m`
}

/** `plane` is 30 for the foreground and 40 for the background. */
const colour = ([full, number]: Colour, depth: ColourDepth, plane: 30 | 40): string => {
  if (depth === '16') return ansi(number, plane)
  const [r, g, b] = [1, 3, 5].map(at => Number.parseInt(full.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  return depth === 'full' ? `${plane + 8};2;${r};${g};${b}` : `${plane + 8};5;${nearest(r, g, b)}`
}

const ansi = (number: number, plane: 30 | 40): string =>
  String(number < 8 ? plane + number : plane + 52 + number)

/** The nearest of the 256 colours: in the 6×6×6 cube, or in the ramp of greys. */
const nearest = (r: number, g: number, b: number): number => {
  if (r === g && g === b) return Math.max(232, Math.min(255, 232 + Math.round((r - 8) / 10)))
  const step = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.round((value - 55) / 40))
  return 16 + 36 * step(r) + 6 * step(g) + step(b)
}
