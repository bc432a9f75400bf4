import { describe, expect, it } from 'vitest'
import { type Client, type Heard, House, settled } from '../../../test/support/loa-house.ts'

const error = (message: string) => ({ type: 'error', message })
const refused = (error: string, detail?: unknown) => ({
  type: 'move_result',
  success: false,
  error,
  ...(detail !== undefined && { detail }),
})
const needsLogin = error(
  'Not authenticated. Send {"type":"authenticate","token":"YOUR_API_KEY"} first.',
)
describe('what a client may send', () => {
  it.each([
    ['no JSON', '{"type"', error('Invalid JSON.')],
    ['an empty frame', '', error('Invalid JSON.')],
    ['a list', '[]', error('Unknown message type.')],
    ['a number', '7', error('Unknown message type.')],
    ['null', 'null', error('Unknown message type.')],
    ['no type', '{}', error('Unknown message type.')],
    ['another type', '{"type":"resign"}', error('Unknown message type.')],
    ['a type that is no string', '{"type":{"a":1}}', error('Unknown message type.')],
    ['a name of an object', '{"type":"constructor"}', error('Unknown message type.')],
    ['a join before login', '{"type":"join_queue"}', needsLogin],
    ['a move before login', '{"type":"submit_move"}', needsLogin],
    ['a game to watch without id', '{"type":"subscribe_game"}', error('Missing gameId.')],
    ['an empty id', '{"type":"subscribe_game","gameId":""}', error('Missing gameId.')],
    ['no such game', '{"type":"subscribe_game","gameId":"g-9"}', error('Game not found.')],
    ['an id that is a number', '{"type":"subscribe_game","gameId":9}', error('Game not found.')],
    ['a strange id', '{"type":"subscribe_game","gameId":"g-01"}', error('Game not found.')],
  ])('a guest: %s', async (_, text, answer) => {
    const client = new House().guest()
    await client.send(text)
    expect(client.heard).toEqual([answer])
    expect(client.connection.ended).toBe(null)
  })

  it.each([
    ['a second login', { type: 'authenticate', token: 'agent-b' }, error('Already authenticated.')],
    ['without a token', { type: 'authenticate' }, error('Already authenticated.')],
    ['a join without game', { type: 'join_queue' }, error('Missing gameType.')],
    ['null', { type: 'join_queue', gameType: null }, error('Missing gameType.')],
    ['another game', { type: 'join_queue', gameType: 'poker' }, error('Unknown gameType.')],
    ['a number', { type: 'join_queue', gameType: 5 }, error('Unknown gameType.')],
    ['a move without game', { type: 'submit_move', move: {} }, error('Missing gameId.')],
    ['without gameId and move', { type: 'submit_move' }, error('Missing gameId.')],
    ['without a move', { type: 'submit_move', gameId: 'g-1' }, error('Missing move.')],
    ['a list', { type: 'submit_move', gameId: 'g-1', move: [] }, error('Missing move.')],
    ['a text', { type: 'submit_move', gameId: 'g-1', move: '4' }, error('Missing move.')],
    [
      'a move in no game',
      { type: 'submit_move', gameId: 'g-1', move: {} },
      refused('Game not found or not active.'),
    ],
  ])('an agent: %s', async (_, message, answer) => {
    const client = await new House().agent('a')
    expect(client.types).toEqual(['authenticated'])
    await client.say(message)
    expect(client.heard).toEqual([answer])
    expect(client.connection.ended).toBe(null)
  })

  it.each([
    [{}, 'Missing or invalid token in authenticate message.'],
    [{ token: '' }, 'Missing or invalid token in authenticate message.'],
    [{ token: 7 }, 'Missing or invalid token in authenticate message.'],
    [{ token: 'wrong' }, 'Invalid API key.'],
  ])('a login with %j ends the connection', async (fields, message) => {
    const client = new House().guest()
    await client.say({ type: 'authenticate', ...fields })
    expect(client.heard).toEqual([error(message)])
    expect(client.connection.close).toEqual({ code: 4001, reason: message })
    await client.say({ type: 'ping' })
    expect(client.heard).toEqual([])
  })

  it('a login that the wire refuses ends with its reason', async () => {
    const house = new House()
    house.objection = { code: 'banned', detail: 'the operator has banned this account' }
    const client = await house.agent('a')
    expect(client.heard).toEqual([error('the operator has banned this account')])
    expect(client.connection.close?.code).toBe(4001)
  })

  it('binary frames are no JSON', () => {
    const client = new House().guest()
    void client.session.receive({ code: 'bad-message', detail: 'send text frames' })
    expect(client.heard).toEqual([error('Invalid JSON.')])
  })

  it('a ping is answered with the time, and each keep-alive brings one', async () => {
    const client = new House().guest()
    await client.say({ type: 'ping' })
    client.session.pinged()
    const pong = { type: 'pong', timestamp: Date.UTC(2026, 0, 1) }
    expect(client.heard).toEqual([pong, pong])
  })
})

describe('the 201st frame within 10 s', () => {
  const ping = { type: 'ping' }

  it('closes the connection', async () => {
    const client = new House().guest()
    for (let i = 0; i < 200; i++) await client.say(ping)
    expect(client.connection.ended).toBe(null)
    await client.say(ping)
    expect(client.connection.close?.code).toBe(4029)
    expect(client.types).toEqual(Array(200).fill('pong'))
  })

  it('is one too many only within 10 s', async () => {
    const house = new House()
    const client = house.guest()
    for (let i = 0; i < 200; i++) await client.say(ping)
    house.clock.pass(10_000)
    for (let i = 0; i < 200; i++) await client.say(ping)
    expect(client.connection.ended).toBe(null)
  })

  it('does not count accepted moves, but refused ones', async () => {
    const house = new House()
    const [one, other] = await house.matched('resource-rush')
    for (let tick = 0; tick < 300; tick++) {
      await one!.move({ action: 'wait' })
      await other!.move({ action: 'wait' })
    }
    expect(one!.connection.ended).toBe(null)
    expect(one!.last('game_state').round).toBe(301)
    for (let i = 0; i < 200; i++) await one!.move({ action: 'fly' })
    expect(one!.connection.close?.code).toBe(4029)
  })
})

describe('the queue', () => {
  it('tells waiting agents their position, and nothing to the agent that completes the table', async () => {
    const house = new House()
    const waiting: Client[] = []
    const start = ['matched', 'game_state', 'your_turn']
    for (const name of ['a', 'b', 'c', 'd']) {
      const client = await house.agent(name)
      await client.say({ type: 'join_queue', gameType: 'dance-battle' })
      waiting.push(client)
    }
    expect(waiting.slice(0, 3).map(client => client.heard)).toEqual(
      [1, 2, 3].map(position => [
        expect.objectContaining({ type: 'authenticated' }),
        { type: 'queue_status', status: 'queued', position, gameType: 'dance-battle' },
        ...start.map(type => expect.objectContaining({ type })),
      ]),
    )
    expect(waiting[3]!.types).toEqual(['authenticated', ...start])
  })

  it('tells the position again to one who joins again, and lets it move to another', async () => {
    const house = new House()
    const client = await house.agent('a')
    const join = (gameType: string) => client.say({ type: 'join_queue', gameType })
    await join('echo')
    await join('echo')
    await join('blotto')
    expect(client.heard.slice(1).map(({ gameType }) => gameType)).toEqual([
      'echo',
      'echo',
      'blotto',
    ])
    expect(house.arena.waiting.map(({ game }) => game.id)).toEqual(['blotto'])
  })

  it('has no end, and is left with the connection', async () => {
    const house = new House()
    const client = await house.agent('a')
    await client.say({ type: 'join_queue', gameType: 'echo' })
    const other = await house.agent('b')
    house.clock.pass(1_000_000)
    expect(house.arena.waiting).toHaveLength(1)
    await other.say({ type: 'join_queue', gameType: 'blotto' })
    await client.say({ type: 'join_queue', gameType: 'echo' })
    expect(client.last('queue_status').position).toBe(1)
    expect(client.types).toEqual(['authenticated', 'queue_status', 'queue_status'])
    client.drop()
    other.drop()
    expect(house.arena.waiting).toEqual([])
    expect(house.matchStore.held).toBe(0)
  })

  it('is closed to an agent that plays', async () => {
    const [one] = await new House().matched('echo')
    one!.heard
    await one!.say({ type: 'join_queue', gameType: 'blotto' })
    expect(one!.heard).toEqual([error('Already in an active game.')])
  })

  it('sits down at a table of a room, and meets who sits there', async () => {
    const house = new House()
    const { rooms } = house.arena
    const [table] = rooms.tables('go')
    const [one, two] = [await house.agent('a'), await house.agent('b')]
    await one.say({ type: 'join_queue', gameType: 'go9', table: table!.id })
    expect(one.last('queue_status')).toMatchObject({ position: 1, gameType: 'go9' })
    expect(table!.seats[0]?.player.protocol).toBe('loa')
    const { connection } = house.agentGames('agent-c', `go9 --table ${table!.id}`)
    // This table is full, so one that asks for it is told.
    await two.say({ type: 'join_queue', gameType: 'go9', table: table!.id })
    expect(two.last('error').message).toBe(`both seats of the table ${table!.id} are taken`)
    house.clock.pass(3_000)
    expect(connection.messages.map(({ type }) => type)).toContain('hello')
    expect(one.last('matched')).toMatchObject({ gameType: 'go9' })
  })

  it('leaves a table for the queue, and is refused what a table cannot be', async () => {
    const house = new House()
    const [table] = house.arena.rooms.tables('go')
    const client = await house.agent('a')
    const join = (words: object) => client.say({ type: 'join_queue', gameType: 'go9', ...words })
    await join({ table: table!.id })
    await join({})
    expect(table!.seats).toEqual([null, null])
    expect(house.arena.waiting.map(({ table }) => table)).toEqual([null])
    await join({ table: table!.id, practice: true })
    expect(client.heard.at(-1)).toEqual(error('practice and table exclude each other.'))
    await join({ table: 5 })
    expect(client.heard.at(-1)).toEqual(error('there is no table "5"'))
  })

  it('takes any game of two seats', async () => {
    const [white, black] = await new House().matched('chess')
    expect(white!.types.slice(-2)).toEqual(['game_state', 'your_turn'])
    const { extra } = white!.last('game_state')
    expect(extra.legal).toContain('e2e4')
    await white!.move({ move: 'e2e4' })
    expect(white!.types).toEqual(['move_result', 'thinking', 'turn_update', 'game_state'])
    expect(black!.last('turn_update').moves).toEqual([
      { agentId: expect.any(String), agentName: white!.name, action: 'Played e4' },
    ])
    await black!.move({ nonsense: 1 })
    expect(black!.last('move_result')).toMatchObject({ success: false, error: 'Invalid move.' })
  })

  it('tells why an account may not play', async () => {
    const house = new House()
    house.matchStore.pauses.set(house.account('agent-a').id, { reason: 'it failed', by: 'host' })
    const client = await house.agent('a')
    await client.say({ type: 'join_queue', gameType: 'echo' })
    expect(client.heard[1]).toEqual(error(expect.stringContaining('is paused: it failed')))
  })
})

describe('a match', () => {
  it('is told in order, to both alike', async () => {
    const [one, other] = await new House().matched('echo')
    expect([one!.types.slice(-3), other!.types.slice(-3)]).toEqual([
      ['matched', 'game_state', 'your_turn'],
      ['matched', 'game_state', 'your_turn'],
    ])
    await one!.move({ number: 9 })
    expect(one!.heard).toEqual([
      { type: 'move_result', success: true },
      {
        type: 'thinking',
        gameId: 'g-1',
        agentId: one!.last('authenticated').agentId,
        agentName: one!.name,
        thinking: false,
      },
    ])
    expect(other!.types).toEqual(['thinking'])
    await other!.move({ number: 2 })
    expect(other!.types).toEqual([
      'move_result',
      'thinking',
      'turn_update',
      'game_state',
      'your_turn',
    ])
    expect(one!.types).toEqual(['thinking', 'turn_update', 'game_state', 'your_turn'])
    for (let round = 2; round <= 5; round++) {
      await one!.move({ number: round })
      await other!.move({ number: 10 })
    }
    await settled()
    expect(one!.types.slice(-4)).toEqual(['thinking', 'turn_update', 'game_state', 'game_over'])
    expect(one!.last('game_state')).toMatchObject({ status: 'completed', round: 5 })
    expect(one!.last('game_over')).toMatchObject({
      rankings: [
        { agentName: one!.name, finalScore: 4 },
        { agentName: other!.name, finalScore: 1 },
      ],
      totalRounds: 5,
      duration: 0,
      rated: true,
      ratings: {
        [one!.last('authenticated').agentId]: { rating: 1516, change: 16 },
        [other!.last('authenticated').agentId]: { rating: 1484, change: -16 },
      },
    })
  })

  it('refuses moves in the order of the reference, and a refused one costs nothing', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    const stranger = await house.agent('z')
    await stranger.move({ number: 1 }, 'g-1')
    expect(stranger.heard[1]).toEqual(refused('You are not a player in this game.'))
    one!.heard
    await one!.move({ number: 11 }, 'g-2')
    await one!.move({ number: 11 })
    house.clock.pass(100_000)
    await one!.move({ number: 5 })
    await one!.move({ number: 11 })
    expect(one!.heard.filter(({ type }) => type === 'move_result')).toEqual([
      refused('Game not found or not active.'),
      refused('Invalid move.', 'a move is {"number":N} with a whole N from 1 to 10, got 11'),
      { type: 'move_result', success: true },
      refused('You already submitted a move this round.'),
    ])
    house.clock.pass(80_100)
    await settled()
    expect(other!.last('game_over')).toMatchObject({
      reason: 'timeout',
      rankings: [{ agentName: one!.name }, { agentName: other!.name }],
    })
    await one!.move({ number: 11 })
    expect(one!.last('move_result')).toEqual(refused('Game not found or not active.'))
  })

  it('a move out of turn is an invalid one where turns alternate', async () => {
    const [black, white] = await new House().matched('skill-gomoku')
    await white!.move({ type: 'place', row: 7, col: 7 })
    expect(white!.last('move_result')).toMatchObject({ error: 'Invalid move.' })
    await black!.move({ type: 'place', row: 7, col: 7 })
    await black!.move({ type: 'place', row: 7, col: 8 })
    expect(black!.last('move_result')).toMatchObject({ error: 'Invalid move.' })
  })

  it('gives each agent 180 s for its first move and 90 s for later ones', async () => {
    const house = new House()
    const [black, white] = await house.matched('skill-gomoku')
    const stones = [
      [black!, 0, 179_000],
      [white!, 0, 179_000],
      [black!, 1, 89_000],
    ] as const
    for (const [agent, col, after] of stones) {
      house.clock.pass(after)
      await agent.move({ type: 'place', row: agent === black ? 0 : 2, col })
    }
    expect(black!.last('move_result')).toEqual({ type: 'move_result', success: true })
    house.clock.pass(90_100)
    await settled()
    expect(black!.last('game_over')).toMatchObject({
      reason: 'timeout',
      totalRounds: 3,
      duration: 537,
      rankings: [
        { agentName: black!.name, finalScore: 0 },
        { agentName: white!.name, finalScore: 0 },
      ],
    })
  })

  it('is a draw where both are late together', async () => {
    const house = new House()
    const [one] = await house.matched('blotto')
    house.clock.pass(180_100)
    await settled()
    expect(one!.last('game_over')).toMatchObject({ reason: 'timeout', draw: true, totalRounds: 0 })
  })

  it('is a draw where both have the same points', async () => {
    const [one, other] = await new House().matched('echo')
    for (let number = 1; number <= 5; number++)
      for (const agent of [one!, other!]) await agent.move({ number })
    await settled()
    const over = one!.last('game_over')
    expect(over).toMatchObject({ draw: true, totalRounds: 5 })
    expect(over.reason).toBe(undefined)
  })

  it('goes on where one of four is late, who is out', async () => {
    const house = new House()
    const dancers = await house.matched('dance-battle', 4)
    const plan = {
      commands: [
        { beatIndex: 0, kind: 'move', direction: 'hold' },
        { beatIndex: 1, kind: 'move', direction: 'hold' },
        { beatIndex: 2, kind: 'action', action: 'rock' },
      ],
    }
    for (const dancer of dancers.slice(1)) await dancer.move(plan)
    house.clock.pass(180_100)
    await settled()
    expect(dancers[1]!.last('game_state')).toMatchObject({ round: 2, status: 'active' })
    await dancers[0]!.move(plan)
    expect(dancers[0]!.last('move_result')).toMatchObject({
      error: 'Game not found or not active.',
    })
    house.clock.pass(90_100)
    await settled()
    const over = dancers[2]!.last('game_over')
    // Every one of them was late.
    expect(over).toMatchObject({ reason: 'timeout', draw: true })
    expect(over.rankings.at(-1).agentName).toBe(dancers[0]!.name)
  })

  it('ends with an error where the host has failed, and is not rated', async () => {
    const house = new House()
    house.matchStore.broken = new Error('the disk is full')
    const [one, other] = await house.matched('echo')
    for (let number = 1; number <= 5; number++)
      for (const agent of [one!, other!]) await agent.move({ number })
    await settled()
    expect(one!.types.slice(-2)).toEqual(['game_state', 'game_over'])
    expect(one!.last('game_state').status).toBe('completed')
    expect(other!.last('game_over')).toMatchObject({ reason: 'error', rated: false })
  })

  it('is left at once by an account that is revoked', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    house.clock.soon.turn(() => one!.session.dismiss({ code: 'revoked', detail: 'revoked' }))
    await settled()
    expect(other!.last('game_over').rankings[0].agentName).toBe(other!.name)
  })
})

describe('an agent that comes back', () => {
  it('is shown its game, and asked for the move that it owes', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    one!.drop()
    await other!.move({ number: 3 })
    house.clock.pass(60_000)
    const again = await house.agent(one!.name.replace('agent-', ''))
    expect(again.types).toEqual(['authenticated', 'game_state', 'your_turn'])
    const { players, timeLeft } = again.last('game_state')
    expect(players.map(({ thinking }: Heard) => thinking)).toEqual([true, false])
    expect(timeLeft).toEqual({ [players[0].agentId]: 120_000 })
    await again.move({ number: 4 }, 'g-1')
    expect(again.types).toEqual([
      'move_result',
      'thinking',
      'turn_update',
      'game_state',
      'your_turn',
    ])
  })

  it('is not asked for a move that it has made', async () => {
    const house = new House()
    const [one] = await house.matched('echo')
    await one!.move({ number: 3 })
    const again = await house.agent(one!.name.replace('agent-', ''))
    expect(again.types).toEqual(['authenticated', 'game_state'])
  })

  it('replaces its older connection', async () => {
    const house = new House()
    const [one] = await house.matched('echo')
    one!.heard
    const again = await house.agent(one!.name.replace('agent-', ''))
    expect(one!.connection.close).toEqual({
      code: 4009,
      reason: 'Replaced by a newer connection.',
    })
    expect(one!.heard).toEqual([])
    one!.drop()
    await again.move({ number: 3 }, 'g-1')
    expect(again.last('move_result')).toEqual({ type: 'move_result', success: true })
  })

  it('takes its older connection out of the queue', async () => {
    const house = new House()
    const client = await house.agent('a')
    await client.say({ type: 'join_queue', gameType: 'echo' })
    await house.agent('a')
    expect(house.arena.waiting).toEqual([])
  })

  it('may go and come several times, and the clock runs on', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    const name = one!.name.replace('agent-', '')
    one!.drop()
    for (let i = 0; i < 3; i++) (await house.agent(name)).drop()
    await other!.move({ number: 1 })
    house.clock.pass(180_100)
    await settled()
    expect(other!.last('game_over')).toMatchObject({
      reason: 'timeout',
      rankings: [{ agentName: other!.name }, { agentName: one!.name }],
    })
    const late = await house.agent(name)
    expect(late.types).toEqual(['authenticated'])
    await late.say({ type: 'subscribe_game', gameId: 'g-1' })
    await settled()
    expect(late.types).toEqual(['game_state', 'game_over'])
  })
})

describe('spectators', () => {
  const watching = async (house: House, gameId = 'g-1') => {
    const guest = house.guest()
    await guest.say({ type: 'subscribe_game', gameId })
    return guest
  }

  it('see the board at once, and everything from then on', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    const guest = await watching(house)
    expect(guest.heard).toEqual([
      expect.objectContaining({ type: 'game_state', round: 1, spectatorCount: 1 }),
    ])
    await one!.move({ number: 3 })
    await settled()
    expect(guest.types).toEqual(['thinking'])
    await other!.move({ number: 4 })
    await settled()
    expect(guest.types).toEqual(['thinking', 'turn_update', 'game_state'])
    for (let number = 5; number <= 8; number++)
      for (const agent of [one!, other!]) {
        await agent.move({ number })
        await settled()
      }
    await settled()
    expect(guest.types.slice(-5)).toEqual([
      'thinking',
      'thinking',
      'turn_update',
      'game_state',
      'game_over',
    ])
    expect(guest.last('game_over')).toMatchObject({ totalRounds: 5, rated: true })
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    await settled()
    expect(guest.types).toEqual(['game_state', 'game_over'])
  })

  it('never see a move that is not resolved', async () => {
    const house = new House()
    const [one] = await house.matched('blotto')
    const guest = await watching(house)
    await one!.move({ allocation: [10, 0, 0, 0, 0] })
    await settled()
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    expect(JSON.stringify(guest.heard)).not.toContain('10,0')
  })

  it('see the true grid of resource-rush and all thoughts, but no memory', async () => {
    const house = new House()
    const [one, other] = await house.matched('resource-rush')
    const guest = await watching(house)
    for (const agent of [one!, other!])
      await agent.move({ action: 'wait', thought: `by ${agent.name}`, memory: { secret: 1 } })
    await settled()
    const { extra } = guest.last('game_state')
    expect(extra.grid.flat()).not.toContain(-1)
    expect(Object.keys(extra.playerPositions)).toHaveLength(2)
    expect(Object.values(extra.playerThoughts)).toEqual([`by ${one!.name}`, `by ${other!.name}`])
    expect(extra.memory).toBe(undefined)
    expect(guest.last('turn_update').moves.map(({ action }: Heard) => action)).toEqual([
      'Waited',
      'Waited',
    ])
    const own = one!.last('game_state').extra
    expect(own.grid.flat()).toContain(-1)
    expect(own.memory).toEqual({ secret: 1 })
    expect(Object.values(own.playerThoughts)).toEqual([`by ${one!.name}`])
    expect(one!.last('turn_update').moves[1].action).toBe('Acted')
  })

  it('see no more of it than both players do, where the operator wants it so', async () => {
    const house = new House({ fog: 'all' })
    const [one, other] = await house.matched('resource-rush')
    const guest = await watching(house)
    for (const agent of [one!, other!]) await agent.move({ action: 'wait', thought: 'secret' })
    await settled()
    const { extra } = guest.last('game_state')
    expect(new Set(extra.grid.flat())).toEqual(new Set([-1]))
    expect([extra.playerPositions, extra.playerThoughts]).toEqual([{}, {}])
    expect(guest.last('turn_update').moves[0].action).toBe('Acted')
  })

  it('are a player who asks again for its own game', async () => {
    const house = new House()
    const [one] = await house.matched('echo')
    one!.heard
    await one!.say({ type: 'subscribe_game', gameId: 'g-1' })
    expect(one!.types).toEqual(['game_state', 'your_turn'])
    await one!.move({ number: 1 })
    one!.heard
    await one!.say({ type: 'subscribe_game', gameId: 'g-1' })
    expect(one!.types).toEqual(['game_state'])
  })

  it('can watch a match among agents of other protocols', async () => {
    const house = new House()
    const agents = ['x', 'y'].map(name => house.agentGames(name, 'ttt'))
    const guest = await watching(house)
    expect(guest.heard).toEqual([
      expect.objectContaining({ type: 'game_state', gameType: 'ttt', maxRounds: null }),
    ])
    const mover = agents.find(({ connection }) => connection.last.yourTurn)!
    mover.session.receive('{"type":"move","move":"4"}')
    await settled()
    expect(guest.types).toEqual(['thinking', 'turn_update', 'game_state'])
    for (const { session } of agents) session.closed()
    await settled()
    expect(guest.last('game_over')).toMatchObject({ reason: 'timeout' })
  })

  it('that do not read miss boards, and cost nothing', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    const guest = await watching(house)
    guest.heard
    guest.connection.unsent = 100_000
    for (let number = 1; number <= 4; number++) {
      await one!.move({ number })
      await other!.move({ number: 9 - number })
      await settled()
    }
    expect(guest.heard).toEqual([])
    guest.connection.unsent = 0
    guest.session.drained()
    await settled()
    expect(guest.last('game_state').round).toBe(5)
    guest.drop()
    await one!.move({ number: 10 })
    await settled()
    expect(guest.last('game_state').round).toBe(5)
  })

  it('may watch 100 games on one connection', async () => {
    const house = new House()
    for (let n = 0; n < 202; n++) house.agentGames(`x${n}`, 'ttt')
    const guest = house.guest()
    for (let match = 1; match <= 101; match++) {
      if (match === 60) house.clock.pass(10_000)
      await guest.say({ type: 'subscribe_game', gameId: `g-${match}` })
    }
    expect(guest.connection.messages.slice(0, 100).every(({ type }) => type === 'game_state')).toBe(
      true,
    )
    expect(guest.connection.last).toEqual(
      error('Too many subscriptions: at most 100 games on one connection.'),
    )
  })
})

describe('finished games', () => {
  it('can be asked for during 10 minutes', async () => {
    const house = new House()
    const [one] = await house.matched('echo')
    house.clock.pass(180_100)
    await settled()
    expect(one!.last('game_over')).toBeTruthy()
    const guest = house.guest()
    house.clock.pass(599_000)
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    house.clock.pass(2_000)
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    expect(guest.heard).toEqual([
      expect.objectContaining({ type: 'game_state', status: 'completed' }),
      expect.objectContaining({ type: 'game_over', reason: 'timeout' }),
      error('Game not found.'),
    ])
  })
})

describe('against an agent of AgentGames', () => {
  it('meets in the same queue, each under its own terms', async () => {
    const house = new House()
    const other = house.agentGames('other', 'echo')
    const client = await house.agent('a')
    await client.say({ type: 'join_queue', gameType: 'echo' })
    const { timeouts, gameId } = client.last('matched')
    const { players } = client.last('game_state')
    const byName = Object.fromEntries(
      players.map(({ agentName, agentId }: Heard) => [agentName, timeouts[agentId]]),
    )
    expect(byName).toEqual({
      'agent-a': { first: 180, move: 90 },
      other: { first: 15, move: 15 },
    })
    other.session.receive('{"type":"move","move":{"number":3}}')
    house.clock.pass(100_000)
    await client.move({ number: 4 }, gameId)
    expect(client.types.slice(-3)).toEqual(['turn_update', 'game_state', 'your_turn'])
    house.clock.pass(15_100)
    await settled()
    expect(client.last('game_over')).toMatchObject({
      reason: 'timeout',
      rated: true,
      rankings: [{ agentName: 'agent-a' }, { agentName: 'other' }],
    })
    expect(other.connection.last).toMatchObject({ type: 'result', reason: 'forfeit: move timeout' })
  })
})
