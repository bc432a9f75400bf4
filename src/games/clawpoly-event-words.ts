// What happens in Clawpoly, in words.

import { board } from './clawpoly-board.ts'
import type { ClawpolyEvent } from './clawpoly-events.ts'
import { bundleWords } from './clawpoly-words.ts'
import type { Seat } from './game.ts'
import { type Part, seatPart, type Text } from './look.ts'

/** The events of a log in words, in order. A throw and the way that follows from it are one line. */
export const eventLines = (events: readonly ClawpolyEvent[]): readonly Text[] =>
  events.flatMap((event, i) => {
    const before = events[i - 1]
    const words =
      event.kind === 'player_moved' && event.by === 'dice' && before?.kind === 'dice_rolled'
        ? [seatPart(event.seat), ` throws ${before.dice.join(' + ')}: to ${ended(event.to)}`]
        : event.kind === 'dice_rolled' && isMoveOf(events[i + 1])
          ? null
          : eventText(event)
    return words === null ? [] : [words]
  })

const isMoveOf = (next: ClawpolyEvent | undefined) =>
  next?.kind === 'player_moved' && next.by === 'dice'

/** One event in words; null where the board says it all. */
const eventText = (event: ClawpolyEvent): readonly Part[] | null => {
  const who = seatPart(event.seat)
  switch (event.kind) {
    case 'turn_start':
    case 'turn_end':
      return null
    case 'dice_rolled':
      return [who, ` throws ${event.dice.join(' + ')}${throwFor[event.for]}.`]
    case 'player_moved':
      return [who, ` goes to ${ended(event.to)}`]
    case 'set_sail_bonus':
      return [who, ` gets $${event.amount} at Set Sail.`]
    case 'property_bought':
      return [who, ` buys ${nameOf(event.square)} for $${event.amount}.`]
    case 'property_passed':
      return [who, ` ${event.asked ? 'passes' : 'has no money for'} ${nameOf(event.square)}.`]
    case 'card_drawn':
      return [who, ` draws “${event.title}”. ${event.text}`]
    case 'card_money':
      return [who, ` gets $${event.amount}.`]
    case 'debt':
      return [who, ` has to raise $${event.amount} for `, payee(event.to), '.']
    case 'rent_paid':
      return [who, ' pays ', payee(event.to), ` $${event.amount} at ${nameOf(event.square)}.`]
    case 'tax_paid':
      return [who, ` pays $${event.amount}: ${nameOf(event.square)}.`]
    case 'card_paid':
      return [who, ' pays ', payee(event.to), ` $${event.amount}.`]
    case 'pot_fee_paid':
      return [who, ` pays $${event.amount} to leave the pot.`]
    case 'outpost_built':
      return [who, ` builds outpost ${event.level} on ${nameOf(event.square)}.`]
    case 'fortress_built':
      return [who, ` builds a fortress on ${nameOf(event.square)}.`]
    case 'building_sold':
      return [
        who,
        ` sells ${event.level === 4 ? 'the fortress' : 'an outpost'} of ${nameOf(event.square)} for $${event.amount}.`,
      ]
    case 'mortgaged':
      return [who, ` mortgages ${nameOf(event.square)} for $${event.amount}.`]
    case 'unmortgaged':
      return [who, ` lifts the mortgage of ${nameOf(event.square)} for $${event.amount}.`]
    case 'trade_proposed':
      return [who, ' offers ', seatPart(event.to), ` ${tradeWords(event)}.`]
    case 'trade_accepted':
      return [who, ' trades with ', seatPart(event.to), `: ${tradeWords(event)}.`]
    case 'trade_rejected':
      return rejected(who, event)
    case 'lobster_pot_in':
      return [who, ` goes to the Lobster Pot: ${wayIn[event.by]}.`]
    case 'lobster_pot_out':
      return [who, ` leaves the pot${wayOut[event.by]}.`]
    case 'bankrupt':
      return [who, ' is bankrupt: all goes to ', payee(event.to), '.']
  }
}

const rejected = (
  who: Part,
  { to, why }: Extract<ClawpolyEvent, { kind: 'trade_rejected' }>,
): readonly Part[] => {
  if (why === 'refused') return [seatPart(to), ' refuses the trade of ', who, '.']
  const reason = why === 'stale' ? 'one of them no longer has its part' : 'one of them is bankrupt'
  return ['No trade of ', who, ' with ', seatPart(to), `: ${reason}.`]
}

const tradeWords = ({
  giving,
  requesting,
}: Extract<ClawpolyEvent, { kind: 'trade_proposed' | 'trade_accepted' }>): string =>
  `${bundleWords(giving)} for ${bundleWords(requesting)}`

const payee = (to: Seat | null): Part => (to === null ? 'the bank' : seatPart(to))

/** With a full stop, unless the name ends with a mark of its own. */
const ended = (square: number): string => nameOf(square).replace(/[^!]$/, '$&.')

const nameOf = (square: number): string => board[square]!.name

const throwFor = { move: '', escape: ' in the pot', rent: ' for the rent' } as const
const wayIn = { net: 'caught in the net', card: 'by a card', doubles: 'three doubles' } as const
const wayOut = {
  pay: '',
  card: ' by an escape card',
  doubles: ' by doubles',
  third_try: '',
} as const
