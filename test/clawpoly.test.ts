// Clawpoly over real sockets: registration, rooms, whole games, stats.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ask as askAt, ClawpolyAgent, type Heard } from './support/clawpoly-agent.ts'
import { Host } from './support/host.ts'

let host: Host
const ask = (path: string, body?: unknown, headers = {}) => askAt(host.http, path, body, headers)

beforeAll(async () => {
  host = await Host.start({
    AGENTBBS_REGISTRATION: 'open',
    AGENTBBS_PAIR_CAP: '0',
    AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '100',
    AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS: '100',
    AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS: '100',
  })
})
afterAll(() => host?.stop())

const newRoom = (fields: object = {}) =>
  ask('rooms', { name: 'Reef', maxPlayers: 2, gameSpeed: 'instant', turnLimit: 12, ...fields })

describe('rooms', () => {
  it('are set up, listed and joined, with the names that either kind of client reads', async () => {
    const room = await newRoom({ maxPlayers: 3 })
    expect(room).toEqual({
      ...{ http: 201, roomId: room.id, id: room.roomId, roomCode: room.roomCode, name: 'Reef' },
      ...{ status: 'waiting', players: 0, playerCount: 0, maxPlayers: 3, spectators: 0 },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(room.roomCode).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    const { rooms } = await ask('rooms')
    const { http: _, ...listed } = room
    expect(rooms).toContainEqual(listed)
    const joined = await ask(`rooms/${room.id}/join`, { name: 'Nemo', token: 'shark' })
    expect(joined).toEqual({
      ...{ http: 200, playerId: 'agent-0', roomId: room.id, roomCode: room.roomCode },
      agentToken: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ),
      ...{ assignedToken: 'shark', token: 'shark', color: '#95a5a6' },
    })
    const second = await ask(`rooms/${room.roomCode}/join`, { agentName: 'Dory', token: 'shark' })
    expect(second).toMatchObject({ playerId: 'agent-1', assignedToken: 'lobster' })
    const detail = await ask(`rooms/${room.id}`)
    expect(detail).toMatchObject({
      ...{ status: 'waiting', turnNumber: 0, currentPlayer: null, playerCount: 2 },
      config: { maxPlayers: 3, turnLimit: 12, gameSpeed: 'instant' },
      players: [
        { id: 'agent-0', name: 'Nemo', token: 'shark', money: 1500, position: 0, connected: false },
        { id: 'agent-1', name: 'Dory', token: 'lobster' },
      ],
    })
    expect(JSON.stringify(detail)).not.toContain(joined.agentToken)
  })

  it.each([
    ['no JSON', 'rooms', '{', 400, 'BAD_REQUEST'],
    ['a list', 'rooms', [], 400, 'BAD_REQUEST'],
    ['no name', 'rooms', {}, 400, 'BAD_REQUEST'],
    ['one seat', 'rooms', { name: 'R', maxPlayers: 1 }, 400, 'BAD_REQUEST'],
    ['seven seats', 'rooms', { name: 'R', maxPlayers: 7 }, 400, 'BAD_REQUEST'],
    ['half a turn', 'rooms', { name: 'R', turnLimit: 0.5 }, 400, 'BAD_REQUEST'],
    ['another speed', 'rooms', { name: 'R', gameSpeed: 'warp' }, 400, 'BAD_REQUEST'],
    ['money', 'rooms', { name: 'R', mode: 'premium' }, 400, 'PREMIUM_NOT_OFFERED'],
    ['a fee', 'rooms', { name: 'R', entryFee: { amount: 1 } }, 400, 'PREMIUM_NOT_OFFERED'],
    ['no room to join', 'rooms/REEF42/join', { name: 'N' }, 404, 'ROOM_NOT_FOUND'],
    ['no room to start', 'rooms/x/start', {}, 404, 'ROOM_NOT_FOUND'],
    ['no room at all', 'rooms/x', undefined, 404, 'ROOM_NOT_FOUND'],
    ['no room with a state', 'rooms/x/state', undefined, 404, 'ROOM_NOT_FOUND'],
    ['no room with a log', 'rooms/x/log', undefined, 404, 'ROOM_NOT_FOUND'],
    ['no room to pay for', 'rooms/x/verify-payment', {}, 404, 'ROOM_NOT_FOUND'],
    ['no such agent', 'agents/nobody', undefined, 404, 'AGENT_NOT_FOUND'],
    ['no such path', 'games', undefined, 404, 'NOT_FOUND'],
    ['no agentId', 'agents/register', { name: 'N' }, 400, 'BAD_REQUEST'],
    ['a page that is none', 'agents?page=x', undefined, 400, 'BAD_REQUEST'],
  ])('refuse %s', async (_, path, body, status, code) => {
    const answer = await ask(path, body)
    expect(answer).toEqual({
      http: status,
      code,
      error: expect.stringMatching(/^[A-Z"]/),
    })
  })

  it('refuse what comes too early, too late, or is too much', async () => {
    const room = await newRoom()
    const at = (path: string) => `rooms/${room.id}/${path}`
    expect(await ask(at('verify-payment'), {})).toMatchObject({
      http: 400,
      code: 'PREMIUM_NOT_OFFERED',
    })
    for (const path of ['state', 'log'])
      expect(await ask(at(path))).toMatchObject({ http: 409, code: 'GAME_NOT_STARTED' })
    expect(await ask(at('join'), {})).toMatchObject({ http: 400, code: 'BAD_REQUEST' })
    await ask(at('join'), { name: 'Nemo' })
    expect(await ask(at('start'), {})).toMatchObject({ http: 409, code: 'GAME_NOT_STARTED' })
    await ask(at('join'), { name: 'Dory' })
    expect(await ask(`rooms/${room.id}`)).toMatchObject({ status: 'ready' })
    expect(await ask(at('join'), { name: 'Bruce' })).toMatchObject({ http: 409, code: 'ROOM_FULL' })
    const started = await ask(at('start'), {})
    expect(started).toMatchObject({ http: 200, status: 'playing', message: expect.any(String) })
    expect([...started.turnOrder].sort()).toEqual(['agent-0', 'agent-1'])
    for (const path of ['join', 'start'])
      expect(await ask(at(path), { name: 'Bruce' })).toMatchObject({
        ...{ http: 409, code: 'GAME_ALREADY_STARTED' },
      })
    const state = await ask(at('state'))
    expect(state).toMatchObject({ turnOrder: started.turnOrder, turnNumber: expect.any(Number) })
    expect(state.board).toHaveLength(40)
    expect(JSON.stringify(state)).not.toMatch(/deck|unseen|dice":\d/)
  })
})

describe('sockets', () => {
  it('refuse addresses without a query in HTTP, and rooms and tokens after the handshake', async () => {
    const status = (path: string) =>
      new Promise(resolve => {
        const socket = new WebSocket(`ws://127.0.0.1:${host.http}/clawpoly/ws/${path}`)
        socket.on('error', () => {})
        socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode))
      })
    for (const path of ['agent', 'agent?roomId=x', 'agent?agentToken=x', 'spectator'])
      expect(await status(path)).toBe(400)
    const room = await newRoom()
    for (const [query, path, code, close] of [
      ['roomId=x&agentToken=y', 'agent', 'ROOM_NOT_FOUND', 4004],
      [`roomId=${room.id}&agentToken=y`, 'agent', 'INVALID_TOKEN', 4001],
      ['roomCode=REEF42', 'spectator', 'ROOM_NOT_FOUND', 4004],
    ] as const) {
      const agent = new ClawpolyAgent(host.http, query, path)
      expect(await agent.next()).toMatchObject({ type: 'error', data: { code } })
      expect(await agent.closed).toBe(close)
    }
  })
})

describe('a game', () => {
  it('starts by itself, is played to its turn limit, watched, and kept', async () => {
    const room = await newRoom({ maxPlayers: 3 })
    const spectator = new ClawpolyAgent(host.http, `roomCode=${room.roomCode}`, 'spectator')
    expect((await spectator.next()).data).toMatchObject({ roomCode: room.roomCode, players: [] })
    const agents = []
    for (const name of ['Nemo', 'Dory', 'Bruce'])
      agents.push(await ClawpolyAgent.join(host.http, room.id, { name }))
    const ends = await Promise.all(agents.map(agent => agent.play()))
    expect(ends[1]).toEqual(ends[0])
    expect(ends[0].reason).toMatch(/^(turn_limit|last_standing)$/)
    expect(ends[0].finalStandings.map(({ placement }: Heard) => placement)).toEqual([1, 2, 3])
    expect(ends[0].winnerId).toBe(ends[0].finalStandings[0].id)
    expect(await Promise.all(agents.map(({ closed }) => closed))).toEqual([1000, 1000, 1000])
    expect(await spectator.closed).toBe(1000)
    const kinds = spectator.heard.map(({ type }) => type)
    expect(kinds.slice(0, 4)).toEqual([
      ...['game:state', 'room:player_joined', 'room:player_joined', 'room:player_joined'],
    ])
    expect(kinds).toEqual(
      expect.arrayContaining(['game:started', 'game:dice_rolled', 'game:turn_end']),
    )
    expect(kinds.at(-1)).toBe('game:finished')
    const { events, from, limit } = await ask(`rooms/${room.id}/log?from=0&limit=500`)
    expect([from, limit]).toEqual([0, 500])
    expect(events.map(({ sequence }: Heard) => sequence)).toEqual([...events.keys()])
    expect(events.map(({ type }: Heard) => `game:${type}`)).toEqual(
      kinds.filter(kind => kind.startsWith('game:')).slice(1),
    )
    const part = await ask(`rooms/${room.id}/log?from=3&limit=2`)
    expect(part.events).toEqual(events.slice(3, 5))
    expect(await ask(`rooms/${room.id}`)).toMatchObject({ status: 'finished', currentPlayer: null })
  })

  it('starts on demand without those that have not come, and slots that are empty', async () => {
    const room = await newRoom({ maxPlayers: 4, turnLimit: 4 })
    const nemo = await ClawpolyAgent.join(host.http, room.id, { name: 'Nemo' })
    await ask(`rooms/${room.id}/join`, { name: 'Dory' })
    await ask(`rooms/${room.id}/start`, {})
    // The one that has not connected is played by fallbacks.
    const { finalStandings } = await nemo.play()
    expect(finalStandings).toHaveLength(2)
  })

  it('is finished by a client of the public implementation', async () => {
    const room = await newRoom({ turnLimit: 30 })
    const nemo = await ClawpolyAgent.join(
      host.http,
      room.id,
      { agentName: 'Nemo' },
      '&protocol=legacy',
    )
    const dory = await ClawpolyAgent.join(host.http, room.id, { name: 'Dory' })
    const legacy = async () => {
      for (;;) {
        const { type, data } = await nemo.next()
        if (type === 'agent:game_over') return data
        if (type === 'agent:buy_decision') nemo.act('buy')
        else if (type === 'agent:lobster_pot_decision') nemo.act('escape_roll')
        else if (type === 'agent:build_decision') {
          const [square] = data.buildableSquares
          const [fortress] = data.upgradeableSquares
          if (square !== undefined) nemo.act('build', { squareIndex: square.index })
          else if (fortress !== undefined) nemo.act('upgrade', { squareIndex: fortress.index })
          else nemo.act('skip_build')
        }
      }
    }
    const [over] = await Promise.all([legacy(), dory.play()])
    expect(over.finalStandings).toHaveLength(2)
    const types = new Set(nemo.heard.map(({ type }) => type))
    expect(types).not.toContain('agent:your_turn')
    expect(types).not.toContain('error')
  })
})

describe('registered agents', () => {
  it('gather stats, are listed, and are guarded once their secret was given', async () => {
    const [lenny, pearl] = await Promise.all(
      ['lenny', 'pearl'].map(id =>
        ask('agents/register', {
          agentId: `${id}-7`,
          name: `${id} the ray 🐟`,
          description: 'rays',
        }),
      ),
    )
    expect(lenny).toEqual({
      ...{ http: 200, agentId: 'lenny-7', name: 'lenny the ray 🐟', registered: true },
      stats: { gamesPlayed: 0, wins: 0, elo: 1200 },
      agentSecret: expect.any(String),
    })
    expect(await ask('agents/register', { agentId: 'lenny-7', name: 'Other' })).toMatchObject({
      ...{ http: 409, code: 'AGENT_ID_TAKEN' },
    })
    const room = await newRoom({ turnLimit: 2 })
    const agents = [
      await ClawpolyAgent.join(host.http, room.id, { name: 'Lenny', agentId: 'lenny-7' }),
      await ClawpolyAgent.join(host.http, room.id, {
        ...{ name: 'Pearl', agentId: 'pearl-7', agentSecret: pearl.agentSecret },
      }),
    ]
    await Promise.all(agents.map(agent => agent.play()))
    await expect
      .poll(async () => (await ask('agents/lenny-7')).stats.gamesPlayed, { timeout: 5_000 })
      .toBe(1)
    const { leaderboard } = await ask('leaderboard?limit=2')
    expect(leaderboard).toMatchObject([
      { rank: 1, elo: 1216, wins: 1, gamesPlayed: 1 },
      { rank: 2, elo: 1184, wins: 0, gamesPlayed: 1 },
    ])
    expect(await ask('agents/leaderboard?limit=2')).toEqual({ http: 200, leaderboard })
    const { agents: all, total, page, pages } = await ask('agents?limit=1&page=2')
    expect([all.length, total, page, pages]).toEqual([1, 2, 2, 2])
    const next = await newRoom()
    const join = (body: object, headers = {}) => ask(`rooms/${next.id}/join`, body, headers)
    const stranger = { name: 'Pearl', agentId: 'pearl-7' }
    expect(await join(stranger)).toMatchObject({ http: 403, code: 'FORBIDDEN' })
    expect(await join({ ...stranger, agentSecret: lenny.agentSecret })).toMatchObject({ http: 403 })
    expect(await join({ ...stranger, agentSecret: 'wrong' })).toMatchObject({
      ...{ http: 401, code: 'UNAUTHORIZED' },
    })
    const Authorization = `Bearer ${pearl.agentSecret}`
    expect(await join({}, { Authorization })).toMatchObject({ http: 200 })
    expect(await join({}, { Authorization })).toMatchObject({ http: 409, code: 'ALREADY_SEATED' })
    expect((await ask(`rooms/${next.id}`)).players[0].name).toMatch(/^pearl the ray/)
  })
})

describe('a host without open registration', () => {
  let closed: Host
  beforeAll(async () => {
    closed = await Host.start({
      AGENTBBS_REGISTRATION: 'closed',
      AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS: '1',
      AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS: '3',
    })
  })
  afterAll(() => closed?.stop())

  it('seats accounts alone, as often as one address may', async () => {
    const at = (path: string, body?: unknown, headers = {}) =>
      askAt(closed.http, path, body, headers)
    const { id } = await at('rooms', { name: 'Reef', maxPlayers: 2 })
    expect(await at('rooms', { name: 'Reef' })).toMatchObject({
      ...{ http: 429, code: 'RATE_LIMITED' },
    })
    expect(await at('agents/register', { agentId: 'a', name: 'Ann' })).toMatchObject({
      ...{ http: 403, code: 'FORBIDDEN', error: expect.stringContaining('closed') },
    })
    const refused = await at(`rooms/${id}/join`, { name: 'Nemo' })
    expect(refused).toMatchObject({ http: 403, error: expect.stringContaining('Bearer') })
    const { token } = await closed.account('nova')
    const join = (secret: string) =>
      at(`rooms/${id}/join`, {}, { Authorization: `Bearer ${secret}` })
    expect(await join('abbs_wrong')).toMatchObject({ http: 401, code: 'UNAUTHORIZED' })
    expect(await join(token)).toMatchObject({ http: 200, playerId: 'agent-0' })
    expect(await join(token)).toMatchObject({ http: 429, code: 'RATE_LIMITED' })
    expect((await at(`rooms/${id}`)).players).toMatchObject([{ name: 'nova' }])
  })

  it('takes nothing from the pages of other sites', async () => {
    const answer = await askAt(
      closed.http,
      'rooms',
      { name: 'R' },
      { Origin: 'https://evil.example' },
    )
    expect(answer).toMatchObject({ http: 403, code: 'FORBIDDEN' })
  })
})
