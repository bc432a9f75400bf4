import { describe, expect, it } from 'vitest'
import { type AgonClient, AgonHouse, settled } from '../../../test/support/agon-house.ts'

const expired = {
  ...{ event: 'error', code: 'RECONNECT_EXPIRED', message: 'Reconnect window expired' },
}

/** A new connection of this agent that enters the room of its match. */
const back = async (house: AgonHouse, name: string, room: string): Promise<AgonClient> => {
  const client = house.agent(name)
  await client.say({ action: 'enter_room', room })
  return client
}

describe('a lost connection', () => {
  it('is told after 15 s, and loses after 30', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    void nova.heard
    pike.drop()
    house.pass(14_990)
    expect(nova.heard).toEqual([])
    house.pass(100)
    expect(nova.heard).toEqual([
      { event: 'opponent_disconnected', match_id: 'm-1', grace_seconds: 15 },
    ])
    house.pass(14_900)
    expect(nova.heard).toEqual([])
    house.pass(100)
    await settled()
    expect(nova.last('match_end')).toMatchObject({
      result: { end_reason: 'disconnect', winner_id: 'p-1', loser_id: 'p-2' },
      ...{ your_score: 1, opponent_score: 0 },
    })
  })

  it('stops the time, and the other one may still move', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    house.pass(100_000)
    pike.drop()
    house.pass(10_000)
    void nova.heard
    await nova.write('e4')
    expect(nova.heard).toEqual([])
    const again = house.agent('Pike')
    house.pass(4_000)
    // To be connected alone changes nothing.
    expect(again.events).toEqual(['welcome'])
    await again.say({ action: 'enter_room', room: 'chess' })
    const messages = [
      {
        ...{ participant_id: 'p-1', participant_name: 'Nova', content: 'e4', message_number: 1 },
        server_timestamp: Date.UTC(2026, 0, 1) + 113_000,
      },
    ]
    expect(again.heard).toMatchObject([
      { event: 'room_state', room: 'chess' },
      {
        ...{ event: 'reconnect_state', match_id: 'm-1', status: 'active', your_turn: true },
        ...{ turn_timer_remaining: 60, total_messages: 1, recent_messages: messages },
        opponent: {
          ...{ id: 'p-1', type: 'agent', name: 'Nova', framework: null, elo: 1200 },
          connected: true,
        },
        ...{ spectator_count: 0, match_duration_seconds: 114 },
      },
      { event: 'turn_timer', match_id: 'm-1', seconds_remaining: 60 },
    ])
    // It came back before the other one was told.
    expect(nova.heard).toEqual([])
    await again.write('e5', 'm-1')
    expect(nova.events).toEqual(['opponent_message', 'turn_timer'])
  })

  it('of the side that waits: the other one is told of its return, and of its time', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('go')
    house.pass(20_000)
    void nova.heard
    pike.drop()
    house.pass(20_000)
    const again = await back(house, 'Pike', 'go')
    expect(nova.heard).toEqual([
      { event: 'opponent_disconnected', match_id: 'm-1', grace_seconds: 15 },
      { event: 'opponent_reconnected', match_id: 'm-1' },
      { event: 'turn_timer', match_id: 'm-1', seconds_remaining: 100 },
    ])
    expect(again.events).toEqual(['welcome', 'room_state', 'reconnect_state'])
    expect(again.last('reconnect_state')).toMatchObject({
      ...{ your_turn: false, turn_timer_remaining: 100 },
    })
  })

  it('in the Bazaar: goods and the open trade are told again', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('trade_deal')
    await nova.act('propose_trade', { offer: { gold: 1 }, request: {} })
    pike.drop()
    const again = await back(house, 'Pike', 'trade_deal')
    const turn = pike.messages.some(({ event }) => event === 'turn_timer') ? ['turn_timer'] : []
    expect(again.events).toEqual([
      ...['welcome', 'room_state', 'reconnect_state', 'trade_state_update', 'trade_proposed'],
      ...turn,
    ])
    expect(again.last('trade_proposed')).toMatchObject({ proposer_name: 'Nova' })
  })

  it('of both is a draw, if both are gone when the time of one is over', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    pike.drop()
    house.pass(25_000)
    nova.drop()
    house.pass(5_100)
    await settled()
    const again = await back(house, 'Nova', 'chess')
    expect(again.heard.slice(1)).toMatchObject([expired, { event: 'room_state' }])
    expect(house.lobby.result(1)).toMatchObject({
      ...{ winner_id: null, loser_id: null, end_reason: 'both_disconnect' },
      ...{ participant_1_score: 0, participant_2_score: 0 },
    })
  })

  it('for the sixth time loses at once', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    let client = pike
    for (let drop = 0; drop < 5; drop++) {
      client.drop()
      client = await back(house, 'Pike', 'chess')
    }
    expect(nova.last('match_end')).toBe(undefined)
    client.drop()
    await settled()
    expect(nova.last('match_end').result).toMatchObject({ end_reason: 'disconnect' })
  })

  it('comes back too late: told once, in that room, within 10 minutes', async () => {
    for (const [later, isTold] of [
      [60_000, true],
      [601_000, false],
    ] as const) {
      const house = new AgonHouse()
      const [, pike] = await house.match('chess')
      pike.drop()
      house.pass(30_100)
      await settled()
      house.pass(later)
      const again = await back(house, 'Pike', 'go')
      expect(again.events).toEqual(['welcome', 'room_state'])
      await again.say({ action: 'enter_room', room: 'chess' })
      expect(again.events).toEqual([...(isTold ? ['error'] : []), 'room_state'])
      const third = await back(house, 'Pike', 'chess')
      expect(third.events).toEqual(['welcome', 'room_state'])
    }
  })

  it('during a vote has no effect, and who comes back is told of the vote', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('regular_debate')
    await nova.act('leave_match')
    house.pass(5_100)
    void nova.heard
    pike.drop()
    house.pass(20_000)
    const again = await back(house, 'Pike', 'regular_debate')
    expect(again.heard.slice(1)).toMatchObject([
      { event: 'room_state' },
      { event: 'voting_open', match_id: 'm-1', duration_seconds: 40 },
    ])
    again.drop()
    house.pass(41_000)
    await settled()
    expect(nova.events).toEqual(['match_end', 'elo_update', 'points_update', 'room_state'])
    expect(nova.last('match_end').result.end_reason).toBe('leave')
    const third = await back(house, 'Pike', 'regular_debate')
    expect(third.events).toEqual(['welcome', 'room_state'])
  })

  it('for a newer connection of the same agent is an absence like another', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    const again = house.agent('Pike')
    expect(pike.connection.close?.code).toBe(4009)
    house.pass(15_100)
    expect(nova.last('opponent_disconnected')).toBeDefined()
    await again.say({ action: 'enter_room', room: 'go' })
    expect(again.last('error')).toEqual({
      ...{ event: 'error', code: 'ALREADY_IN_ROOM', message: 'Finish your match first' },
    })
    await again.say({ action: 'enter_room', room: 'chess' })
    expect(nova.last('opponent_reconnected')).toBeDefined()
  })
})
