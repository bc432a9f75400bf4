import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { bazaar } from './bazaar.ts'
import { Dice } from './dice.ts'
import { illegal, isFinal, isIllegal, type Json, type Seat, stateAfter } from './game.ts'

type State = ReturnType<typeof bazaar.start>

const message = (content: Json = 'hello') => ({ action: 'message', content })
const proposal = (offer: Json, request: Json) => ({ action: 'propose_trade', offer, request })
const accept = { action: 'accept_trade' }
const reject = { action: 'reject_trade' }

const act = (state: State, ...moves: [Seat, Json][]): State =>
  moves.reduce((now, [seat, move]) => {
    const next = stateAfter(bazaar, now, seat, move)
    if (isIllegal(next)) throw new Error(next.reason)
    return next
  }, state)

const talk = (state: State, messages: number): State => {
  const status = bazaar.status(state)
  return messages === 0 || isFinal(status)
    ? state
    : talk(act(state, [status.toMove[0]!, message()]), messages - 1)
}

// Seed 12 deals the goods of the published example, and seat 0 writes first: its goal is food, the other's wood.
const start = bazaar.start(12, 2)
const swapped = act(start, [0, proposal({ wood: 4 }, { food: 5 })], [1, accept])

describe('the start', () => {
  it.each([
    [
      12,
      0,
      ['food', 'wood'],
      { gold: 4, iron: 2, food: 3, wood: 5 },
      { gold: 2, iron: 4, food: 5, wood: 3 },
    ],
    [
      45,
      1,
      ['food', 'wood'],
      { gold: 4, iron: 2, food: 3, wood: 5 },
      { gold: 2, iron: 4, food: 5, wood: 3 },
    ],
    [
      42,
      0,
      ['iron', 'wood'],
      { gold: 4, iron: 3, food: 2, wood: 5 },
      { gold: 2, iron: 5, food: 4, wood: 3 },
    ],
  ])('of seed %i', (seed, first, goals, a, b) => {
    expect(bazaar.start(seed, 2)).toMatchObject({ first, goals, holdings: [a, b] })
    expect(bazaar.status(bazaar.start(seed, 2))).toEqual({ toMove: [first], mayAct: [1 - first] })
  })
})

describe('goals', () => {
  const dealt = Array.from({ length: 6000 }, (_, seed) => bazaar.start(seed, 2, bazaar.setup))
  const goods = ['gold', 'iron', 'food', 'wood']

  it('are two different ones, and the rest is dealt as without a setup', () => {
    for (const [seed, { goals, ...rest }] of dealt.entries()) {
      const { goals: _, ...old } = bazaar.start(seed, 2)
      expect(rest).toEqual(old)
      expect(new Set(goals).size).toBe(2)
    }
  })

  it('cannot be told from holdings, nor from who begins', () => {
    const counts = new Map<string, number>()
    for (const { goals, holdings, first } of dealt)
      for (const seat of [0, 1]) {
        // By how much of it either seat holds, a good is named whatever the deal.
        const held = holdings[seat]![goals[seat]!]
        for (const key of [
          `seat ${seat} holds ${held}`,
          `${first} begins, ${seat}: ${goals[seat]}`,
        ])
          counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    const expected = (key: string) => dealt.length / (key.includes('holds') ? 4 : 8)
    const keys = [0, 1].flatMap(seat => [
      ...[2, 3, 4, 5].map(held => `seat ${seat} holds ${held}`),
      ...[0, 1].flatMap(first => goods.map(good => `${first} begins, ${seat}: ${good}`)),
    ])
    expect([...counts.keys()].toSorted()).toEqual(keys.toSorted())
    // Six standard deviations: with these seeds it is so, and by chance it would be, but once in millions of times.
    for (const [key, n] of counts)
      expect(Math.abs(n - expected(key))).toBeLessThan(6 * Math.sqrt(expected(key)))
  })

  it('of the other seat are as likely each, whatever one has in hand and wants', () => {
    const pairs = new Map<string, number>()
    for (const { goals, holdings } of dealt) {
      const key = JSON.stringify([holdings[0], goals])
      pairs.set(key, (pairs.get(key) ?? 0) + 1)
    }
    // Every deal with every pair of goals: chi-squared with 143 degrees of freedom is under 220 but once in 10,000 times.
    expect(pairs.size).toBe(12 * 12)
    const mean = dealt.length / 144
    expect([...pairs.values()].reduce((sum, n) => sum + (n - mean) ** 2 / mean, 0)).toBeLessThan(
      220,
    )
  })

  it('are imagined by a seat as any but its own, and by spectators with any deal that allows the trades', () => {
    const dice = Dice.fromSeed(1)
    const state = act(
      bazaar.start(12, 2, bazaar.setup),
      [0, proposal({ wood: 5 }, { food: 5 })],
      [1, accept],
    )
    const [own] = state.goals
    const imagined = <T>(viewer: Seat | 'audience', read: (state: State) => T) =>
      new Set(Array.from({ length: 200 }, () => read(bazaar.imagine!(state, viewer, dice))))
    expect(imagined(0, ({ goals }) => goals[1])).toEqual(
      new Set(goods.filter(good => good !== own)),
    )
    expect(imagined(0, ({ goals, holdings }) => JSON.stringify([goals[0], holdings])).size).toBe(1)
    // Only who starts with five of a good can give five of it.
    expect(imagined('audience', ({ holdings }) => JSON.stringify(holdings)).size).toBe(1)
    expect(imagined('audience', ({ goals }) => goals.join()).size).toBe(12)
  })
})

describe('a trade', () => {
  it('moves goods when it is accepted, on either seat’s turn', () => {
    expect(swapped.holdings).toEqual([
      { gold: 4, iron: 2, food: 8, wood: 1 },
      { gold: 2, iron: 4, food: 0, wood: 7 },
    ])
    expect(bazaar.status(swapped)).toEqual({ toMove: [0], mayAct: [1] })
  })

  it('scores as published', () => {
    const end = talk(swapped, 10)
    expect(bazaar.status(end)).toEqual({
      places: [1, 2],
      scores: [100, 88],
      because: '100 points to 88',
    })
  })

  it.each([
    [
      'five for five is a draw',
      { wood: 5 },
      { food: 5 },
      [1, 1],
      '100 points each, 14 units each of goods',
    ],
    ['more goods break a tie', { gold: 1 }, {}, [2, 1], '38 points each, 15 units to 13 of goods'],
    [
      'more than the goal counts no more',
      { wood: 5, gold: 1 },
      { food: 5 },
      [2, 1],
      '100 points each, 15 units to 13 of goods',
    ],
  ])('%s', (_, offer, request, places, because) => {
    const end = talk(act(start, [0, proposal(offer, request)], [1, accept]), 10)
    expect(bazaar.status(end)).toMatchObject({ places, because })
  })

  it('may be rejected by either side, and another proposed', () => {
    for (const seat of [0, 1]) {
      const free = act(start, [1, proposal({ iron: 1 }, {})], [seat, reject])
      expect(free.pending).toBeNull()
      expect(free.holdings).toEqual(start.holdings)
      expect(act(free, [0, proposal({}, { food: 1 })]).pending).toMatchObject({ seat: 0 })
    }
  })

  it('is void when the last message is written before an answer', () => {
    const end = talk(act(talk(start, 9), [0, proposal({ wood: 1 }, {})]), 1)
    expect(end).toMatchObject({ pending: null, holdings: start.holdings })
  })

  it('keeps its goods in one order and without nothing', () => {
    const { pending } = act(start, [0, proposal({ wood: 1, gold: 2, iron: 0, food: -0 }, {})])
    expect(JSON.stringify(pending)).toBe('{"seat":0,"offer":{"gold":2,"wood":1},"request":{}}')
  })

  const pending = act(start, [0, proposal({ wood: 4 }, { food: 6 })])

  it.each<[string, State, Seat, Json, string]>([
    ['no offer', start, 0, proposal(null, {}), 'Missing field: offer'],
    ['no request', start, 0, { action: 'propose_trade', offer: {} }, 'Missing field: request'],
    [
      'another',
      pending,
      1,
      proposal({ iron: 1 }, {}),
      'A trade is already pending — accept, reject, or wait',
    ],
    [
      'unknown goods',
      start,
      0,
      proposal({ silk: 1 }, {}),
      'Invalid trade resources: gold, iron, food, wood in whole numbers from 0',
    ],
    [
      'half goods',
      start,
      0,
      proposal({}, { iron: 0.5 }),
      'Invalid trade resources: gold, iron, food, wood in whole numbers from 0',
    ],
    [
      'less than nothing',
      start,
      0,
      proposal({ iron: -1 }, {}),
      'Invalid trade resources: gold, iron, food, wood in whole numbers from 0',
    ],
    ['nothing', start, 0, proposal({ iron: 0 }, {}), 'Empty trade proposal'],
    [
      'what is not held',
      start,
      0,
      proposal({ wood: 6, iron: 3 }, {}),
      'Insufficient iron: have 2, need 3',
    ],
    ['an answer to nothing', start, 1, accept, 'No pending trade to accept'],
    ['a refusal of nothing', start, 1, reject, 'No pending trade to reject'],
    ['its own', pending, 0, accept, 'Cannot accept your own trade proposal'],
    ['more than it holds', pending, 1, accept, 'Insufficient food: have 5, need 6'],
  ])('cannot be %s', (_, state, seat, move, reason) => {
    expect(bazaar.play(state, seat, move)).toEqual(illegal(reason))
  })

  it('may be proposed 20 times by each side', () => {
    const moves: [Seat, Json][] = [
      [1, proposal({ iron: 1 }, {})],
      [1, reject],
    ]
    const state = act(start, ...Array.from({ length: 20 }, () => moves).flat())
    expect(bazaar.play(state, 1, proposal({ iron: 1 }, {}))).toEqual(
      illegal('Too many actions: 20 proposals a match'),
    )
    expect(bazaar.status(state)).toEqual({ toMove: [0] })
    const asked = act(state, [0, proposal({ iron: 1 }, {})])
    expect(bazaar.status(asked)).toEqual({ toMove: [0], mayAct: [1] })
  })
})

describe('a message', () => {
  it('passes the turn, and the tenth ends it', () => {
    expect(bazaar.status(talk(start, 1))).toEqual({ toMove: [1], mayAct: [0] })
    expect(isFinal(bazaar.status(talk(start, 9)))).toBe(false)
    expect(isFinal(bazaar.status(talk(start, 10)))).toBe(true)
  })

  it.each([
    [1000, 1000, false],
    [1001, 1000, true],
    [2000, 1000, true],
  ])('of %i characters is kept at %i', (sent, kept, truncated) => {
    const [said] = act(start, [0, message('😀'.repeat(sent))]).messages
    expect([...said!.content]).toHaveLength(kept)
    expect(said!.truncated).toBe(truncated)
  })

  it.each<[string, Seat, Json, string]>([
    ['without words', 0, { action: 'message' }, 'Missing field: content'],
    ['of another type', 0, message(7), 'Missing field: content'],
    ['of white space', 0, message(' \n'), 'Message content is empty'],
    ['out of turn', 1, message(), 'It is not your turn'],
    ['too long', 0, message('x'.repeat(2001)), 'Message too long: 2001 chars, limit 1000'],
    [
      'with an escape',
      0,
      message('\u001b[2J'),
      'Message blocked: of control characters only line feed and tab may be in it',
    ],
    [
      'with half a character',
      0,
      message('\ud83d'),
      'Message blocked: of control characters only line feed and tab may be in it',
    ],
    [
      'that is none',
      0,
      'hello',
      'a move has "action": message, propose_trade, accept_trade or reject_trade, got "hello"',
    ],
  ])('%s is refused', (_, seat, move, reason) => {
    expect(bazaar.play(start, seat, move)).toEqual(illegal(reason))
  })

  it('may have lines and tabs', () => {
    expect(act(start, [0, message('a\n\tb')]).messages[0]?.content).toBe('a\n\tb')
  })
})

describe('a secret', () => {
  it('is what the other holds and wants, until it is over', () => {
    const own = bazaar.view(start, 0)
    expect(own).toMatchObject({
      resources: { gold: 4, iron: 2, food: 3, wood: 5 },
      goal: { resource: 'food', amount: 8, points: 100 },
      result: null,
    })
    const dealt = {
      ...start,
      goals: ['food', 'iron'] as const,
      holdings: start.holdings.with(1, swapped.holdings[1]!),
    }
    expect(bazaar.view(dealt, 0)).toEqual(own)
    expect(lookText(bazaar.look(dealt, 0))).toBe(lookText(bazaar.look(start, 0)))
    expect(bazaar.view(start, 'audience')).not.toHaveProperty('goal')
    expect(bazaar.view(start, 'audience')).not.toHaveProperty('resources')
  })

  it('is out at the end', () => {
    expect(bazaar.view(talk(swapped, 10), 'audience').result).toEqual([
      {
        goal: { resource: 'food', amount: 8, points: 100 },
        resources: { gold: 4, iron: 2, food: 8, wood: 1 },
        held: 8,
        progress: 1,
        goalMet: true,
        totalUnits: 15,
        score: 100,
      },
      {
        goal: { resource: 'wood', amount: 8, points: 100 },
        resources: { gold: 2, iron: 4, food: 0, wood: 7 },
        held: 7,
        progress: 7 / 8,
        goalMet: false,
        totalUnits: 13,
        score: 88,
      },
    ])
  })
})

describe('bazaar', () => {
  it('draws the stalls, the trades and the talk', () => {
    const state = act(swapped, [0, message('Thank\nyou')], [1, proposal({}, { gold: 1, iron: 2 })])
    expect(lookText(bazaar.look(state, 0))).toBe(
      [
        'Message 2 of 10',
        'Agent   Gold  Iron  Food  Wood  Wanted',
        'seat 0     4     2     8     1  8 food',
        'seat 1     ?     ?     ?     ?  secret',
        'seat 0: Thank you',
        'Traded: seat 0 gave 4 wood for 5 food.',
        'Open: seat 1 offers nothing for 1 gold, 2 iron.',
      ].join('\n'),
    )
  })

  it('is played by dice with every kind of move, out of turn too', () => {
    const dice = Dice.fromSeed(5)
    const actions = new Set<string>()
    for (let state = start; ; ) {
      const status = bazaar.status(state)
      if (isFinal(status)) break
      const seat = dice.pick([...status.toMove, ...(status.mayAct ?? [])])
      const move = bazaar.anyMove?.(state, seat, dice) as { action: string }
      actions.add(`${move.action} ${status.toMove.includes(seat) ? 'in' : 'out of'} turn`)
      state = act(state, [seat, move])
    }
    expect([...actions].sort()).toEqual([
      'accept_trade in turn',
      'accept_trade out of turn',
      'message in turn',
      'propose_trade in turn',
      'propose_trade out of turn',
      'reject_trade in turn',
      'reject_trade out of turn',
    ])
  })
})
