import { Dice } from './dice.ts'
import {
  type CatalogueGame,
  type Final,
  type Illegal,
  illegal,
  type Json,
  type Moved,
  moved,
  type Seat,
  type Status,
  type Viewer,
} from './game.ts'
import { type Fields, got, isRecord, isWhole } from './json.ts'
import { line, type Panel, type Part, seatPart } from './look.ts'
import {
  about,
  always,
  bySeat,
  either,
  flag,
  oneOf,
  orNull,
  record,
  seatNumber,
  text,
  upTo,
  whole,
} from './schema.ts'
import { placesOf, tally } from './scores.ts'
import { cleaned, cut } from './words.ts'

const resources = ['gold', 'iron', 'food', 'wood'] as const
type Resource = (typeof resources)[number]
type Goods = Readonly<Record<Resource, number>>
type Bundle = Readonly<Partial<Goods>>

type Trade = { readonly seat: Seat; readonly offer: Bundle; readonly request: Bundle }
type Message = { readonly seat: Seat; readonly content: string; readonly truncated: boolean }

type BazaarEvent =
  | ({ readonly kind: 'message'; readonly number: number } & Message)
  | ({ readonly kind: 'proposed' | 'withdrawn' | 'lapsed' } & Trade)
  /** `by` answers the proposal of `seat`. */
  | ({ readonly kind: 'accepted' | 'rejected'; readonly by: Seat } & Trade)

type Played = Moved<Bazaar, BazaarEvent> | Illegal

type Bazaar = {
  /** Who writes the first message. */
  readonly first: Seat
  readonly goals: readonly Resource[]
  readonly holdings: readonly Goods[]
  readonly messages: readonly Message[]
  readonly pending: Trade | null
  /** What was accepted, and how many messages had been written by then. */
  readonly trades: readonly (Trade & { readonly after: number })[]
  /** How often each seat has proposed. */
  readonly proposals: readonly number[]
}

const maxMessages = 10
const maxCharacters = 1000
const maxProposals = 20
const goalAmount = 8
const goalPoints = 100

const control = '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f'
const plain = `[^${control}]`
const goodsSchema = (least: number) =>
  Object.fromEntries(resources.map(name => [name, whole(least)]))
const holding = record(goodsSchema(0))
const bundle = (least: number) => record(goodsSchema(least), resources)
const goal = record({
  resource: oneOf(resources),
  amount: always(goalAmount),
  points: always(goalPoints),
})
const trade = { seat: seatNumber, offer: bundle(1), request: bundle(1) }

/** Ten messages to talk another into a trade that serves a goal it must not know. */
export const bazaar: CatalogueGame<Bazaar, BazaarEvent> = {
  id: 'bazaar',
  title: 'Bazaar',
  summary: 'Two traders with secret goals talk and swap goods for ten messages.',
  seats: 2,
  facts: { turns: 'alternate', luck: true, secrets: true, outOfTurn: true, moveBytes: 8192 },
  setup: { goals: 'independent' },

  start: (seed, _seats, setup) => {
    const dice = Dice.fromSeed(seed)
    const first = dice.roll(2)
    const deal = twoOf(dice)
    return {
      first,
      // By the oldest rules holdings give the goals away: who holds 3, 5, 4 and 2 wants what it holds 3 of.
      goals: setup?.goals === 'independent' ? twoOf(dice) : deal,
      holdings: holdingsOf(deal),
      messages: [],
      pending: null,
      trades: [],
      proposals: [0, 0],
    }
  },

  status: (state): Status => {
    if (isOver(state)) return finalOf(state)
    const writer = writerOf(state)
    const other = 1 - writer
    const isFree = state.pending !== null || state.proposals[other]! < maxProposals
    return { toMove: [writer], ...(isFree && { mayAct: [other] }) }
  },

  read: (_state, _seat, move) => {
    if (!isRecord(move)) return move
    const { action, content, offer, request } = move
    if (action === 'accept_trade' || action === 'reject_trade') return { action }
    if (action === 'message' && typeof content === 'string') return { action, content }
    if (action !== 'propose_trade' || !isRecord(offer) || !isRecord(request)) return move
    const [given, taken] = [bundleOf(offer), bundleOf(request)]
    return given && taken ? { action, offer: given, request: taken } : move
  },

  play: (state, seat, move): Played => {
    const action = isRecord(move) ? move.action : move
    if (isRecord(move)) {
      if (action === 'message') return write(state, seat, move.content)
      if (action === 'propose_trade') return propose(state, seat, move)
      if (action === 'accept_trade') return accept(state, seat)
      if (action === 'reject_trade') return reject(state, seat)
    }
    return illegal(
      `a move has "action": message, propose_trade, accept_trade or reject_trade, ${got(action)}`,
    )
  },

  // All talk and all trading is public.
  seen: event => event,

  freeText: move => (isRecord(move) && typeof move.content === 'string' ? [move.content] : []),

  view: (state, viewer) => {
    const { first, messages, pending, trades, proposals, holdings, goals } = state
    return {
      round: Math.min(messages.length + 1, maxMessages),
      maxRounds: maxMessages,
      first,
      ...(typeof viewer === 'number' && {
        resources: holdings[viewer]!,
        goal: goalOf(state, viewer),
      }),
      ...(viewer === 'replay' && { holdings, goals: goals.map((_, seat) => goalOf(state, seat)) }),
      pending,
      trades,
      proposals,
      maxProposals,
      messages: messages.map((message, i) => ({ number: i + 1, ...message })),
      result: isOver(state) ? [0, 1].map(seat => resultOf(state, seat)) : null,
    }
  },

  schema: {
    move: either(
      about(
        'Writes a message, when it is your turn. Goods are not moved by it.',
        record({
          action: always('message'),
          content: { ...text(2 * maxCharacters), pattern: `^${plain}*[^\\s${control}]${plain}*$` },
        }),
      ),
      about(
        'Proposes a trade, while none is open: you give the offer and take the request. One of the two may be empty.',
        record({ action: always('propose_trade'), offer: bundle(0), request: bundle(0) }),
      ),
      about(
        'Accepts the open trade of the other player, or ends the open trade.',
        record({ action: oneOf(['accept_trade', 'reject_trade']) }),
      ),
    ),
    view: {
      round: about('The number of the message to be written, from 1.', whole(1, maxMessages)),
      maxRounds: about('The number of messages.', always(maxMessages)),
      first: about('The player who wrote the first message.', seatNumber),
      pending: about(
        'The open trade: what its player offers and requests. Null if none is open.',
        orNull(record(trade)),
      ),
      trades: about(
        'The accepted trades, each after how many messages.',
        upTo(2 * maxProposals, record({ after: whole(0, maxMessages), ...trade })),
      ),
      proposals: about('Trades that each player has proposed.', bySeat(whole(0, maxProposals))),
      maxProposals: about('Trades that each player may propose.', always(maxProposals)),
      messages: about(
        'The messages so far.',
        upTo(
          maxMessages,
          record({
            number: whole(1, maxMessages),
            seat: seatNumber,
            content: text(maxCharacters),
            truncated: flag,
          }),
        ),
      ),
      result: about(
        'What each player held, wanted and scored; null until the match is over.',
        orNull(
          bySeat(
            record({
              goal,
              resources: holding,
              held: whole(0),
              progress: { type: 'number', minimum: 0, maximum: 1, multipleOf: 1 / goalAmount },
              goalMet: flag,
              totalUnits: whole(0),
              score: whole(0, goalPoints),
            }),
          ),
        ),
      ),
    },
    seat: {
      resources: about('The goods that you hold.', holding),
      goal: about('Your secret goal: hold this amount of this good for so many points.', goal),
    },
    replay: {
      holdings: about('The goods that each player holds.', bySeat(holding)),
      goals: about('The goal of each player.', bySeat(goal)),
    },
  },

  look: (state, viewer) => {
    const { messages, pending, trades } = state
    return {
      panels: [
        line(`Message ${Math.min(messages.length + 1, maxMessages)} of ${maxMessages}`),
        ...goodsTable(state, viewer),
        {
          kind: 'talk',
          messages: messages.map(({ seat, content }) => ({ seat, text: cleaned(content) })),
        },
        ...trades.map(trade => line('Traded: ', ...tradeWords(trade, 'gave'))),
        ...(pending ? [line('Open: ', ...tradeWords(pending, 'offers'))] : []),
      ],
    }
  },

  typing: {
    help: 'Type a message, or a trade such as 2 wood and 1 gold for 3 iron, or accept, or reject.',
    read: text => {
      if (/^accept$/i.test(text)) return { action: 'accept_trade' }
      if (/^(reject|cancel)$/i.test(text)) return { action: 'reject_trade' }
      const [, offered = '', requested = ''] = /^(?:offer +)?(.+?) +for +(.+)$/i.exec(text) ?? []
      const [offer, request] = [bundleIn(offered), bundleIn(requested)]
      return offer === null || request === null
        ? { action: 'message', content: text }
        : { action: 'propose_trade', offer, request }
    },
  },

  imagine: (state, viewer, dice) => {
    if (viewer !== 'audience') {
      const others = resources.filter(name => name !== state.goals[viewer])
      return { ...state, goals: state.goals.with(1 - viewer, dice.pick(others)) }
    }
    // Any deal that allows all the trades there were: the true one does.
    const possible = deals.map(deal => afterTrades(holdingsOf(deal), state))
    return {
      ...state,
      holdings: dice.pick(possible.filter(holdings => holdings !== null)),
      goals: twoOf(dice),
    }
  },

  anyMove: (state, seat, dice) => {
    const { pending, proposals } = state
    const isWriter = seat === writerOf(state)
    if (isWriter && dice.roll(2) === 0) return { action: 'message', content: dice.pick(phrases) }
    if (pending) {
      const canAccept = pending.seat !== seat && !lacking(state.holdings[seat]!, pending.request)
      return { action: canAccept && dice.roll(4) > 0 ? 'accept_trade' : 'reject_trade' }
    }
    if (proposals[seat]! >= maxProposals) return { action: 'message', content: dice.pick(phrases) }
    const [give, take] = [dice.pick(resources), dice.pick(resources)]
    const offer = { [give]: dice.roll(state.holdings[seat]![give] + 1) }
    return { action: 'propose_trade', offer, request: { [take]: 1 + dice.roll(3) } }
  },

  // One's own proposal is taken for accepted, or it would never be worth while to make one.
  guess: ({ goals, holdings, pending }, seat) => {
    const held =
      pending?.seat === seat
        ? swap(holdings[seat]!, goodsOf(pending.offer), goodsOf(pending.request))
        : holdings[seat]!
    const units = resources.reduce((sum, name) => sum + held[name], 0)
    return 0.9 * Math.min(1, held[goals[seat]!] / goalAmount) + Math.min(0.1, units / 1000)
  },
}

const phrases = [
  'What do you need?',
  'I have more than I can use.',
  'Make me an offer.',
  'No deal.',
]

/** Such as "2 wood and 1 gold", or "nothing"; null for other words. */
const bundleIn = (text: string): Bundle | null => {
  if (/^nothing$/i.test(text)) return {}
  const bundle: { [name in Resource]?: number } = {}
  for (const part of text.split(/ *(?:,|\band\b) */i)) {
    const [, amount, name = ''] = /^(\d{1,3}) +([a-z]+)$/i.exec(part.trim()) ?? []
    const resource = resources.find(resource => resource === name.toLowerCase())
    if (amount === undefined || resource === undefined) return null
    bundle[resource] = (bundle[resource] ?? 0) + Number(amount)
  }
  return bundle
}

const goodsOf = (bundle: Bundle): Goods => ({ gold: 0, iron: 0, food: 0, wood: 0, ...bundle })

/** Two different ones, by seat. */
const twoOf = (dice: Dice): readonly [Resource, Resource] => {
  const a = dice.pick(resources)
  return [a, dice.pick(resources.filter(name => name !== a))]
}

const deals = resources.flatMap(a =>
  resources.filter(name => name !== a).map((b): readonly [Resource, Resource] => [a, b]),
)

const holdingsOf = ([a, b]: readonly [Resource, Resource]): readonly [Goods, Goods] => {
  const [c, d] = resources.filter(name => name !== a && name !== b) as [Resource, Resource]
  return [goodsOf({ [a]: 3, [b]: 5, [c]: 4, [d]: 2 }), goodsOf({ [a]: 5, [b]: 3, [c]: 2, [d]: 4 })]
}

/** What the seats hold after all trades, if they started with this; null where they could not have made them. */
const afterTrades = (start: readonly Goods[], { trades, pending }: Bazaar) => {
  let holdings = start
  for (const { seat, offer, request } of trades) {
    if (lacking(holdings[seat]!, offer) || lacking(holdings[1 - seat]!, request)) return null
    holdings = traded(holdings, seat, goodsOf(offer), goodsOf(request))
  }
  return pending && lacking(holdings[pending.seat]!, pending.offer) ? null : holdings
}

const traded = (holdings: readonly Goods[], proposer: Seat, offered: Goods, requested: Goods) =>
  holdings.map((held, owner) =>
    owner === proposer ? swap(held, offered, requested) : swap(held, requested, offered),
  )

const isOver = ({ messages }: Bazaar) => messages.length >= maxMessages

const writerOf = ({ first, messages }: Bazaar): Seat => (first + messages.length) % 2

const finalOf = (state: Bazaar): Final => {
  const results = [0, 1].map(seat => resultOf(state, seat))
  const scores = results.map(({ score }) => score)
  const units = results.map(({ totalUnits }) => totalUnits)
  const standing = tally(scores, 'point')
  if (scores[0] !== scores[1]) return { places: placesOf(scores), scores, because: standing }
  const because = `${standing}, ${tally(units, 'unit')} of goods`
  return { places: placesOf(units), scores, because }
}

const resultOf = (state: Bazaar, seat: Seat) => {
  const held = state.holdings[seat]!
  const goal = goalOf(state, seat)
  const progress = Math.min(1, held[goal.resource] / goal.amount)
  return {
    goal,
    resources: held,
    held: held[goal.resource],
    progress,
    goalMet: progress === 1,
    totalUnits: resources.reduce((sum, name) => sum + held[name], 0),
    score: Math.round(goal.points * progress),
  }
}

const goalOf = ({ goals }: Bazaar, seat: Seat) => ({
  resource: goals[seat]!,
  amount: goalAmount,
  points: goalPoints,
})

const write = (state: Bazaar, seat: Seat, content: Json | undefined): Played => {
  if (typeof content !== 'string') return illegal('Missing field: content')
  if (content.trim() === '') return illegal('Message content is empty')
  if (seat !== writerOf(state)) return illegal('It is not your turn')
  const length = [...content].length
  if (length > 2 * maxCharacters)
    return illegal(`Message too long: ${length} chars, limit ${maxCharacters}`)
  if (/[^\P{Cc}\n\t]|\p{Cs}/u.test(content))
    return illegal('Message blocked: of control characters only line feed and tab may be in it')
  const message = { seat, content: cut(content, maxCharacters), truncated: length > maxCharacters }
  const next = { ...state, messages: [...state.messages, message] }
  const event: BazaarEvent = { kind: 'message', number: next.messages.length, ...message }
  if (!isOver(next) || state.pending === null) return moved(next, [event])
  return moved({ ...next, pending: null }, [event, { kind: 'lapsed', ...state.pending }])
}

const propose = (state: Bazaar, seat: Seat, { offer, request }: Fields): Played => {
  if (!isRecord(offer)) return illegal('Missing field: offer')
  if (!isRecord(request)) return illegal('Missing field: request')
  if (state.pending) return illegal('A trade is already pending — accept, reject, or wait')
  const [given, taken] = [bundleOf(offer), bundleOf(request)]
  if (!given || !taken)
    return illegal(`Invalid trade resources: ${resources.join(', ')} in whole numbers from 0`)
  if (isEmpty(given) && isEmpty(taken)) return illegal('Empty trade proposal')
  const wrong = lacking(state.holdings[seat]!, given)
  if (wrong) return illegal(wrong)
  const count = state.proposals[seat]! + 1
  if (count > maxProposals) return illegal(`Too many actions: ${maxProposals} proposals a match`)
  const pending = { seat, offer: given, request: taken }
  return moved({ ...state, pending, proposals: state.proposals.with(seat, count) }, [
    { kind: 'proposed', ...pending },
  ])
}

/** Without what counts nothing, in the order of the list; null where it names or counts what there is not. */
const bundleOf = (sent: Fields): Bundle | null => {
  const isKnown = ([name, amount]: [string, Json | undefined]) =>
    resources.some(known => known === name) && isWhole(amount, 0, Number.MAX_SAFE_INTEGER)
  if (!Object.entries(sent).every(isKnown)) return null
  return Object.fromEntries(
    resources
      .filter(name => Object.hasOwn(sent, name) && sent[name] !== 0)
      .map(name => [name, sent[name]]),
  )
}

const isEmpty = (bundle: Bundle) => Object.keys(bundle).length === 0

const lacking = (held: Goods, wanted: Bundle): string | null => {
  const short = resources.find(name => held[name] < (wanted[name] ?? 0))
  return short ? `Insufficient ${short}: have ${held[short]}, need ${wanted[short]}` : null
}

const accept = (state: Bazaar, seat: Seat): Played => {
  const { pending, holdings, trades, messages } = state
  if (!pending) return illegal('No pending trade to accept')
  if (pending.seat === seat) return illegal('Cannot accept your own trade proposal')
  const wrong = lacking(holdings[seat]!, pending.request)
  if (wrong) return illegal(wrong)
  const next = {
    ...state,
    holdings: traded(holdings, pending.seat, goodsOf(pending.offer), goodsOf(pending.request)),
    pending: null,
    trades: [...trades, { after: messages.length, ...pending }],
  }
  return moved(next, [{ kind: 'accepted', by: seat, ...pending }])
}

const swap = (held: Goods, out: Goods, into: Goods): Goods =>
  goodsOf(Object.fromEntries(resources.map(name => [name, held[name] - out[name] + into[name]])))

/** Either side may: the one who proposed takes it back. */
const reject = (state: Bazaar, seat: Seat): Played => {
  const { pending } = state
  if (!pending) return illegal('No pending trade to reject')
  return moved({ ...state, pending: null }, [
    pending.seat === seat
      ? { kind: 'withdrawn', ...pending }
      : { kind: 'rejected', by: seat, ...pending },
  ])
}

/** What each seat holds and wants, as far as the viewer knows it; the spectators of a live match know nothing of it. */
const goodsTable = (state: Bazaar, viewer: Viewer): readonly Panel[] => {
  const over = isOver(state)
  if (viewer === 'audience' && !over) return []
  const rows = [0, 1].map(seat => {
    if (viewer !== seat && viewer !== 'replay' && !over)
      return [[seatPart(seat)], ...resources.map(() => '?'), 'secret']
    const { resource, amount } = goalOf(state, seat)
    const held = resources.map(name => state.holdings[seat]![name])
    const score = over ? [resultOf(state, seat).score] : []
    return [[seatPart(seat)], ...held, `${amount} ${resource}`, ...score]
  })
  const head = ['Agent', ...resources.map(capital), 'Wanted', ...(over ? ['Points'] : [])]
  return [{ kind: 'table', head, rows }]
}

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

const tradeWords = ({ seat, offer, request }: Trade, verb: string): readonly Part[] => [
  seatPart(seat),
  ` ${verb} ${bundleWords(offer)} for ${bundleWords(request)}.`,
]

const bundleWords = (bundle: Bundle) =>
  Object.entries(bundle)
    .map(([name, amount]) => `${amount} ${name}`)
    .join(', ') || 'nothing'
