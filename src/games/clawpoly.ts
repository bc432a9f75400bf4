import { anyMoveOf } from './clawpoly-any-move.ts'
import { ownableAt, potFee } from './clawpoly-board.ts'
import { deckNames } from './clawpoly-cards.ts'
import {
  bankrupt,
  mortgage,
  raise,
  returnCard,
  sellBuilding,
  unmortgage,
} from './clawpoly-debts.ts'
import { nextBuilding } from './clawpoly-deeds.ts'
import {
  changeSquare,
  type Draft,
  draftOf,
  earn,
  finished,
  outOfPot,
  tell,
} from './clawpoly-draft.ts'
import { eventLines } from './clawpoly-event-words.ts'
import type { ClawpolyEvent } from './clawpoly-events.ts'
import { lookOf } from './clawpoly-look.ts'
import {
  type ClawpolyMove,
  check,
  fallbackOf,
  listedMoves,
  parse,
  written,
} from './clawpoly-moves.ts'
import { type Clawpoly, finalOf, isOut, startOf, statusOf } from './clawpoly-state.ts'
import { offer, respond } from './clawpoly-trades.ts'
import { afterLanding, endTurn, proceed, rollDice, rollForEscape } from './clawpoly-turn.ts'
import { schema, viewOf } from './clawpoly-view.ts'
import { labelOf, typed, typingHelp, typingNow } from './clawpoly-words.ts'
import { type CatalogueGame, illegal, type Seat } from './game.ts'

/** Squares of the sea to buy, build on and trade, until one player is left or the turns are over. */
export const clawpoly: CatalogueGame<Clawpoly, ClawpolyEvent> = {
  id: 'clawpoly',
  title: 'Clawpoly',
  summary: 'Two to six players buy, build and trade reefs until the others are bankrupt.',
  seats: { min: 2, max: 6 },
  facts: { turns: 'alternate', luck: true, secrets: false, moveBytes: 1024 },
  seedBits: 128,

  start: startOf,
  status: statusOf,

  read: (_state, _seat, move) => {
    const read = parse(move)
    return 'why' in read ? move : written(read)
  },

  play: (state, seat, move) => {
    const found = check(state, seat, move)
    if (found !== null) return illegal(found.reason)
    const draft = draftOf(state)
    act(draft, seat, parse(move) as ClawpolyMove)
    return finished(draft)
  },

  listed: listedMoves,
  view: viewOf,
  look: lookOf,
  told: eventLines,
  label: labelOf,
  typing: { help: typingHelp, now: typingNow, read: typed },
  schema,
  anyMove: anyMoveOf,
  standings: finalOf,
  fallback: fallbackOf,

  drop: (state, seat) => {
    if (state.phase === 'over' || isOut(state, seat)) return state
    const draft = draftOf(state)
    bankrupt(draft, seat, null)
    if (draft.phase !== 'over') {
      if (seat === draft.current) endTurn(draft)
      // The others go on, unless it was this seat that they waited for.
      else if (draft.phase === 'debt' && draft.debt === null) proceed(draft)
    }
    return finished(draft)
  },
}

/** Does what is legal. */
const act = (draft: Draft, seat: Seat, move: ClawpolyMove): void => {
  const raisesMoney = draft.phase === 'debt'
  switch (move.action) {
    case 'roll_dice':
      rollDice(draft)
      break
    case 'buy':
      buy(draft, seat)
      break
    case 'pass':
      pass(draft, seat)
      break
    case 'end_turn':
      endTurn(draft)
      break
    case 'escape_pay':
      payForEscape(draft, seat)
      break
    case 'escape_card':
      escapeByCard(draft, seat)
      break
    case 'escape_roll':
      rollForEscape(draft)
      break
    case 'build':
      build(draft, seat, move.square)
      break
    case 'unmortgage':
      unmortgage(draft, seat, move.square)
      break
    case 'mortgage':
      mortgage(draft, seat, move.square)
      break
    case 'sell_building':
      sellBuilding(draft, seat, move.square)
      break
    case 'raise':
      raise(draft, draft.debt!)
      break
    case 'trade_offer':
      offer(draft, seat, move.to, move.giving, move.requesting)
      break
    case 'trade_respond':
      respond(draft, draft.trade!, move.accept)
      break
  }
  // A debt is paid the moment there is enough money.
  if (raisesMoney) proceed(draft)
}

const buy = (draft: Draft, seat: Seat): void => {
  const { index, price } = ownableAt(draft.players[seat]!.position)!
  changeSquare(draft, index, { owner: seat })
  earn(draft, seat, -price)
  tell(draft, seat, { kind: 'property_bought', square: index, amount: price })
  afterLanding(draft)
}

const pass = (draft: Draft, seat: Seat): void => {
  const square = draft.players[seat]!.position
  tell(draft, seat, { kind: 'property_passed', square, asked: true })
  afterLanding(draft)
}

const payForEscape = (draft: Draft, seat: Seat): void => {
  earn(draft, seat, -potFee)
  tell(draft, seat, { kind: 'pot_fee_paid', amount: potFee })
  outOfPot(draft, seat, 'pay')
  draft.phase = 'roll'
}

const escapeByCard = (draft: Draft, seat: Seat): void => {
  returnCard(draft, deckNames.find(name => draft.decks[name].holder === seat)!)
  outOfPot(draft, seat, 'card')
  draft.phase = 'roll'
}

const build = (draft: Draft, seat: Seat, index: number): void => {
  const { building, cost } = nextBuilding(draft, index)!
  const level = draft.squares[index]!.level + 1
  changeSquare(draft, index, { level })
  earn(draft, seat, -cost)
  tell(draft, seat, { kind: `${building}_built`, square: index, amount: cost, level })
}
