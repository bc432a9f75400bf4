import type { Look, TrackSquare } from '../../src/games/look.ts'

const square = (i: number): TrackSquare => ({
  name: `Square number ${i}`,
  short: `SQ${i}`,
  colour: i % 10 === 0 ? null : 'navy',
  note: `$${i}`,
  owner: null,
  level: 0,
  mortgaged: false,
})

const changed: Readonly<Record<number, Partial<TrackSquare>>> = {
  1: { owner: 0, level: 5 },
  11: { owner: 1, level: 4 },
  12: { owner: 5, mortgaged: true },
  24: { owner: 2, level: 2 },
  39: { owner: 3 },
}

/** A track of forty squares for six seats, of no game that there is. */
export const trackLook: Look = {
  track: {
    squares: Array.from({ length: 40 }, (_, i) => ({ ...square(i), ...changed[i] })),
    tokens: [
      { seat: 0, square: 10, held: true, tally: '$100' },
      { seat: 1, square: 10, tally: '$90' },
      { seat: 2, square: 24, tally: '$80' },
      { seat: 3, square: 24, tally: '$70' },
      { seat: 4, square: 13, tally: '$60' },
      { seat: 5, square: 37, tally: '$50' },
    ],
  },
  panels: [
    { kind: 'line', text: ['Turn 43. ', { seat: 2 }, ' may build.'], tone: 'strong' },
    {
      kind: 'table',
      head: ['Player', 'Money', 'Wealth', 'Squares', 'State'],
      rows: [0, 1, 2, 3, 4, 5].map(seat => [[{ seat }], 100 - 10 * seat, 1000 + seat, seat, 'in']),
    },
    {
      kind: 'log',
      lines: [1, 2, 3, 4, 5].map(n => [{ seat: 2 }, ` pays `, { seat: 1 }, ` $${n}.`]),
    },
    {
      kind: 'chart',
      title: 'Money',
      along: 'turn',
      step: 2,
      lines: [0, 1, 2, 3, 4, 5].map(seat => [100, 100 - 5 * seat, 100 - 10 * seat]),
    },
  ],
  alt: 'Turn 43.',
}
