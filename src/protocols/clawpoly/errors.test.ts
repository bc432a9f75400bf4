import { describe, expect, it } from 'vitest'
import {
  type ClawpolyClient,
  ClawpolyHouse,
  type Heard,
  throwing,
  withPlayers,
  withSquares,
} from '../../../test/support/clawpoly-house.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'

/** The only answer, which is an error. */
const errorOf = (heard: readonly Heard[]): Heard => {
  expect(heard.map(({ type }) => type)).toEqual(['error'])
  expect(heard[0].data.message).not.toBe('')
  return heard[0].data
}

const begun = async (start: (state: Clawpoly) => Clawpoly) => {
  const house = new ClawpolyHouse({ start })
  const [nova, pike] = (await house.playing()) as [ClawpolyClient, ClawpolyClient]
  void [nova.heard, pike.heard]
  return { house, nova, pike }
}

describe('what cannot be read is INVALID_ACTION, whoever sends it', () => {
  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no type', '{}'],
    ['a type that is a number', '{"type":7}'],
    ['no action', '{"type":"roll_dice"}'],
    ['a type of the host', '{"type":"agent:your_turn"}'],
    ['another action', '{"type":"action:fly","data":{}}'],
    ['a name of an object', '{"type":"action:constructor"}'],
    ['what only old clients send', '{"type":"action:skip_build"}'],
    ['data that is a list', '{"type":"action:roll_dice","data":[]}'],
    ['data that is a text', '{"type":"action:roll_dice","data":"x"}'],
  ])('%s', async (_, text) => {
    const { nova, pike } = await begun(state => state)
    for (const client of [nova, pike])
      expect(errorOf(client.send(text)).code).toBe('INVALID_ACTION')
    // Nothing has happened.
    expect(nova.act('roll_dice')).not.toEqual([])
  })

  it('data may be left out, or null', async () => {
    const { nova } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
    expect(nova.send('{"type":"action:roll_dice"}')).toMatchObject([{ type: 'agent:buy_decision' }])
    expect(nova.send('{"type":"action:pass","data":null}')).toMatchObject([
      { type: 'agent:build_decision' },
    ])
  })
})

describe('who is asked nothing is told NOT_YOUR_TURN', () => {
  it.each([
    ['roll_dice', {}],
    ['buy', { squareIndex: 99 }],
    ['build', {}],
    ['trade_respond', { tradeId: 'trade-9', accept: true }],
    ['escape_pay', {}],
  ])('%s of the other agent', async (name, data) => {
    const { pike } = await begun(state => state)
    expect(errorOf(pike.act(name, data)).code).toBe('NOT_YOUR_TURN')
  })

  it('before the game', async () => {
    const house = new ClawpolyHouse()
    const client = house.connect(await house.join(house.room(), 'Nova'))
    void client.heard
    expect(errorOf(client.act('roll_dice')).code).toBe('NOT_YOUR_TURN')
  })

  it('while its trade is being answered', async () => {
    const { nova } = await begun(state => state)
    nova.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
    expect(errorOf(nova.act('roll_dice')).code).toBe('NOT_YOUR_TURN')
  })
})

const coral = { 11: { owner: 0 }, 13: { owner: 0 }, 14: { owner: 0 } } as const
const cases: readonly [
  string,
  (state: Clawpoly) => Clawpoly,
  string,
  object | undefined,
  string,
][] = [
  ['what is not listed', s => s, 'end_turn', {}, 'INVALID_ACTION'],
  ['a mortgage of nothing', s => s, 'mortgage', { squareIndex: 1 }, 'INVALID_ACTION'],
  [
    'buying another square',
    s => withPlayers({ ...s, phase: 'buy' }, { position: 6 }),
    'buy',
    { squareIndex: 8 },
    'INVALID_PROPERTY',
  ],
  [
    'building nowhere',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    {},
    'INVALID_PROPERTY',
  ],
  [
    'building off the board',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    { squareIndex: 40 },
    'INVALID_PROPERTY',
  ],
  [
    'building on a tax',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    { squareIndex: 4 },
    'INVALID_PROPERTY',
  ],
  [
    "building on another's square",
    s => withSquares({ ...s, phase: 'build' }, { ...coral, 39: { owner: 1 } }),
    'build',
    { squareIndex: 39 },
    'INVALID_PROPERTY',
  ],
  [
    'a square that is a text',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    { squareIndex: '11' },
    'INVALID_PROPERTY',
  ],
  [
    'building without the money',
    s =>
      withPlayers(
        withSquares({ ...s, phase: 'build' }, { ...coral, 1: { owner: 0 }, 3: { owner: 0 } }),
        { money: 120 },
      ),
    'build',
    { squareIndex: 11 },
    'INSUFFICIENT_FUNDS',
  ],
  [
    'building unevenly without the money',
    s =>
      withPlayers(
        withSquares(
          { ...s, phase: 'build' },
          { ...coral, 11: { owner: 0, level: 1 }, 1: { owner: 0 }, 3: { owner: 0 } },
        ),
        { money: 120 },
      ),
    'build',
    { squareIndex: 11 },
    'INSUFFICIENT_FUNDS',
  ],
  [
    'building unevenly',
    s => withSquares({ ...s, phase: 'build' }, { ...coral, 11: { owner: 0, level: 1 } }),
    'build',
    { squareIndex: 11 },
    'INVALID_ACTION',
  ],
  [
    'a fortress before its outposts',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    { squareIndex: 11, type: 'fortress' },
    'INVALID_ACTION',
  ],
  [
    'another kind of building',
    s => withSquares({ ...s, phase: 'build' }, coral),
    'build',
    { squareIndex: 11, type: 'hotel' },
    'INVALID_ACTION',
  ],
  [
    'a mortgage twice',
    s => withSquares(s, { 5: { owner: 0, mortgaged: true }, 15: { owner: 0 } }),
    'mortgage',
    { squareIndex: 5 },
    'INVALID_ACTION',
  ],
  [
    'lifting a mortgage without the money',
    s =>
      withPlayers(
        withSquares(s, { 39: { owner: 0, mortgaged: true }, 1: { owner: 0, mortgaged: true } }),
        { money: 40 },
      ),
    'unmortgage',
    { squareIndex: 39 },
    'INSUFFICIENT_FUNDS',
  ],
  [
    'selling unevenly',
    s => withSquares(s, { 1: { owner: 0, level: 1 }, 3: { owner: 0, level: 2 } }),
    'sell_building',
    { squareIndex: 1 },
    'INVALID_ACTION',
  ],
  ['a trade with no one', s => s, 'trade_offer', { offering: { money: 1 } }, 'INVALID_ACTION'],
  [
    'a trade with itself',
    s => s,
    'trade_offer',
    { toId: 'agent-0', offering: { money: 1 } },
    'INVALID_ACTION',
  ],
  ['an empty trade', s => s, 'trade_offer', { toId: 'agent-1' }, 'INVALID_ACTION'],
  [
    'a trade that is no object',
    s => s,
    'trade_offer',
    { toId: 'agent-1', offering: 7 },
    'INVALID_ACTION',
  ],
  [
    'a trade of money that it has not',
    s => s,
    'trade_offer',
    { toId: 'agent-1', offering: { money: 1501 } },
    'INSUFFICIENT_FUNDS',
  ],
  [
    'a trade of a square that it has not',
    s => s,
    'trade_offer',
    { toId: 'agent-1', offering: { properties: [1] } },
    'INVALID_PROPERTY',
  ],
  [
    'a trade of no square',
    s => s,
    'trade_offer',
    { toId: 'agent-1', requesting: { properties: [99] } },
    'INVALID_PROPERTY',
  ],
  [
    'a trade of a colour with buildings',
    s => withSquares(s, { 1: { owner: 0 }, 3: { owner: 0, level: 1 } }),
    'trade_offer',
    { toId: 'agent-1', offering: { properties: [1] } },
    'INVALID_ACTION',
  ],
  [
    'a trade of an escape card that it has not',
    s => s,
    'trade_offer',
    { toId: 'agent-1', offering: { escapeCards: 1 } },
    'INVALID_ACTION',
  ],
  [
    'paying for the way out without the money',
    s => withPlayers({ ...s, phase: 'pot' }, { inPot: true, position: 10, money: 49 }),
    'escape_pay',
    {},
    'INVALID_ACTION',
  ],
  [
    'a card for the way out that it has not',
    s => withPlayers({ ...s, phase: 'pot' }, { inPot: true, position: 10 }),
    'escape_card',
    {},
    'INVALID_ACTION',
  ],
]

describe('of an agent that is asked', () => {
  it.each(cases)('%s', async (_, start, name, data, code) => {
    const { nova } = await begun(start)
    const { prompt } = nova.seat
    const error = errorOf(nova.act(name, data))
    expect(error.code).toBe(code)
    const squareIndex = Object(data).squareIndex
    if (squareIndex !== undefined && code !== 'INVALID_ACTION')
      expect(error.context).toEqual({ squareIndex })
    // It is asked the same still, and its clock runs on.
    expect(nova.seat.prompt).toBe(prompt)
    expect(nova.connection.refusals).toEqual([code.toLowerCase().replace('_', '-')])
  })

  it.each([
    ['another trade', { tradeId: 'trade-2', accept: true }],
    ['no answer', { tradeId: 'trade-1' }],
    ['a word', { tradeId: 'trade-1', accept: 'yes' }],
  ])('an answer to a trade with %s', async (_, data) => {
    const { nova, pike } = await begun(state => state)
    nova.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
    void pike.heard
    expect(errorOf(pike.act('trade_respond', data)).code).toBe('INVALID_ACTION')
    expect(pike.act('trade_respond', { tradeId: 'trade-1', accept: true })).toEqual([])
    expect(nova.seat.prompt?.type).toBe('agent:your_turn')
  })

  it('who sends too much that answers nothing is read more slowly', async () => {
    const { house, pike } = await begun(state => state)
    const text = JSON.stringify({ type: 'action:roll_dice' })
    const pauses = Array.from({ length: 101 }, () => pike.socket.receive(text))
    expect(pauses.slice(0, 100)).toEqual(Array(100).fill(undefined))
    let isRead = false
    void pauses[100]?.then(() => {
      isRead = true
    })
    // It is answered all the same.
    expect(pike.heard).toHaveLength(101)
    await house.pass(999)
    expect(isRead).toBe(false)
    await house.pass(1)
    expect(isRead).toBe(true)
    expect(pike.socket.receive(text)).toBe(undefined)
  })

  it('a debtor that can only sell is told what is wrong with a mortgage', async () => {
    const { nova } = await begun(state =>
      withSquares(
        withPlayers(
          {
            ...{ ...state, phase: 'debt' },
            debt: { debtor: 0, creditor: null, amount: 100, why: 'tax' },
          },
          { money: 50, position: 4 },
        ),
        { 1: { owner: 0, level: 1 }, 3: { owner: 0, level: 1 } },
      ),
    )
    for (const [squareIndex, code] of [
      [7, 'INVALID_PROPERTY'],
      [39, 'INVALID_PROPERTY'],
      [1, 'INVALID_ACTION'],
    ])
      expect(errorOf(nova.act('mortgage', { squareIndex })).code).toBe(code)
    expect(nova.act('sell_building', { squareIndex: 1 })).not.toMatchObject([{ type: 'error' }])
  })
})
