// What a position of Clawpoly looks like.

import { board, type Group, isOwnable, type Square } from './clawpoly-board.ts'
import { eventLines } from './clawpoly-event-words.ts'
import { shorts } from './clawpoly-shorts.ts'
import {
  type Clawpoly,
  finalOf,
  historyStep,
  moverOf,
  squaresOf,
  wealthOf,
} from './clawpoly-state.ts'
import { bundleWords } from './clawpoly-words.ts'
import type { Seat } from './game.ts'
import {
  type GroupColour,
  type Look,
  type Panel,
  type Part,
  seatPart,
  type Text,
  type TrackSquare,
  toned,
} from './look.ts'

export const lookOf = (state: Clawpoly): Look => {
  const { players, recent } = state
  return {
    track: {
      squares: board.map(square => squareLook(state, square)),
      tokens: players.flatMap(({ position, inPot, bankruptAt, money }, seat) =>
        bankruptAt === null ? [{ seat, square: position, held: inPot, tally: `$${money}` }] : [],
      ),
    },
    panels: [
      { kind: 'line', text: [turnWords(state), ' ', ...phaseText(state)], tone: 'strong' },
      {
        kind: 'table',
        head: ['Player', 'Shells', 'Wealth', 'Squares', 'State'],
        rows: players.map((_, seat) => rowOf(state, seat)),
      },
      { kind: 'log', lines: eventLines(recent) },
      moneyChart(state),
    ],
    alt: `${turnWords(state)} ${players.map((_, seat) => playerWords(state, seat)).join(' ')}`,
  }
}

const squareLook = ({ squares }: Clawpoly, square: Square): TrackSquare => {
  const { index, name } = square
  const short = shorts[index]!
  if (!isOwnable(square)) {
    const note = square.type === 'tax' ? `-$${square.tax}` : ''
    return { name, short, colour: null, note, owner: null, level: 0, mortgaged: false }
  }
  const colour = square.type === 'property' ? colours[square.group] : null
  return { name, short, colour, note: `$${square.price}`, ...squares[index]! }
}

const colours: Readonly<Record<Group, GroupColour>> = {
  'Sandy Shore': 'brown',
  'Coastal Waters': 'sky',
  'Coral Gardens': 'pink',
  'Tropical Seas': 'orange',
  'Volcanic Depths': 'red',
  'Sunlit Expanse': 'yellow',
  'The Deep': 'green',
  "Emperor's Realm": 'navy',
}

const turnWords = ({ turnNumber, turnLimit }: Clawpoly): string =>
  `Turn ${turnNumber} of ${turnLimit}.`

/** Who is asked, and what. */
const phaseText = (state: Clawpoly): readonly Part[] => {
  const { phase, players, current, debt, trade } = state
  const who = seatPart(moverOf(state))
  switch (phase) {
    case 'roll':
      return [who, ' is to throw.']
    case 'pot':
      return [who, ' is in the Lobster Pot.']
    case 'buy': {
      const square = board[players[current]!.position]!
      const price = isOwnable(square) ? ` for $${square.price}` : ''
      return [who, ` may buy ${square.name}${price}.`]
    }
    case 'debt':
      return debt === null
        ? []
        : [
            who,
            ` owes $${debt.amount} to `,
            debt.creditor === null ? 'the bank' : seatPart(debt.creditor),
            '.',
          ]
    case 'build':
      return [who, ' may build.']
    case 'trade':
      return trade === null
        ? []
        : [
            who,
            ' is offered ',
            `${bundleWords(trade.giving)} for ${bundleWords(trade.requesting)} by `,
            seatPart(trade.from),
            '.',
          ]
    case 'over':
      return [`Over: ${finalOf(state).because}.`]
  }
}

/** Without money, the bankrupt have dashes, so that numbers stay in their column. */
const rowOf = (state: Clawpoly, seat: Seat): readonly Text[] => {
  const { money, inPot, escapeCards, bankruptAt } = state.players[seat]!
  const squares = squaresOf(state, seat).length
  if (bankruptAt !== null)
    return [[seatPart(seat)], '–', '–', '–', [toned(`bankrupt in turn ${bankruptAt}`, 'weak')]]
  const cards = escapeCards === 0 ? [] : [escapeCards === 1 ? '1 escape card' : '2 escape cards']
  return [
    [seatPart(seat)],
    [toned(money, 'strong')],
    wealthOf(state, seat),
    squares,
    [...(inPot ? ['in the pot'] : []), ...cards].join(', '),
  ]
}

/** The money after each turn, and as it is now. */
const moneyChart = (state: Clawpoly): Panel => {
  const { history, players, turnNumber } = state
  const step = historyStep(state)
  const now = players.map(({ money }) => money)
  const points = history.length * step > turnNumber ? history : [...history, now]
  return {
    kind: 'chart',
    title: 'Shells',
    along: 'turn',
    step,
    lines: players.map((_, seat) => points.map(row => row[seat]!)),
  }
}

const playerWords = (state: Clawpoly, seat: Seat): string => {
  const { money, position, inPot, bankruptAt } = state.players[seat]!
  if (bankruptAt !== null) return `Player ${seat} is bankrupt.`
  const squares = squaresOf(state, seat).length
  const where = inPot ? 'in the Lobster Pot' : `on ${board[position]!.name}`
  return `Player ${seat} has $${money} and ${squares} ${squares === 1 ? 'square' : 'squares'}, ${where}.`
}
