import { describe, expect, it } from 'vitest'
import {
  ClawpolyHouse,
  type Heard,
  throwing,
  withPlayers,
  withSquares,
} from '../../../test/support/clawpoly-house.ts'

const typesOf = (heard: readonly Heard[]) => heard.map(({ type }) => type)
const only = (heard: readonly Heard[], type: string): Heard => {
  expect(typesOf(heard)).toEqual([type])
  return heard[0].data
}

describe('the session of the reference', () => {
  it('is played message by message', async () => {
    const house = new ClawpolyHouse({
      start: state => ({ ...state, dice: throwing(3, 3, 4, 2, 1, 2) }),
    })
    const [nova, pike] = await house.playing({ agents: 2, turnLimit: 3 })
    const [welcome, started, turn] = nova!.heard
    expect(welcome).toEqual({
      type: 'agent:welcome',
      data: {
        playerId: 'agent-0',
        roomId: nova!.seat.room.id,
        gameConfig: { maxPlayers: 2, turnLimit: 3, gameSpeed: 'instant' },
      },
      timestamp: '2026-01-01T00:00:00.000Z',
    })
    expect(started.data).toMatchObject({
      turnOrder: ['agent-0', 'agent-1'],
      players: [
        { id: 'agent-0', name: 'Nova', token: 'lobster' },
        { id: 'agent-1', name: 'Pike', token: 'crab' },
      ],
    })
    expect(started.data.board).toHaveLength(40)
    expect(started.data.board[6]).toEqual({
      ...{ index: 6, name: 'Ningaloo Reef', type: 'property', colorGroup: 'Coastal Waters' },
      ...{ price: 100, rent: [6, 30, 90, 270, 400, 550], outpostCost: 100, fortressCost: 500 },
      ...{ mortgageValue: 50, owner: null, outposts: 0, fortress: false, mortgaged: false },
    })
    expect(started.data.board[0]).toEqual({
      ...{ index: 0, name: 'Set Sail', type: 'special', colorGroup: null, price: null },
      ...{ rent: null, outpostCost: null, fortressCost: null, mortgageValue: null },
      ...{ owner: null, outposts: 0, fortress: false, mortgaged: false },
    })
    expect(turn.type).toBe('agent:your_turn')
    expect(turn.data.availableActions).toEqual(['roll_dice', 'trade_offer'])
    expect(turn.data.gameState).toMatchObject({
      turnNumber: 1,
      you: {
        ...{ id: 'agent-0', money: 1500, position: 0, properties: [], inLobsterPot: false },
        ...{ lobsterPotTurns: 0, escapeCards: 0 },
      },
      opponents: [
        {
          ...{ id: 'agent-1', name: 'Pike', money: 1500, position: 0 },
          ...{ properties: [], inLobsterPot: false },
        },
      ],
    })
    expect(turn.data.gameState.lastEvents).toMatchObject([
      { sequence: 0, turnNumber: 1, type: 'started', playerId: null },
      { sequence: 1, turnNumber: 1, type: 'turn_start', playerId: 'agent-0', data: {} },
    ])
    expect(pike!.types).toEqual(['agent:welcome', 'agent:game_started'])

    expect(only(nova!.act('roll_dice', {}), 'agent:buy_decision')).toEqual({
      property: {
        ...{ index: 6, name: 'Ningaloo Reef', colorGroup: 'Coastal Waters', price: 100 },
        rent: [6, 30, 90, 270, 400, 550],
      },
      yourMoney: 1500,
      availableActions: ['buy', 'pass'],
    })
    const again = only(nova!.act('buy', { squareIndex: 6 }), 'agent:your_turn')
    expect(again.gameState).toMatchObject({ turnNumber: 1, you: { money: 1400, properties: [6] } })
    expect(again.gameState.board[6].owner).toBe('agent-0')
    expect(again.availableActions).toEqual(['roll_dice', 'mortgage', 'trade_offer'])
    expect(typesOf(again.gameState.lastEvents)).toEqual([
      ...['dice_rolled', 'player_moved', 'property_bought'],
    ])
    expect(only(nova!.act('roll_dice'), 'agent:buy_decision')).toEqual({
      property: { index: 12, name: 'Electric Eel Power', price: 150 },
      ...{ yourMoney: 1400, availableActions: ['buy', 'pass'] },
    })
    expect(only(nova!.act('pass'), 'agent:build_decision')).toEqual({
      ...{ buildableProperties: [], yourMoney: 1400 },
      availableActions: ['end_turn', 'mortgage', 'trade_offer'],
    })
    expect(nova!.act('end_turn')).toEqual([])
    const second = only(pike!.heard, 'agent:your_turn')
    expect(second.gameState).toMatchObject({ turnNumber: 2, you: { position: 0, money: 1500 } })
    expect(typesOf(second.gameState.lastEvents).slice(0, 3)).toEqual([
      ...['started', 'turn_start', 'dice_rolled'],
    ])
    expect(house.failures).toEqual([])
  })

  it('names what a current asks, and its price', async () => {
    const house = new ClawpolyHouse({ start: state => ({ ...state, dice: throwing(2, 3) }) })
    const [nova] = await house.playing()
    void nova!.heard
    expect(only(nova!.act('roll_dice'), 'agent:buy_decision').property).toEqual({
      ...{ index: 5, name: "Poseidon's Current", colorGroup: null, price: 200 },
      rent: [25, 50, 100, 200],
    })
  })

  it('ends at the turn limit, with standings by wealth', async () => {
    const house = new ClawpolyHouse({ start: state => ({ ...state, dice: throwing(1, 2) }) })
    const [nova, pike] = await house.playing({ turnLimit: 1 })
    nova!.act('roll_dice')
    nova!.act('buy')
    nova!.act('end_turn')
    await house.pass(0)
    const over = only(pike!.heard.slice(2), 'agent:game_over')
    expect(over).toEqual({
      ...{ winnerId: 'agent-1', reason: 'turn_limit' },
      finalStandings: [
        { id: 'agent-1', placement: 1, money: 1500, properties: 0 },
        { id: 'agent-0', placement: 2, money: 1440, properties: 1 },
      ],
    })
    expect([nova!.closeCode, pike!.closeCode]).toEqual([1000, 1000])
    expect(house.lobby.seat(nova!.seat.agentToken)).toBe(undefined)
  })
})

describe('prompts', () => {
  it('in the pot: what is possible, and no your_turn', async () => {
    for (const [money, escapeCards, actions] of [
      [1500, 1, ['escape_pay', 'escape_card', 'escape_roll']],
      [49, 1, ['escape_card', 'escape_roll']],
      [50, 0, ['escape_pay', 'escape_roll']],
      [49, 0, ['escape_roll']],
    ] as const) {
      const house = new ClawpolyHouse({
        start: state =>
          withPlayers(
            { ...state, phase: 'pot' },
            { money, position: 10, inPot: true, potTurns: 1, escapeCards },
          ),
      })
      const [nova] = await house.playing()
      const [, , prompt] = nova!.heard
      expect(prompt).toMatchObject({
        type: 'agent:lobster_pot_decision',
        data: { turnsTrapped: 1, hasEscapeCard: escapeCards > 0, yourMoney: money },
      })
      expect(prompt.data.availableActions).toEqual(actions)
    }
  })

  it('with a whole colour: what can be built, and the same prompt again after each building', async () => {
    const house = new ClawpolyHouse({
      start: state =>
        withSquares({ ...state, phase: 'build' }, { 1: { owner: 0 }, 3: { owner: 0 } }),
    })
    const [nova] = await house.playing()
    const [, , prompt] = nova!.heard
    expect(prompt.data.buildableProperties[0]).toEqual({
      ...{ index: 1, name: 'Tidal Pool Flats', currentOutposts: 0 },
      ...{ canBuildOutpost: true, canBuildFortress: false, outpostCost: 100, fortressCost: 500 },
    })
    expect(prompt.data.availableActions).toEqual(['build', 'end_turn', 'mortgage', 'trade_offer'])
    const next = only(nova!.act('build', { squareIndex: 1, type: 'outpost' }), prompt.type)
    expect(next.buildableProperties.map(({ index }: Heard) => index)).toEqual([3])
    expect(next.yourMoney).toBe(1400)
    expect(next.availableActions).toEqual(['build', 'end_turn', 'sell_building', 'trade_offer'])
  })

  it('with a debt: the whole amount, and what can be mortgaged and sold', async () => {
    const house = new ClawpolyHouse({
      start: state =>
        withSquares(
          withPlayers({ ...state, dice: throwing(1, 3) }, { money: 50 }),
          // Square 4 takes 200.
          { 39: { owner: 0 }, 1: { owner: 0, level: 1 }, 3: { owner: 0 } },
        ),
    })
    const [nova] = await house.playing()
    void nova!.heard
    expect(only(nova!.act('roll_dice'), 'agent:must_raise_funds')).toEqual({
      ...{ amount: 200, yourMoney: 50 },
      mortgageable: [{ index: 39, name: "Claw Emperor's Domain", mortgageValue: 200 }],
      sellableBuildings: [{ index: 1, name: 'Tidal Pool Flats', type: 'outpost', sellValue: 50 }],
      availableActions: ['mortgage', 'sell_building'],
    })
    const more = only(nova!.act('sell_building', { squareIndex: 1 }), 'agent:must_raise_funds')
    expect(more).toMatchObject({ amount: 200, yourMoney: 100, sellableBuildings: [] })
    expect(only(nova!.act('mortgage', { squareIndex: 39 }), 'agent:build_decision').yourMoney).toBe(
      100,
    )
  })
})

describe('a trade', () => {
  const owned = (state: Parameters<typeof withSquares>[0]) =>
    withSquares(state, { 1: { owner: 0 }, 39: { owner: 1, mortgaged: true } })

  it.each([true, false])('is answered by %s, and the offerer is asked again', async accept => {
    const house = new ClawpolyHouse({ start: owned })
    const [nova, pike] = await house.playing()
    void [nova!.heard, pike!.heard]
    const offer = {
      toId: 'agent-1',
      offering: { properties: [1], money: 10 },
      requesting: { properties: [39] },
    }
    expect(nova!.act('trade_offer', offer)).toEqual([])
    const received = only(pike!.heard, 'agent:trade_received')
    expect(received).toEqual({
      ...{ tradeId: 'trade-1', fromId: 'agent-0', fromName: 'Nova' },
      offer: {
        giving: { properties: [1], money: 10, escapeCards: 0 },
        requesting: { properties: [39], money: 0, escapeCards: 0 },
      },
      availableActions: ['trade_respond'],
    })
    expect(pike!.act('trade_respond', { tradeId: 'trade-1', accept })).toEqual([])
    const [result, again] = nova!.heard
    expect(result).toMatchObject({
      type: 'agent:trade_result',
      data: { tradeId: 'trade-1', accepted: accept, ...(!accept && { reason: 'refused' }) },
    })
    expect(again.type).toBe('agent:your_turn')
    expect(again.data.gameState.you.properties).toEqual(accept ? [39] : [1])
  })

  it('is refused at once by one that is away', async () => {
    const house = new ClawpolyHouse({ start: owned })
    const [nova, pike] = await house.playing({ gameSpeed: 'instant' })
    pike!.drop()
    void nova!.heard
    nova!.act('trade_offer', { toId: 'agent-1', offering: { money: 1 }, requesting: {} })
    await house.pass(50)
    expect(nova!.heard).toMatchObject([
      { type: 'agent:trade_result', data: { accepted: false, reason: 'no answer' } },
      { type: 'agent:your_turn' },
    ])
  })

  it('may be offered three times a turn', async () => {
    const house = new ClawpolyHouse({ start: owned })
    const [nova, pike] = await house.playing()
    for (const tradeId of ['trade-1', 'trade-2', 'trade-3']) {
      nova!.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } })
      pike!.act('trade_respond', { tradeId, accept: false })
    }
    const { availableActions } = nova!.last('agent:your_turn').data
    expect(availableActions).toEqual(['roll_dice', 'mortgage'])
    void nova!.heard
    expect(
      only(nova!.act('trade_offer', { toId: 'agent-1', offering: { money: 1 } }), 'error').code,
    ).toBe('INVALID_ACTION')
  })
})
