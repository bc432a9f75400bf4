// The moves of Clawpoly as people write them.

import { board } from './clawpoly-board.ts'
import type { Bundle } from './clawpoly-events.ts'
import { type Action, listedMoves, parse } from './clawpoly-moves.ts'
import { shorts, squareTyped } from './clawpoly-shorts.ts'
import type { Clawpoly } from './clawpoly-state.ts'
import { isEmpty, mayOffer } from './clawpoly-trades.ts'
import type { Json, Seat } from './game.ts'

/** A move in at most 40 characters, such as "builds on Coral Triangle". What a trade is about is told by its event. */
export const labelOf = (state: Clawpoly, move: Json): string => {
  const read = parse(move)
  if ('why' in read) return JSON.stringify(move)
  switch (read.action) {
    case 'buy':
      return `buys ${board[state.players[state.current]!.position]!.name}`
    case 'pass':
      return `passes ${board[state.players[state.current]!.position]!.name}`
    case 'build':
    case 'sell_building':
    case 'mortgage':
    case 'unmortgage':
      return `${onSquare[read.action]} ${board[read.square]!.name}`
    case 'trade_offer':
      return `offers player ${read.to} a trade`
    case 'trade_respond':
      return read.accept ? 'accepts the trade' : 'refuses the trade'
    default:
      return plainWords[read.action]
  }
}

const onSquare = {
  build: 'builds on',
  sell_building: 'sells on',
  mortgage: 'mortgages',
  unmortgage: 'lifts mortgage of',
} as const satisfies Partial<Record<Action, string>>

const plainWords = {
  roll_dice: 'throws',
  end_turn: 'ends the turn',
  escape_pay: 'pays $50 to leave the pot',
  escape_card: 'leaves the pot by a card',
  escape_roll: 'throws to leave the pot',
  raise: 'lets the bank raise the money',
} as const satisfies Partial<Record<Action, string>>

/** Such as "Coral Triangle, Tidal Generator, $50 and an escape card", or "nothing". */
export const bundleWords = (bundle: Bundle): string => {
  if (isEmpty(bundle)) return 'nothing'
  const { properties, money, escapeCards } = bundle
  const items = [
    ...properties.map(index => board[index]!.name),
    ...(money > 0 ? [`$${money}`] : []),
    ...(escapeCards > 0 ? [escapeCards === 1 ? 'an escape card' : '2 escape cards'] : []),
  ]
  const last = items.pop()!
  return items.length === 0 ? last : `${items.join(', ')} and ${last}`
}

export const typingHelp =
  'Type roll, buy, pass, end, pay, card, try, raise, accept, refuse, build coral, sell coral, mortgage coral, lift coral, or trade 2: poseid $50 for coral card.'

/** What this seat can type now. Of squares it has the first one that will do. */
export const typingNow = (state: Clawpoly, seat: Seat): string => {
  const words = new Set<string>()
  for (const move of listedMoves(state, seat)) {
    const read = parse(move)
    if ('why' in read || read.action === 'trade_offer') continue
    if (read.action === 'trade_respond') words.add(read.accept ? 'accept' : 'refuse')
    else if ('square' in read && !heard(words, verbs[read.action]))
      words.add(`${verbs[read.action]} ${shorts[read.square]!.toLowerCase()}`)
    else if (!('square' in read)) words.add(verbs[read.action])
  }
  if (mayOffer(state)) words.add('trade 2: poseid $50 for coral')
  const last = [...words].at(-1)!
  return `Type ${words.size === 1 ? last : `${[...words].slice(0, -1).join(', ')} or ${last}`}.`
}

const heard = (words: ReadonlySet<string>, verb: string) =>
  [...words].some(word => word.startsWith(`${verb} `))

const verbs = {
  roll_dice: 'roll',
  buy: 'buy',
  pass: 'pass',
  end_turn: 'end',
  escape_pay: 'pay',
  escape_card: 'card',
  escape_roll: 'try',
  raise: 'raise',
  build: 'build',
  sell_building: 'sell',
  mortgage: 'mortgage',
  unmortgage: 'lift',
} as const satisfies Partial<Record<Action, string>>

/** The move that a text stands for. What it does not know is handed on, and refused with the actions there are. */
export const typed = (words: string): Json => {
  const text = words.trim().toLowerCase()
  const action = shortcuts[text]
  if (action !== undefined) return action
  const [, verb = '', word = ''] = /^([a-z_]+) +(\w+)$/.exec(text) ?? []
  const [onOwn, square] = [squareVerbs[verb], squareTyped(word)]
  if (onOwn !== undefined && square !== null) return { action: onOwn, square }
  const [, to, giving = '', requesting = ''] =
    /^trade +(\d) *:? +(.+?) +for +(.+)$/.exec(text) ?? []
  if (to === undefined) return { action: text }
  return {
    action: 'trade_offer',
    to: Number(to),
    giving: bundleIn(giving),
    requesting: bundleIn(requesting),
  }
}

const shortcuts: Readonly<Record<string, Json>> = Object.assign(Object.create(null), {
  roll: { action: 'roll_dice' },
  throw: { action: 'roll_dice' },
  end: { action: 'end_turn' },
  pay: { action: 'escape_pay' },
  card: { action: 'escape_card' },
  try: { action: 'escape_roll' },
  accept: { action: 'trade_respond', accept: true },
  yes: { action: 'trade_respond', accept: true },
  refuse: { action: 'trade_respond', accept: false },
  no: { action: 'trade_respond', accept: false },
})

const squareVerbs: Readonly<Record<string, Action>> = Object.assign(Object.create(null), {
  build: 'build',
  sell: 'sell_building',
  sell_building: 'sell_building',
  mortgage: 'mortgage',
  lift: 'unmortgage',
  unmortgage: 'unmortgage',
})

/** Such as "poseid 13 $50 card": squares by short name or number, money, escape cards, or nothing. */
const bundleIn = (text: string): Json => {
  const items = text.split(/[\s,]+|\band\b/).filter(item => item !== '' && item !== 'nothing')
  const money = items
    .filter(item => /^\$\d{1,6}$/.test(item))
    .reduce((sum, item) => sum + Number(item.slice(1)), 0)
  const escapeCards = items.filter(item => /^cards?$/.test(item)).length
  const properties = items.filter(item => !/^(\$\d{1,6}|cards?)$/.test(item))
  return {
    // What is no square stays as it is, and is quoted when the trade is refused.
    properties: properties.map(item => squareTyped(item) ?? item),
    money,
    escapeCards,
  }
}
