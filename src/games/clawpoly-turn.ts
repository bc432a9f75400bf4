// The turn of Clawpoly: throwing, moving, landing, cards, and what comes after.

import {
  board,
  boardSize,
  currents,
  isOwnable,
  netSquare,
  type Ownable,
  potFee,
  setSailBonus,
  utilities,
} from './clawpoly-board.ts'
import { cards, type DeckName, escapeCardOf } from './clawpoly-cards.ts'
import { buildingsOf, end, giveCard, owe, settle } from './clawpoly-debts.ts'
import { rentOf } from './clawpoly-deeds.ts'
import {
  changePlayer,
  type Draft,
  earn,
  outOfPot,
  tell,
  throwOne,
  throwTwo,
  toPot,
} from './clawpoly-draft.ts'
import { historyStep, isOut, othersAfter } from './clawpoly-state.ts'

/** The throw of a free player. */
export const rollDice = (draft: Draft): void => {
  const seat = draft.current
  const dice = throwTwo(draft)
  tell(draft, seat, { kind: 'dice_rolled', dice, for: 'move' })
  const isDouble = dice[0] === dice[1]
  draft.doubles = isDouble ? draft.doubles + 1 : 0
  if (draft.doubles === 3) {
    toPot(draft, seat, 'doubles')
    endTurn(draft)
    return
  }
  draft.bonus = isDouble
  moveByDice(draft)
}

/** The throw of a player in the pot. */
export const rollForEscape = (draft: Draft): void => {
  const seat = draft.current
  const dice = throwTwo(draft)
  tell(draft, seat, { kind: 'dice_rolled', dice, for: 'escape' })
  if (dice[0] === dice[1]) {
    outOfPot(draft, seat, 'doubles')
    moveByDice(draft)
    return
  }
  const failed = draft.players[seat]!.potTurns + 1
  if (failed < 3) {
    changePlayer(draft, seat, { potTurns: failed })
    endTurn(draft)
    return
  }
  draft.leavesPot = true
  owe(draft, seat, null, potFee, 'pot')
  proceed(draft)
}

const moveByDice = (draft: Draft): void => {
  const [a, b] = draft.thrown!
  forward(draft, (draft.players[draft.current]!.position + a + b) % boardSize, 'dice')
  if (!land(draft)) proceed(draft)
}

/** Forward to a square, with the bonus where that passes Set Sail or ends on it. */
const forward = (draft: Draft, to: number, by: 'dice' | 'card'): void => {
  const seat = draft.current
  const from = draft.players[seat]!.position
  changePlayer(draft, seat, { position: to })
  tell(draft, seat, { kind: 'player_moved', from, to, by })
  if (to > from) return
  earn(draft, seat, setSailBonus)
  tell(draft, seat, { kind: 'set_sail_bonus', amount: setSailBonus })
}

/**
 * What the square does to the one who has come to it; true if it is asked whether it buys.
 * `rent` is what a card makes of the rent.
 */
const land = (draft: Draft, rent = usualRent): boolean => {
  const seat = draft.current
  const square = board[draft.players[seat]!.position]!
  if (isOwnable(square)) return visit(draft, square, rent)
  if (square.type === 'tax') owe(draft, seat, null, square.tax, 'tax')
  else if (square.type === 'tide_card') return draw(draft, 'tide')
  else if (square.type === 'treasure_chest') return draw(draft, 'chest')
  else if (square.index === netSquare) toPot(draft, seat, 'net')
  return false
}

type Rent = (draft: Draft, square: number) => number

const usualRent: Rent = (draft, square) =>
  rentOf(draft, square, draft.thrown![0] + draft.thrown![1])

const twiceTheToll: Rent = (draft, square) => 2 * rentOf(draft, square, 0)

const tenTimesAThrow: Rent = draft => {
  const dice = throwTwo(draft)
  tell(draft, draft.current, { kind: 'dice_rolled', dice, for: 'rent' })
  return 10 * (dice[0] + dice[1])
}

const visit = (draft: Draft, { index, price }: Ownable, rent: Rent): boolean => {
  const seat = draft.current
  const { owner, mortgaged } = draft.squares[index]!
  if (owner === null) {
    if (draft.players[seat]!.money >= price) {
      draft.phase = 'buy'
      return true
    }
    tell(draft, seat, { kind: 'property_passed', square: index, asked: false })
  } else if (owner !== seat && !mortgaged) owe(draft, seat, owner, rent(draft, index), 'rent')
  return false
}

const draw = (draft: Draft, name: DeckName): boolean => {
  const seat = draft.current
  const index = drawFrom(draft, name)
  const { title, text, effect } = cards[name][index]!
  tell(draft, seat, { kind: 'card_drawn', deck: name, card: index + 1, title, text })
  switch (effect.kind) {
    case 'go':
      forward(draft, effect.square, 'card')
      return land(draft)
    case 'next': {
      const list = effect.type === 'current' ? currents : utilities
      const { position } = draft.players[seat]!
      forward(draft, list.find(square => square > position) ?? list[0]!, 'card')
      return land(draft, effect.type === 'current' ? twiceTheToll : tenTimesAThrow)
    }
    case 'back': {
      const from = draft.players[seat]!.position
      const to = from - effect.steps
      changePlayer(draft, seat, { position: to })
      tell(draft, seat, { kind: 'player_moved', from, to, by: 'card' })
      return land(draft)
    }
    case 'pot':
      toPot(draft, seat, 'card')
      return false
    case 'escape':
      giveCard(draft, name, seat)
      return false
    case 'take':
      earn(draft, seat, effect.amount)
      tell(draft, seat, { kind: 'card_money', amount: effect.amount })
      return false
    case 'pay':
      owe(draft, seat, null, effect.amount, 'card')
      return false
    case 'repairs': {
      const { outposts, fortresses } = buildingsOf(draft, seat)
      const amount = effect.outpost * outposts + effect.fortress * fortresses
      owe(draft, seat, null, amount, 'card')
      return false
    }
    case 'pay-each':
      for (const other of othersAfter(draft, seat)) owe(draft, seat, other, effect.amount, 'card')
      return false
    case 'take-each':
      for (const other of othersAfter(draft, seat)) owe(draft, other, seat, effect.amount, 'card')
      return false
  }
}

/** The card that is drawn, which is then at the bottom, but for the escape card, which is kept. */
const drawFrom = (draft: Draft, name: DeckName): number => {
  const deck = draft.decks[name]
  const isFresh = deck.unseen.length > 0
  const at = isFresh ? throwOne(draft, deck.unseen.length) : 0
  const index = (isFresh ? deck.unseen : deck.seen)[at]!
  const seen = isFresh ? deck.seen : deck.seen.slice(1)
  draft.decks = {
    ...draft.decks,
    [name]: {
      ...deck,
      unseen: isFresh ? deck.unseen.toSpliced(at, 1) : deck.unseen,
      seen: index === escapeCardOf[name] ? seen : [...seen, index],
    },
  }
  return index
}

/** Settles what is due, and goes on from there. */
export const proceed = (draft: Draft): void => {
  if (!settle(draft)) return
  const seat = draft.current
  const { leavesPot } = draft
  draft.leavesPot = false
  if (leavesPot && !isOut(draft, seat)) {
    outOfPot(draft, seat, 'third_try')
    moveByDice(draft)
  } else afterLanding(draft)
}

export const afterLanding = (draft: Draft): void => {
  const seat = draft.current
  if (isOut(draft, seat) || draft.players[seat]!.inPot) endTurn(draft)
  else if (draft.bonus) {
    draft.bonus = false
    draft.phase = 'roll'
  } else draft.phase = 'build'
}

export const endTurn = (draft: Draft): void => {
  tell(draft, draft.current, { kind: 'turn_end' })
  if (draft.turnNumber % historyStep(draft) === 0)
    draft.history = [...draft.history, draft.players.map(({ money }) => money)]
  if (draft.turnNumber >= draft.turnLimit) {
    end(draft)
    return
  }
  draft.current = othersAfter(draft, draft.current)[0]!
  draft.turnNumber++
  draft.doubles = 0
  draft.bonus = false
  draft.offers = 0
  draft.leavesPot = false
  draft.phase = draft.players[draft.current]!.inPot ? 'pot' : 'roll'
  tell(draft, draft.current, { kind: 'turn_start' })
}
