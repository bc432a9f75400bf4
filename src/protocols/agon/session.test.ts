import { describe, expect, it } from 'vitest'
import { type AgonClient, AgonHouse, settled } from '../../../test/support/agon-house.ts'

const errorOf = (code: string, message: string) => ({ event: 'error', code, message })
const invalid = (message: string) => errorOf('VALIDATION_FAILED', message)
const missing = (field: string) => errorOf('MISSING_FIELD', `Missing field: ${field}`)
const noMatch = errorOf('NOT_IN_MATCH', 'Match not found.')

/** The only answer to a message. */
const answer = async (client: AgonClient, message: unknown) => {
  void client.heard
  await client.say(message)
  const { heard } = client
  expect(heard).toHaveLength(1)
  return heard[0]
}

describe('in no room', () => {
  it.each([
    ['no JSON', '{"action"', invalid('Invalid JSON')],
    ['a list', '[]', invalid('Unknown action')],
    ['another action', { action: 'resign' }, invalid('Unknown action')],
    ['a name of an object', { action: 'constructor' }, invalid('Unknown action')],
    ['no room', { action: 'enter_room' }, missing('room')],
    ['a room that is a number', { action: 'enter_room', room: 7 }, missing('room')],
    ['another room', { action: 'enter_room', room: 'poker' }, invalid('Unknown room')],
    ['no table', { action: 'sit_table', room: 'go' }, missing('table_id')],
    [
      'a seat',
      { action: 'sit_table', room: 'go', table_id: 't-4' },
      invalid('Enter the room first'),
    ],
    ['no match', { action: 'send_message', content: 'e4' }, missing('match_id')],
    ['no content', { action: 'send_message', match_id: 'm-1' }, missing('content')],
    [
      'empty content in no match',
      { action: 'send_message', match_id: 'm-1', content: ' \n' },
      errorOf('EMPTY_CONTENT', 'Message content is empty'),
    ],
    ['an unknown match', { action: 'send_message', match_id: 'm-1', content: 'e4' }, noMatch],
    ['a strange id', { action: 'leave_match', match_id: 'm-01' }, noMatch],
    ['a trade without match', { action: 'accept_trade' }, missing('match_id')],
    ['a trade', { action: 'accept_trade', match_id: 'm-1' }, noMatch],
    [
      'an offer that is a list',
      { action: 'propose_trade', match_id: 'm-1', offer: [], request: {} },
      missing('offer'),
    ],
    [
      'no request',
      { action: 'propose_trade', match_id: 'm-1', offer: {}, request: null },
      missing('request'),
    ],
    ['a vote', { action: 'vote', match_id: 'm-1', participant_id: 'p-1' }, noMatch],
    ['a vote for no one', { action: 'vote', match_id: 'm-1' }, missing('participant_id')],
    ['a reaction', { action: 'react', match_id: 'm-1', reaction: '🔥' }, noMatch],
    ['no reaction', { action: 'react', match_id: 'm-1' }, missing('reaction')],
    ['a wager', { action: 'propose_wager' }, invalid('Wagering is disabled.')],
  ])('%s', async (_, message, expected) => {
    const client = new AgonHouse().agent('Nova')
    expect(await answer(client, message)).toEqual(expected)
    expect(client.connection.ended).toBe(null)
  })

  it('a heartbeat has no answer', async () => {
    const client = new AgonHouse().agent('Nova')
    void client.heard
    await client.say({ action: 'heartbeat' })
    expect(client.heard).toEqual([])
  })

  it.each([
    ['debate', 'regular_debate'],
    ['regular-debate', 'regular_debate'],
    ['spicy-debate', 'spicy_debate'],
    ['trade', 'trade_deal'],
    ['trade-deal', 'trade_deal'],
    ['go', 'go'],
  ])('%s is a name of %s', async (name, room) => {
    const client = new AgonHouse().agent('Nova')
    const state = await answer(client, { action: 'enter_room', room: name })
    expect([state.event, state.room]).toEqual(['room_state', room])
  })
})

describe('at tables', () => {
  it('what cannot be sat at', async () => {
    const house = new AgonHouse()
    const [nova] = await house.seated('chess')
    const vega = house.agent('Vega')
    await vega.say({ action: 'enter_room', room: 'chess' })
    const [free, full] = ['Classical', 'Blitz'].map(
      title =>
        house.arena.rooms
          .tables('chess')
          .find(({ prompt, seats }) => prompt.title === title && seats[1] === null)!.id,
    ) as [string, string]
    const taken = house.arena.rooms.tables('chess').find(({ match }) => match !== null)!.id
    const sit = (table_id: string, room = 'chess') => ({ action: 'sit_table', room, table_id })
    expect(await answer(vega, sit('t-none'))).toEqual(invalid('Table not found'))
    expect(await answer(vega, sit(free, 'go'))).toEqual(invalid('Enter the room first'))
    expect(await answer(vega, sit(free, 'bridge'))).toEqual(invalid('Unknown room'))
    expect(await answer(vega, sit(taken))).toEqual(invalid('Seat taken'))
    expect(await answer(nova, sit(taken))).toEqual(invalid('Already seated'))
    expect(await answer(nova, sit(full))).toEqual(invalid('Already seated'))
    expect(await answer(vega, { action: 'enter_room', room: 'chess' })).toEqual(
      errorOf('ALREADY_IN_ROOM', 'Already in this room'),
    )
    expect(await answer(vega, sit(full))).toMatchObject({ event: 'seated', table_id: full })
  })

  it.each([
    ['a lost connection', (client: AgonClient) => client.drop()],
    ['another room', (client: AgonClient) => client.say({ action: 'enter_room', room: 'go' })],
  ])('%s frees the seat and ends the countdown, and the other one sits on', async (_, leave) => {
    const house = new AgonHouse()
    const [nova, pike] = await house.seated('chess')
    void nova.heard
    await leave(pike)
    expect(nova.heard).toMatchObject([{ event: 'seated', prompt_title: 'Classical' }])
    house.clock.pass(3_000)
    await settled()
    expect(nova.heard).toEqual([])
    const vega = house.agent('Vega')
    await vega.say({ action: 'enter_room', room: 'chess' })
    await vega.say({ action: 'sit_table', room: 'chess', table_id: nova.last('seated').table_id })
    expect(nova.heard).toMatchObject([{ event: 'match_countdown', match_id: 'm-2' }])
  })

  it('a newer connection closes the older one, which frees its seat', async () => {
    const house = new AgonHouse()
    const nova = house.agent('Nova')
    await nova.say({ action: 'enter_room', room: 'chess' })
    const { id } = house.arena.rooms.tables('chess')[0]!
    await nova.say({ action: 'sit_table', room: 'chess', table_id: id })
    const again = house.agent('Nova')
    expect(nova.connection.close?.code).toBe(4009)
    expect(again.events).toEqual(['welcome'])
    expect(house.arena.rooms.table(id)!.seats).toEqual([null, null])
  })
})

describe('in a match', () => {
  it('of chess: what is refused, in its order', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    const write = (content: string, match_id = 'm-1') => ({
      ...{ action: 'send_message', match_id, content },
    })
    const notYours = errorOf('NOT_YOUR_TURN', 'It is not your turn')
    expect(await answer(pike, write(''))).toEqual(
      errorOf('EMPTY_CONTENT', 'Message content is empty'),
    )
    expect(await answer(pike, write('e5', 'm-2'))).toEqual(noMatch)
    expect(await answer(pike, write('x'.repeat(11)))).toEqual(notYours)
    expect(await answer(nova, write('é'.repeat(11)))).toEqual(
      errorOf('MESSAGE_TOO_LONG', 'Message too long: 11 chars, limit 10'),
    )
    expect(await answer(nova, write('e4\r'))).toEqual(errorOf('CONTENT_BLOCKED', 'Message blocked'))
    const first = invalid('Illegal move: e5')
    expect(await answer(nova, write('e5'))).toEqual(first)
    expect(await answer(nova, write('e5'))).toEqual(first)
    const third = await answer(nova, write('Ke2'))
    expect(third.message).toMatch(/^Illegal move: Ke2 Legal moves: /)
    expect(third.legal_moves).toHaveLength(20)
    expect(third.message).toBe(`Illegal move: Ke2 Legal moves: ${third.legal_moves.join(', ')}`)
    expect(third.legal_moves).toContain('Nf3')
    await nova.write('0-0')
    expect(nova.last('error').legal_moves).toHaveLength(20)
    await nova.write('e2e4')
    await pike.write('x')
    expect(pike.last('error')).toEqual(invalid('Illegal move: x'))
    expect(await answer(nova, { action: 'accept_trade', match_id: 'm-1' })).toEqual(
      invalid('Trades are only available in trade_deal'),
    )
    const enter = (room: string) => ({ action: 'enter_room', room })
    expect(await answer(nova, enter('go'))).toEqual(
      errorOf('ALREADY_IN_ROOM', 'Finish your match first'),
    )
    expect(await answer(nova, enter('chess'))).toEqual(
      errorOf('ALREADY_IN_ROOM', 'Already in this room'),
    )
    // Nothing of this has changed the turn or its time.
    expect(pike.heard.filter(({ event }) => event === 'turn_timer')).toHaveLength(1)
  })

  it('of Go: why a point cannot be played', async () => {
    const house = new AgonHouse()
    const [black, white] = await house.match('go')
    const refused = async (client: AgonClient, content: string) => {
      await client.write(content)
      return client.last('error').message
    }
    expect(await refused(black, 'I5')).toBe('Illegal move: I5 (format)')
    await black.write('B1')
    expect(await refused(white, 'b1')).toBe('Illegal move: b1 (occupied)')
    await white.write('J1')
    await black.write('A2')
    expect(await refused(white, 'A1')).toBe('Illegal move: A1 (suicide)')
    // A ko around E5: Black takes at once, and White may not take back.
    for (const [client, point] of [
      ...([
        [white, 'F6'],
        [black, 'D5'],
        [white, 'G5'],
        [black, 'E6'],
      ] as const),
      ...([
        [white, 'F4'],
        [black, 'E4'],
        [white, 'E5'],
        [black, 'F5'],
      ] as const),
    ])
      await client.write(point)
    expect(await refused(white, 'E5')).toBe('Illegal move: E5 (ko)')
  })

  it('of debate: long messages are cut, longer ones and those in a vote are refused', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('regular_debate')
    void pike.heard
    await nova.write('ä'.repeat(2001))
    expect(pike.heard[0]).toMatchObject({ content: 'ä'.repeat(2000), truncated: true })
    await pike.write('x'.repeat(4001))
    expect(pike.last('error')).toEqual(
      errorOf('MESSAGE_TOO_LONG', 'Message too long: 4001 chars, limit 2000'),
    )
    await pike.write('I agree.\nWholly.')
    void [nova.heard, pike.heard]
    const vega = house.agent('Vega')
    await vega.say({ action: 'enter_room', room: 'regular_debate' })
    const vote = (participant_id: string) => ({ action: 'vote', match_id: 'm-1', participant_id })
    expect(await answer(vega, vote('p-1'))).toEqual(invalid('Voting is not open'))
    const shot = 'y'.repeat(300)
    await pike.act('leave_match', { parting_shot: shot })
    expect(nova.heard).toEqual([
      {
        ...{ event: 'opponent_leaving', match_id: 'm-1', parting_shot: 'y'.repeat(280) },
        voting_in_seconds: 5,
      },
    ])
    expect(pike.heard).toEqual([])
    expect(await answer(vega, vote('p-1'))).toEqual(invalid('Voting is not open'))
    house.clock.pass(5_100)
    await settled()
    const open = { event: 'voting_open', match_id: 'm-1', duration_seconds: 60 }
    expect([nova.heard, pike.heard]).toEqual([[open], [open]])
    await nova.write('But')
    expect(nova.last('error').code).toBe('NOT_YOUR_TURN')
    expect(await answer(nova, vote('p-1'))).toEqual(invalid('Participants cannot vote'))
    expect(await answer(vega, vote('p-3'))).toEqual(invalid('Unknown participant'))
    // The last vote counts.
    await vega.say(vote('p-1'))
    await vega.say(vote('p-2'))
    house.clock.pass(61_000)
    await settled()
    expect(nova.last('match_end').result).toMatchObject({
      ...{ winner_id: 'p-2', end_reason: 'leave', vote_count: { 'p-1': 0, 'p-2': 1 } },
    })
  })

  it('a debate without votes is a draw', async () => {
    const house = new AgonHouse()
    const [nova] = await house.match('spicy_debate')
    await nova.act('leave_match')
    house.clock.pass(66_000)
    await settled()
    expect(nova.last('match_end')).toMatchObject({
      result: {
        ...{ winner_id: null, loser_id: null, winner_type: null, end_reason: 'leave' },
        ...{ draw_reason: 'audience_vote_tie', total_votes: 0 },
        vote_count: { 'p-1': 0, 'p-2': 0 },
      },
      ...{ your_score: 0, opponent_score: 0 },
    })
    expect(nova.last('points_update').reason).toBe('draw')
  })

  it('leaving chess, Go and the Bazaar loses at once', async () => {
    for (const room of ['chess', 'go', 'trade_deal'] as const) {
      const house = new AgonHouse()
      const [nova, pike] = await house.match(room)
      void [nova.heard, pike.heard]
      await nova.act('leave_match', { parting_shot: 'Well played.' })
      await settled()
      expect(pike.heard.slice(0, 2)).toMatchObject([
        { event: 'opponent_leaving', match_id: 'm-1', parting_shot: 'Well played.' },
        { event: 'match_end', your_score: 1, opponent_score: 0, result: { end_reason: 'leave' } },
      ])
      expect(nova.events[0]).toBe('match_end')
      expect(await answer(nova, { action: 'leave_match', match_id: 'm-1' })).toEqual(noMatch)
      expect('trade_result' in pike.last('match_end').result).toBe(room === 'trade_deal')
    }
  })

  it('late moves are strikes in a row, with a new time each, until one loses', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('go')
    void [nova.heard, pike.heard]
    const timer = { event: 'turn_timer', match_id: 'm-1', seconds_remaining: 60 }
    house.pass(120_100)
    house.pass(60_100)
    expect([nova.heard, pike.heard]).toEqual([[timer, timer], []])
    await nova.write('E5')
    await pike.write('D5')
    void nova.heard
    house.pass(60_100)
    house.pass(60_100)
    expect(nova.heard).toEqual([timer, timer])
    house.pass(60_100)
    await settled()
    expect(nova.last('match_end')).toMatchObject({
      result: { end_reason: 'forfeit', winner_id: 'p-2' },
      ...{ your_score: 0, opponent_score: 1 },
    })
  })
})

describe('the Bazaar', () => {
  it('refuses trades in the words and the order of the reference', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('trade_deal')
    const held = nova.last('trade_state_update').your_resources
    const trade = (offer: object, request: object = {}) => ({
      ...{ action: 'propose_trade', match_id: 'm-1', offer, request },
    })
    const accept = { action: 'accept_trade', match_id: 'm-1' }
    const reject = { action: 'reject_trade', match_id: 'm-1' }
    expect(await answer(nova, accept)).toEqual(invalid('No pending trade to accept'))
    expect(await answer(nova, reject)).toEqual(invalid('No pending trade to reject'))
    for (const offer of [{ gold: -1 }, { gold: 0.5 }, { gold: '1' }, { silver: 1 }])
      expect(await answer(nova, trade(offer))).toEqual(invalid('Invalid trade resources'))
    expect(await answer(nova, trade({ gold: 0 }))).toEqual(
      errorOf('CONTENT_BLOCKED', 'Empty trade proposal'),
    )
    expect(await answer(nova, trade({ wood: 9, gold: 9 }))).toEqual(
      errorOf('CONTENT_BLOCKED', `Insufficient gold: have ${held.gold}, need 9`),
    )
    // The other one may propose, too: trades are not bound to the turn.
    expect(await answer(pike, trade({ gold: 1, iron: 0 }, { wood: 9 }))).toEqual({
      ...{ event: 'trade_proposed', match_id: 'm-1', proposer_name: 'Pike' },
      ...{ offer: { gold: 1 }, request: { wood: 9 } },
    })
    expect(await answer(nova, trade({ silver: 1 }))).toEqual(
      invalid('A trade is already pending — accept, reject, or wait'),
    )
    expect(await answer(pike, accept)).toEqual(invalid('Cannot accept your own trade proposal'))
    expect(await answer(nova, accept)).toEqual(
      errorOf('CONTENT_BLOCKED', `Insufficient wood: have ${held.wood}, need 9`),
    )
    void pike.heard
    const rejected = { event: 'trade_rejected', match_id: 'm-1', rejector_name: 'Nova' }
    expect(await answer(nova, reject)).toEqual(rejected)
    expect(pike.heard).toEqual([rejected])
    await pike.say(trade({ gold: 1 }))
    expect(await answer(pike, reject)).toEqual({ ...rejected, rejector_name: 'Pike' })
    // Neither turn nor timer has moved.
    expect(nova.messages.filter(({ event }) => event === 'turn_timer')).toHaveLength(1)
  })

  it('takes 20 proposals of each side', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('trade_deal')
    for (const client of [pike, nova]) {
      for (let i = 0; i < 20; i++) {
        await client.act('propose_trade', { offer: { gold: 1 }, request: {} })
        await client.act('reject_trade')
        house.clock.pass(1_500)
      }
      await client.act('propose_trade', { offer: { gold: 1 }, request: {} })
      expect(client.heard.at(-1)).toEqual(errorOf('RATE_LIMITED', 'Too many actions'))
    }
  })
})

describe('reactions', () => {
  it('go to spectators alone, one in two seconds of each', async () => {
    const house = new AgonHouse()
    const [nova] = await house.match('chess')
    const [vega, wren] = ['Vega', 'Wren'].map(name => house.agent(name)) as [AgonClient, AgonClient]
    const react = (reaction: string) => ({ action: 'react', match_id: 'm-1', reaction })
    expect(await answer(vega, react('🔥'))).toEqual(invalid('Enter the room first'))
    for (const client of [vega, wren]) await client.say({ action: 'enter_room', room: 'chess' })
    expect(await answer(vega, react('🍕'))).toEqual(invalid('Unknown reaction'))
    void [nova.heard, vega.heard, wren.heard]
    await vega.say(react('❤️'))
    await settled()
    const told = { event: 'reaction', match_id: 'm-1', reaction: '❤️' }
    expect([nova.heard, vega.heard, wren.heard]).toEqual([[], [told], [told]])
    expect(await answer(vega, react('👏'))).toEqual(errorOf('RATE_LIMITED', 'Too many actions'))
    house.clock.pass(2_000)
    await vega.say(react('👏'))
    await settled()
    expect(wren.last('reaction').reaction).toBe('👏')
  })
})

describe('too many actions', () => {
  const heartbeat = { action: 'heartbeat' }
  const tooMany = errorOf('RATE_LIMITED', 'Too many actions')

  it('more than 20 in 10 s are refused', async () => {
    const house = new AgonHouse()
    const client = house.agent('Nova')
    void client.heard
    for (let i = 0; i < 20; i++) await client.say(heartbeat)
    expect(client.heard).toEqual([])
    await client.say({ action: 'enter_room', room: 'go' })
    expect(client.heard).toEqual([tooMany])
    house.clock.pass(10_000)
    expect(await answer(client, { action: 'enter_room', room: 'go' })).toMatchObject({
      event: 'room_state',
    })
  })

  it('accepted messages do not count, others do', async () => {
    const house = new AgonHouse()
    const [nova, pike] = await house.match('chess')
    house.clock.pass(10_000)
    for (let i = 0; i < 20; i++) await nova.say(heartbeat)
    void [nova.heard, pike.heard]
    await nova.write('e5')
    expect(nova.heard).toEqual([tooMany])
    await nova.write('e4')
    expect(nova.heard).toEqual([])
    expect(pike.events).toEqual(['opponent_message', 'turn_timer'])
  })

  it('more than 200 close the connection', async () => {
    const client = new AgonHouse().agent('Nova')
    for (let i = 0; i < 200; i++) await client.say(heartbeat)
    expect(client.connection.ended).toBe(null)
    await client.say(heartbeat)
    expect(client.connection.close?.code).toBe(4029)
  })
})

describe('silence', () => {
  it('of 90 s closes the connection, and any sign of life counts', async () => {
    const house = new AgonHouse()
    const client = house.agent('Nova')
    house.clock.pass(80_000)
    client.session.alive()
    house.clock.pass(89_999)
    await client.say('{')
    house.clock.pass(89_999)
    expect(client.connection.ended).toBe(null)
    house.clock.pass(1)
    expect(client.connection.close?.code).toBe(4008)
    expect(house.clock.pending).toBe(0)
  })
})
