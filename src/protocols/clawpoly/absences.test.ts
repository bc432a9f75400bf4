import { describe, expect, it } from 'vitest'
import {
  type ClawpolyClient,
  ClawpolyHouse,
  type Heard,
  throwing,
  withPlayers,
  withSquares,
} from '../../../test/support/clawpoly-house.ts'
import type { Speed } from '../../arena/pace.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'

type Start = (state: Clawpoly) => Clawpoly

/** After a deadline the referee waits for a moment. */
const lag = 25

const begun = async (start: Start = state => state, gameSpeed: Speed = 'instant', agents = 2) => {
  const house = new ClawpolyHouse({ start })
  const clients = await house.playing({ gameSpeed, agents })
  for (const client of clients) void client.heard
  const [nova, pike, vega] = clients as [ClawpolyClient, ClawpolyClient, ClawpolyClient]
  return { house, nova, pike, vega }
}

/** Plays on for as long as it is asked, without buying or building. */
const goOn = (client: ClawpolyClient) => {
  const { seat } = client
  for (let before: typeof seat.prompt = null; seat.prompt !== null && seat.prompt !== before; ) {
    before = seat.prompt
    const [first] = before.availableActions
    client.act(first === 'buy' ? 'pass' : first === 'build' ? 'end_turn' : first!)
  }
}

const typesOf = (heard: readonly Heard[]) => heard.map(({ type }) => type)
const timeouts = (heard: readonly Heard[]) =>
  heard.filter(({ type }) => type === 'error').map(({ data }) => data)

describe('timeouts', () => {
  it('of one prompt after the other fall back, warn at the third, and lose at the fifth', async () => {
    const { house, nova, pike } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
    const told: Heard[] = []
    for (let strikes = 1; strikes <= 5; strikes++) {
      await house.pass(30_000 + lag)
      told.push(...timeouts(nova.heard))
      goOn(pike)
    }
    expect(told.map(({ code }) => code)).toEqual(Array(5).fill('AGENT_TIMEOUT'))
    expect(told.map(({ context }) => context.consecutiveTimeouts)).toEqual([1, 2, 3, 4, 5])
    expect(told.slice(0, 3).map(({ context }) => context)).toEqual([
      { consecutiveTimeouts: 1, fallback: 'roll_dice' },
      { consecutiveTimeouts: 2, fallback: 'pass' },
      { consecutiveTimeouts: 3, fallback: 'end_turn', warning: true },
    ])
    expect(told[4].context.fallback).toBe('bankrupt')
    expect(pike.last('agent:game_over').data).toMatchObject({
      ...{ winnerId: 'agent-1', reason: 'last_standing' },
      finalStandings: [
        { id: 'agent-1', placement: 1 },
        { id: 'agent-0', placement: 2, bankruptAtTurn: expect.any(Number) },
      ],
    })
    expect(nova.last('agent:game_over').data).toEqual(pike.last('agent:game_over').data)
  })

  it('are counted in a row: an accepted action clears them, and an error does not', async () => {
    const { house, nova } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
    await house.pass(30_000 + lag)
    expect(timeouts(nova.heard)[0].context.consecutiveTimeouts).toBe(1)
    nova.act('buy', { squareIndex: 99 })
    await house.pass(30_000 + lag)
    expect(timeouts(nova.heard).at(-1).context.consecutiveTimeouts).toBe(2)
    nova.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
    await house.pass(30_000 + lag)
    void nova.heard
    await house.pass(30_000 + lag)
    expect(timeouts(nova.heard)[0].context.consecutiveTimeouts).toBe(1)
  })

  it('an error does not restart the 30 s', async () => {
    const { house, nova } = await begun()
    await house.pass(29_000)
    nova.act('end_turn')
    await house.pass(1_000 + lag)
    expect(timeouts(nova.heard).map(({ code }) => code)).toEqual(['AGENT_TIMEOUT'])
  })

  it.each<[string, Start, string]>([
    [
      'the pot',
      state =>
        withPlayers(
          { ...state, phase: 'pot', dice: throwing(1, 2) },
          { inPot: true, position: 10 },
        ),
      'escape_roll',
    ],
    [
      'a debt',
      state =>
        withSquares(
          withPlayers(
            {
              ...{ ...state, phase: 'debt' },
              debt: { debtor: 0, creditor: null, amount: 100, why: 'tax' },
            },
            { money: 50, position: 4 },
          ),
          { 39: { owner: 0 } },
        ),
      'raise',
    ],
  ])('in %s', async (_, start, fallback) => {
    const { house, nova } = await begun(start)
    await house.pass(30_000 + lag)
    expect(timeouts(nova.heard)[0].context).toEqual({ consecutiveTimeouts: 1, fallback })
  })

  it('of an offer count for the one that was asked', async () => {
    const { house, nova, pike } = await begun()
    nova.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
    await house.pass(30_000 + lag)
    expect(timeouts(pike.heard)[0].context).toEqual({
      ...{ consecutiveTimeouts: 1, fallback: 'trade_respond' },
    })
    expect(nova.heard).toMatchObject([
      { type: 'agent:trade_result', data: { accepted: false, reason: 'no answer' } },
      { type: 'agent:your_turn' },
    ])
  })

  it('an offerer whose clock stood still has its full time again', async () => {
    const { house, nova, pike } = await begun()
    await house.pass(20_000)
    nova.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
    await house.pass(5_000)
    pike.act('trade_respond', { tradeId: 'trade-1', accept: false })
    void nova.heard
    await house.pass(29_900)
    expect(nova.heard).toEqual([])
    await house.pass(100 + lag)
    expect(timeouts(nova.heard)).toMatchObject([{ code: 'AGENT_TIMEOUT' }])
  })
})

describe('an agent that is away', () => {
  it('stops a game of normal speed for 60 s, in which every action is INVALID_ACTION', async () => {
    const { house, nova, pike, vega } = await begun(state => state, 'normal', 3)
    pike.drop()
    // Also of one that is asked nothing.
    expect(timeouts(vega.act('roll_dice'))).toMatchObject([{ code: 'INVALID_ACTION' }])
    expect((await house.lobby.room(nova.seat.room.id))?.status).toBe('paused')
    expect(timeouts(nova.act('roll_dice'))).toMatchObject([{ code: 'INVALID_ACTION' }])
    await house.pass(59_000)
    expect(nova.heard).toEqual([])
    await house.pass(1_000 + lag)
    expect(house.lobby.room(nova.seat.room.id)?.status).toBe('playing')
    // The prompt comes again, with the full time.
    expect(typesOf(nova.heard)).toEqual(['agent:your_turn'])
    await house.pass(29_900)
    expect(nova.heard).toEqual([])
    await house.pass(200)
    expect(timeouts(nova.heard)).toMatchObject([{ code: 'AGENT_TIMEOUT' }])
  })

  it('does not stop a fast game', async () => {
    const { house, nova, pike } = await begun(state => state, 'fast')
    pike.drop()
    expect(house.lobby.room(nova.seat.room.id)?.status).toBe('playing')
    expect(timeouts(nova.act('roll_dice'))).toEqual([])
  })

  it('is played by fallbacks at once, which are no timeouts', async () => {
    const { house, nova, pike } = await begun(state => ({ ...state, dice: throwing(1, 2, 1, 2) }))
    nova.drop()
    await house.pass(4 * lag)
    // Rolled, passed, ended its turn.
    expect(typesOf(pike.heard)).toEqual(['agent:your_turn'])
    const back = house.connect(nova.seat)
    expect(timeouts(back.heard)).toEqual([])
  })

  it.each<[Speed, number]>([
    ['normal', 300_000],
    ['instant', 300_000],
  ])(
    'for 5 min of a %s game is out, and its token is worth nothing',
    async (speed, ms) => {
      const { house, nova, pike, vega } = await begun(state => state, speed, 3)
      const { agentToken } = pike.seat
      pike.drop()
      for (let left = ms; left > 10_000; left -= 10_000) {
        await house.pass(10_000)
        for (const client of [nova, vega]) goOn(client)
      }
      await house.pass(9_000)
      expect(house.lobby.seat(agentToken)).toBe(pike.seat)
      await house.pass(1_000 + lag)
      expect(house.lobby.seat(agentToken)).toBe(undefined)
      expect(nova.seat.live?.state.players[1]?.bankruptAt).not.toBe(null)
      expect(nova.closeCode).toBe(undefined)
      expect(house.failures).toEqual([])
    },
    20_000,
  )
})

describe('coming back', () => {
  it.each<[string, Start, readonly string[]]>([
    ['ROLL', state => state, ['agent:your_turn']],
    [
      'POT',
      state => withPlayers({ ...state, phase: 'pot' }, { inPot: true, position: 10 }),
      ['agent:your_turn', 'agent:lobster_pot_decision'],
    ],
    [
      'BUY',
      state => withPlayers({ ...state, phase: 'buy' }, { position: 6 }),
      ['agent:your_turn', 'agent:buy_decision'],
    ],
    ['BUILD', state => ({ ...state, phase: 'build' }), ['agent:your_turn', 'agent:build_decision']],
    [
      'DEBT in its turn',
      state =>
        withSquares(
          withPlayers(
            {
              ...{ ...state, phase: 'debt' },
              debt: { debtor: 0, creditor: null, amount: 100, why: 'tax' },
            },
            { money: 50, position: 4 },
          ),
          { 39: { owner: 0 } },
        ),
      ['agent:your_turn', 'agent:must_raise_funds'],
    ],
    [
      'DEBT off its turn',
      state =>
        withSquares(
          withPlayers(
            {
              ...{ ...state, phase: 'debt', current: 1 },
              debt: { debtor: 0, creditor: 1, amount: 100, why: 'card' },
            },
            { money: 50 },
          ),
          { 39: { owner: 0 } },
        ),
      ['agent:must_raise_funds'],
    ],
    [
      'TRADE off its turn',
      state => ({
        ...{ ...state, phase: 'trade', current: 1, trades: 1, offers: 1 },
        trade: {
          ...{ id: 1, from: 1, to: 0, phase: 'roll' },
          giving: { properties: [], money: 1, escapeCards: 0 },
          requesting: { properties: [], money: 2, escapeCards: 0 },
        },
      }),
      ['agent:trade_received'],
    ],
    ['the turn of another', state => ({ ...state, current: 1 }), []],
  ])('in %s', async (_, start, expected) => {
    const { house, nova } = await begun(start, 'normal')
    const asked = nova.seat.prompt
    nova.drop()
    const again = house.connect(nova.seat)
    const heard = again.heard
    expect(typesOf(heard)).toEqual(['agent:welcome', ...expected])
    expect(heard[0].data).toMatchObject({ playerId: 'agent-0', reconnected: true })
    if (expected[0] === 'agent:your_turn')
      expect(heard[1].data.availableActions).toEqual(asked!.availableActions)
    if (asked !== null) expect(again.seat.prompt?.type).toBe(asked.type)
  })

  it('a second socket takes the place of the first, and the time runs on', async () => {
    const { house, nova } = await begun()
    await house.pass(20_000)
    const again = house.connect(nova.seat)
    expect(nova.closeCode).toBe(4000)
    expect(typesOf(again.heard)).toEqual(['agent:welcome', 'agent:your_turn'])
    // That the older one closes changes nothing.
    nova.drop()
    expect(nova.seat.isConnected).toBe(true)
    await house.pass(10_000 + lag)
    expect(timeouts(again.heard)).toMatchObject([{ code: 'AGENT_TIMEOUT' }])
  })

  it('after the end of the pause its time is full again', async () => {
    const { house, nova } = await begun(state => state, 'slow')
    await house.pass(20_000)
    nova.drop()
    await house.pass(30_000)
    const again = house.connect(nova.seat)
    void again.heard
    await house.pass(29_900)
    expect(again.heard).toEqual([])
    await house.pass(200)
    expect(timeouts(again.heard)).toMatchObject([{ code: 'AGENT_TIMEOUT' }])
  })

  it('after a pause in which no one was there it plays on', async () => {
    const { house, nova, pike } = await begun(state => state, 'normal')
    nova.drop()
    pike.drop()
    await house.pass(100_000)
    const back = [house.connect(nova.seat), house.connect(pike.seat)]
    await house.pass(10_000)
    const asked = back.find(({ seat }) => seat.prompt !== null)!
    void asked.heard
    const [action] = asked.seat.prompt!.availableActions
    expect(typesOf(asked.act(action!))).not.toContain('error')
    expect(house.lobby.room(nova.seat.room.id)?.status).toBe('playing')
  })

  it('hears what has happened since its last turn', async () => {
    const { house, nova, pike } = await begun(state => ({
      ...{ ...state, current: 1, dice: throwing(1, 2, 1, 3) },
    }))
    nova.drop()
    pike.act('roll_dice')
    pike.act('pass')
    pike.act('end_turn')
    const again = house.connect(nova.seat)
    const { lastEvents } = again.last('agent:your_turn').data.gameState
    expect(typesOf(lastEvents)).toEqual([
      ...['started', 'turn_start', 'dice_rolled', 'player_moved', 'property_passed'],
      ...['turn_end', 'turn_start'],
    ])
  })

  it('who comes for the first time is told of the start', async () => {
    const house = new ClawpolyHouse()
    const room = house.room()
    const [nova, pike] = [await house.join(room, 'Nova'), await house.join(room, 'Pike')]
    const first = house.connect(nova)
    await house.lobby.start(room)
    expect(room.live).not.toBe(null)
    const late = house.connect(pike)
    expect(typesOf(late.heard)).toEqual(['agent:welcome', 'agent:game_started'])
    expect(first.types).toContain('agent:your_turn')
  })
})

describe('before the game', () => {
  it('who does not connect for 5 min gives its seat up', async () => {
    const house = new ClawpolyHouse()
    const room = house.room()
    const seat = await house.join(room, 'Nova')
    await house.pass(299_000)
    expect(room.occupants).toHaveLength(1)
    await house.pass(1_001)
    expect(room.occupants).toEqual([])
    expect(house.lobby.seat(seat.agentToken)).toBe(undefined)
  })

  it('who has connected and is lost has 5 min, too', async () => {
    const house = new ClawpolyHouse()
    const room = house.room()
    const client = house.connect(await house.join(room, 'Nova'))
    await house.pass(1_000_000)
    expect(room.occupants).toHaveLength(1)
    client.drop()
    await house.pass(299_000)
    expect(room.occupants).toHaveLength(1)
    house.connect(client.seat)
    await house.pass(1_000_000)
    expect(room.occupants).toHaveLength(1)
  })

  it('a game starts only while all are connected', async () => {
    const house = new ClawpolyHouse()
    const room = house.room()
    const [nova, pike] = [await house.join(room, 'Nova'), await house.join(room, 'Pike')]
    const first = house.connect(nova)
    first.drop()
    house.connect(pike)
    await house.pass(0)
    expect(room.status).toBe('ready')
    house.connect(nova)
    await house.pass(0)
    expect(room.status).toBe('playing')
  })
})

it('a bankrupt agent keeps its socket, is asked nothing, and hears how the game ends', async () => {
  const { house, nova, pike, vega } = await begun(
    state => withPlayers({ ...state, dice: throwing(1, 3) }, { money: 10 }),
    'instant',
    3,
  )
  nova.act('roll_dice')
  expect(nova.heard).toEqual([])
  expect(nova.closeCode).toBe(undefined)
  expect(timeouts(nova.act('roll_dice'))).toMatchObject([{ code: 'NOT_YOUR_TURN' }])
  const { opponents } = pike.last('agent:your_turn').data.gameState
  expect(opponents.map(({ id, isBankrupt }: Heard) => [id, isBankrupt])).toEqual([
    ['agent-2', undefined],
    ['agent-0', true],
  ])
  for (let i = 0; i < 5; i++) {
    await house.pass(30_000 + lag)
    goOn(vega)
  }
  const over = nova.last('agent:game_over').data
  expect(over).toMatchObject({ winnerId: 'agent-2', reason: 'last_standing' })
  expect(over.finalStandings[2]).toEqual({ id: 'agent-0', placement: 3, bankruptAtTurn: 1 })
  expect([nova.closeCode, pike.closeCode]).toEqual([1000, 1000])
})
