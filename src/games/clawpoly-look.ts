// What a position of Clawpoly looks like.

import { board } from './clawpoly-board.ts'
import { type Clawpoly, squaresOf, wealthOf } from './clawpoly-state.ts'
import { type Look, line, seatPart } from './look.ts'

export const lookOf = (state: Clawpoly): Look => {
  const { turnNumber, turnLimit, phase, current, players } = state
  return {
    panels: [
      line(`Turn ${turnNumber} of ${turnLimit}, ${phase}: `, seatPart(current)),
      {
        kind: 'table',
        head: ['Agent', 'Shells', 'Wealth', 'Squares', 'At'],
        rows: players.map(({ money, position, inPot, bankruptAt }, seat) => [
          [seatPart(seat)],
          money,
          wealthOf(state, seat),
          squaresOf(state, seat).length,
          bankruptAt !== null
            ? `bankrupt in turn ${bankruptAt}`
            : inPot
              ? 'Lobster Pot'
              : board[position]!.name,
        ]),
      },
    ],
  }
}
