// A whole match of each arena, event by event, as both participants and a spectator are told of it.

import { expect, it } from 'vitest'
import {
  type AgonClient,
  AgonHouse,
  type Heard,
  settled,
} from '../../../test/support/agon-house.ts'
import { Dice } from '../../games/dice.ts'

const resultOf = (client: AgonClient) => client.last('match_end').result

/** What each has heard since the last time, without the tables of the room. */
const heardBy = (...clients: readonly AgonClient[]): Heard[][] =>
  clients.map(client =>
    client.heard.map(message =>
      message.event === 'room_state' ? { event: 'room_state' } : message,
    ),
  )

const timer = (match_id: string, seconds_remaining: number) => ({
  ...{ event: 'turn_timer', match_id, seconds_remaining },
})

it('from the welcome to the first turn', async () => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match('chess', 1)
  const { id } = house.arena.rooms.tables('chess').find(({ status }) => status === 'in_match')!
  const table = { table_id: id, prompt_title: 'Blitz', prompt_body: null }
  const start = (person: object, you_go_first: boolean) => ({
    ...{ event: 'match_start', match_id: 'm-1' },
    opponent: { ...person, type: 'agent', framework: null, elo: 1200, connected: true },
    ...{ prompt_title: 'Blitz', prompt_body: null, you_go_first },
    config: {
      turn_time_limit_seconds: 15,
      max_message_chars: 10,
      consecutive_timeouts_forfeit: 2,
      message_cap: null,
      first_turn_seconds: 120,
      win_conditions: ['checkmate', 'opponent_forfeit', 'opponent_disconnect', 'opponent_leave'],
      draw_conditions: [
        ...['stalemate', 'threefold_repetition', 'fifty_move_rule', 'insufficient_material'],
        ...['match_duration', 'both_disconnect'],
      ],
    },
    ...{ your_elo: 1200, h2h_summary: null },
  })
  const before = ['welcome', 'room_state', 'seated', 'match_countdown']
  expect(nova.messages.map(({ event }) => event)).toEqual([...before, 'match_start', 'turn_timer'])
  expect(pike.messages.map(({ event }) => event)).toEqual([...before, 'match_start'])
  expect(nova.messages.slice(2)).toEqual([
    { event: 'seated', ...table },
    { event: 'match_countdown', match_id: 'm-1', seconds: 3 },
    start({ id: 'p-2', name: 'Pike' }, true),
    timer('m-1', 120),
  ])
  expect(pike.messages.slice(4)).toEqual([start({ id: 'p-1', name: 'Nova' }, false)])
  expect(nova.messages[0].rooms[0]).toEqual({
    ...{ room: 'chess', agents_present: 0, humans_present: 0, tables_open: 2 },
  })
  expect(pike.messages[1]).toMatchObject({
    ...{ room: 'chess', agents_present: 2, humans_present: 0 },
    tables: [
      { prompt_title: 'Classical', seat_1: null, seat_2: null, status: 'waiting' },
      {
        ...{ id, status: 'waiting', prompt_title: 'Blitz', prompt_body: null, seat_2: null },
        seat_1: { id: 'p-1', type: 'agent', name: 'Nova', elo: 1200 },
      },
    ],
  })
  expect(house.failures).toEqual([])
})

it('chess', async () => {
  const house = new AgonHouse()
  const watcher = house.agent('Vega')
  await watcher.say({ action: 'enter_room', room: 'chess' })
  const [nova, pike] = await house.match('chess')
  heardBy(nova, pike, watcher)
  house.clock.pass(2_000)
  await nova.write('f3')
  await pike.write('e7e5')
  await nova.write('g4')
  await pike.write('Qh4')
  await settled()
  const at = Date.UTC(2026, 0, 1) + 5_000
  const said = (content: string, message_number: number, fen: string) => ({
    ...{ match_id: 'm-1', content, message_number, truncated: false, server_timestamp: at, fen },
  })
  const messages = [
    said('f3', 1, 'rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1'),
    said('e5', 2, 'rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2'),
    said('g4', 3, 'rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2'),
    said('Qh4#', 4, 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'),
  ]
  const result = {
    ...{ winner_id: 'p-2', winner_type: 'agent', loser_id: 'p-1', end_reason: 'checkmate' },
    ...{ participant_1_score: 0, participant_2_score: 1, vote_count: {}, total_votes: 0 },
    elo_changes: { 'p-1': -16, 'p-2': 16 },
    points_awarded: { 'p-1': 35, 'p-2': 110 },
    ...{ duration_seconds: 2, total_messages: 4 },
  }
  const end = { event: 'match_end', match_id: 'm-1', result }
  const toOpponent = messages.map(message => ({ event: 'opponent_message', ...message }))
  expect(heardBy(nova, pike, watcher)).toEqual(
    [
      [
        ...[toOpponent[1], timer('m-1', 60), toOpponent[3]],
        { ...end, your_role: 'participant_1', your_score: 0, opponent_score: 1 },
        { event: 'elo_update', room: 'chess', new_rating: 1184, change: -16 },
        { event: 'points_update', points_earned: 35, reason: 'loss' },
        { event: 'room_state' },
      ],
      [
        ...[toOpponent[0], timer('m-1', 60), toOpponent[2], timer('m-1', 60)],
        { ...end, your_role: 'participant_2', your_score: 1, opponent_score: 0 },
        { event: 'elo_update', room: 'chess', new_rating: 1216, change: 16 },
        { event: 'points_update', points_earned: 110, reason: 'win' },
        { event: 'room_state' },
      ],
      [
        ...messages.map((message, i) => ({
          ...{ event: 'spectator_message', participant_id: `p-${2 + (i % 2)}` },
          ...{ participant_name: i % 2 === 0 ? 'Nova' : 'Pike', ...message },
        })),
        {
          ...end,
          result: {
            ...{ ...result, winner_id: 'p-3', loser_id: 'p-2' },
            elo_changes: { 'p-2': -16, 'p-3': 16 },
            points_awarded: { 'p-2': 35, 'p-3': 110 },
          },
        },
      ],
    ].map((list, i) => (i === 2 ? list : list.map(renumbered))),
  )
  expect(house.failures).toEqual([])
})

/** The watcher has the first account, so that both participants have the numbers after it. */
const renumbered = (message: unknown) =>
  JSON.parse(JSON.stringify(message).replaceAll('"p-2"', '"p-3"').replaceAll('"p-1"', '"p-2"'))

it('go', async () => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match('go')
  heardBy(nova, pike)
  for (const [client, point] of [
    ...([
      [nova, 'A2'],
      [pike, 'a1'],
      [nova, 'B1'],
      [pike, 'J9'],
    ] as const),
    ...([
      [nova, 'E5'],
      [pike, 'PASS'],
      [nova, 'pass'],
    ] as const),
  ])
    await client.write(point)
  await settled()
  const [black, white] = heardBy(nova, pike) as [Heard[], Heard[]]
  const end = ['match_end', 'elo_update', 'points_update', 'room_state']
  const turn = ['opponent_message', 'turn_timer']
  expect(black.map(({ event }) => event)).toEqual([...turn, ...turn, ...turn, ...end])
  expect(white.map(({ event }) => event)).toEqual([
    ...[...turn, ...turn, ...turn, 'opponent_message'],
    ...end,
  ])
  expect(
    black.filter(({ event }) => event === 'opponent_message').map(({ content }) => content),
  ).toEqual(['A1', 'J9', 'pass'])
  const taken = white[2]
  expect(taken).toMatchObject({
    content: 'B1',
    message_number: 3,
    captures: { black: 1, white: 0 },
  })
  expect([taken.board[7][0], taken.board[8]]).toEqual([1, [0, 1, 0, 0, 0, 0, 0, 0, 0]])
  const five = white[4]
  expect(five).toMatchObject({ content: 'E5', message_number: 5 })
  expect([five.board[4][4], five.board[0][8]]).toEqual([1, 2])
  expect(resultOf(nova)).toMatchObject({
    ...{ winner_id: 'p-2', loser_id: 'p-1', end_reason: 'go_score', total_messages: 7 },
    // A1 is Black's alone; the rest touches both colours.
    ...{ participant_1_score: 4, participant_2_score: 7.5, vote_count: {} },
  })
})

it.each([
  ['regular_debate', 3, 1],
  ['spicy_debate', 1, 3],
] as const)('%s', async (room, forNova, forPike) => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match(room)
  const voters = await Promise.all(
    ['Vega', 'Wren', 'Yew', 'Zeta'].map(async name => {
      const voter = house.agent(name)
      await voter.say({ action: 'enter_room', room })
      return voter
    }),
  )
  expect(nova.last('match_start')).toMatchObject({
    ...{ prompt_body: expect.stringMatching(/^Side: FOR\b/), you_go_first: true },
    config: { message_cap: 20, max_message_chars: 2000, turn_time_limit_seconds: 90 },
  })
  expect(pike.last('match_start').prompt_body).toMatch(/^Side: AGAINST\b/)
  heardBy(nova, pike, ...voters)
  for (let i = 0; i < 20; i++) await (i % 2 === 0 ? nova : pike).write(`Argument ${i + 1}.`)
  await settled()
  const [mine, theirs, watched] = heardBy(nova, pike, voters[0]!) as Heard[][]
  const open = { event: 'voting_open', match_id: 'm-1', duration_seconds: 60 }
  expect(mine!.at(-1)).toEqual(open)
  expect(theirs!.at(-1)).toEqual(open)
  expect(mine!.map(({ event }) => event)).toEqual([
    ...Array(9).fill(['opponent_message', 'turn_timer']).flat(),
    ...['opponent_message', 'voting_open'],
  ])
  expect(watched!.map(({ event }) => event)).toEqual([
    ...Array(20).fill('spectator_message'),
    'voting_open',
  ])
  expect(watched!.at(-1)).toEqual({
    ...open,
    participants: [
      { id: 'p-1', name: 'Nova', type: 'agent' },
      { id: 'p-2', name: 'Pike', type: 'agent' },
    ],
  })
  for (const [i, voter] of voters.entries())
    await voter.say({
      ...{ action: 'vote', match_id: 'm-1' },
      participant_id: i < forNova ? 'p-1' : 'p-2',
    })
  house.clock.pass(61_000)
  await settled()
  const won = forNova > forPike ? ['p-1', 'p-2'] : ['p-2', 'p-1']
  expect(heardBy(nova)[0]!.map(({ event }) => event)).toEqual([
    ...['match_end', 'elo_update', 'points_update', 'room_state'],
  ])
  expect(resultOf(pike)).toMatchObject({
    ...{ winner_id: won[0], loser_id: won[1], end_reason: 'cap', total_messages: 20 },
    ...{ participant_1_score: forNova, participant_2_score: forPike, total_votes: 4 },
    vote_count: { 'p-1': forNova, 'p-2': forPike },
  })
  const { your_role, your_score, opponent_score, ...common } = nova.last('match_end')
  expect([your_role, your_score, opponent_score]).toEqual(['participant_1', forNova, forPike])
  expect(voters[3]!.last('match_end')).toEqual(common)
})

/** The first draw lets the first participant begin, then the goals are food and wood. */
const worked = (() => {
  for (let seed = 1; ; seed++) {
    const dice = Dice.fromSeed(seed)
    if (dice.roll(2) === 0 && dice.roll(4) === 2 && dice.roll(3) === 2) return seed
  }
})()

it('the Bazaar: the example of the reference, to the figure', async () => {
  const house = new AgonHouse({ seed: worked })
  const [nova, pike] = await house.match('trade_deal')
  const state = (resources: object, resource: string) => ({
    ...{ event: 'trade_state_update', match_id: 'm-1', your_resources: resources },
    your_goal: { resource, amount: 8, points: 100 },
  })
  expect(nova.messages.slice(5)).toEqual([
    state({ gold: 4, iron: 2, food: 3, wood: 5 }, 'food'),
    timer('m-1', 120),
  ])
  expect(pike.messages.slice(5)).toEqual([state({ gold: 2, iron: 4, food: 5, wood: 3 }, 'wood')])
  heardBy(nova, pike)
  await nova.act('propose_trade', { offer: { wood: 4 }, request: { food: 5 } })
  await pike.act('accept_trade')
  const proposed = {
    ...{ event: 'trade_proposed', match_id: 'm-1', proposer_name: 'Nova' },
    ...{ offer: { wood: 4 }, request: { food: 5 } },
  }
  const executed = { event: 'trade_executed', match_id: 'm-1' }
  expect(heardBy(nova, pike)).toEqual([
    [proposed, { ...executed, your_resources: { gold: 4, iron: 2, food: 8, wood: 1 } }],
    [proposed, { ...executed, your_resources: { gold: 2, iron: 4, food: 0, wood: 7 } }],
  ])
  for (let i = 0; i < 10; i++) await (i % 2 === 0 ? nova : pike).write(`Word ${i + 1}.`)
  await settled()
  expect(heardBy(nova, pike).map(list => list.slice(-5).map(({ event }) => event))).toEqual([
    ['opponent_message', 'match_end', 'elo_update', 'points_update', 'room_state'],
    ['turn_timer', 'match_end', 'elo_update', 'points_update', 'room_state'],
  ])
  expect(resultOf(nova)).toEqual({
    ...{ winner_id: 'p-1', winner_type: 'agent', loser_id: 'p-2', end_reason: 'trade_scored' },
    ...{ participant_1_score: 100, participant_2_score: 88, vote_count: {}, total_votes: 0 },
    elo_changes: { 'p-1': 16, 'p-2': -16 },
    points_awarded: { 'p-1': 125, 'p-2': 50 },
    trade_result: {
      participant_1: {
        goal: { resource: 'food', amount: 8, points: 100 },
        ...{ held: 8, progress: 1, goal_met: true, total_units: 15 - 0 },
      },
      participant_2: {
        goal: { resource: 'wood', amount: 8, points: 100 },
        ...{ held: 7, progress: 7 / 8, goal_met: false, total_units: 13 },
      },
    },
    ...{ duration_seconds: 0, total_messages: 10 },
  })
})

it('the fresh room_state comes last, with both seats free and the table finished', async () => {
  const house = new AgonHouse()
  const [nova] = await house.match('go')
  await nova.act('leave_match')
  await settled()
  const state = nova.messages.at(-1)
  expect(state).toMatchObject({ event: 'room_state', room: 'go', agents_present: 2 })
  expect(state.tables.map(({ status, seat_1 }: Heard) => [status, seat_1?.elo])).toEqual([
    ['waiting', undefined],
    ['finished', 1184],
  ])
})
