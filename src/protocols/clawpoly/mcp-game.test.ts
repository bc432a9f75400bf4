import { describe, expect, it } from 'vitest'
import { ClawpolyMcpHouse } from '../../../test/support/clawpoly-mcp-house.ts'
import type { Answer } from '../../../test/support/play-agent.ts'

const agentToken = 'ada'

/** An agent that plays against three house players at once. */
const started = async (options: object = {}) => {
  const house = new ClawpolyMcpHouse()
  const session = await house.session()
  const begun = await session.tool('start_with_bots', {
    ...{ agentToken, gameSpeed: 'instant' },
    ...options,
  })
  return { house, session, begun }
}

/** What it answers to a decision. */
const choice = ({ type, availableActions, yourMoney, property }: Answer): string => {
  if (type === 'buy') return yourMoney - property.price >= 200 ? 'buy' : 'pass'
  return availableActions[0]
}

describe('registration', () => {
  it('gives an agent its token, and ignores wallets', async () => {
    const session = await new ClawpolyMcpHouse().session()
    const given = { name: 'ada', feeWallet: '0xabc', symbol: 'SHRK' }
    expect(await session.tool('register', given)).toEqual({
      agentId: expect.stringMatching(/^[\da-f-]{36}$/),
      agentToken: 'ada',
      claimLink: 'https://bbs.example.org/agent/ada',
      message: expect.stringContaining('Keep agentToken'),
    })
  })

  it('is refused in words where the host is closed', async () => {
    const house = new ClawpolyMcpHouse()
    house.closed = 'the operator makes all accounts'
    const sent = await (await house.session()).call('register', { name: 'ada' })
    expect(sent.answer.result.isError).toBe(true)
    expect(sent.told).toMatchObject({
      ...{ success: false, code: 'forbidden', error: 'the operator makes all accounts' },
    })
    expect(house.refusals).toEqual(['forbidden'])
  })
})

describe('a game against the house', () => {
  it('is played to its end by get_state alone', async () => {
    const { house, session, begun } = await started({ turnLimit: 80 })
    expect(begun).toMatchObject({ status: 'game_starting', players: 4 })
    expect(begun.roomCode).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    let state = await session.tool('get_state', { agentToken })
    let decisions = 0
    while (state.gamePhase !== 'finished') {
      expect(state.pendingDecision).toMatchObject({ type: expect.stringMatching(/buy|build|pot/) })
      const action = choice(state.pendingDecision)
      state = await session.tool('get_state', { agentToken, action })
      expect(state.actionResult).toMatchObject({ success: true, action })
      decisions++
    }
    expect(decisions).toBeGreaterThan(5)
    expect(state).toMatchObject({
      ...{ turnNumber: 80, reason: 'turn_limit', pendingDecision: null, gameSpeed: 'instant' },
      winner: state.finalStandings[0].name,
      instruction: expect.stringContaining('The game is over'),
    })
    expect(state.players).toHaveLength(4)
    expect(state.me).toMatchObject({ name: 'ada', money: expect.any(Number) })
    expect(state.board).toHaveLength(28)
    expect(house.failures).toEqual([])
    expect(house.arena.tables.size).toBe(0)
    expect(house.kept.size).toBe(0)
    expect(house.matchStore.matches[0]).toMatchObject({
      protocols: ['clawpoly', null, null, null],
      unrated: 'practice against the house',
    })
  })

  it('is played by the single tools as well', async () => {
    const { session } = await started()
    const { pendingDecision } = await session.tool('get_state', { agentToken })
    expect(pendingDecision.type).toBe('buy')
    const { index } = pendingDecision.property
    const bought = await session.tool('buy_property', { agentToken })
    expect(bought).toMatchObject({
      ...{ success: true, action: 'buy', message: 'You bought the square.' },
      actionResult: { success: true },
    })
    expect(bought.me.properties).toMatchObject([{ index, outposts: 0, mortgaged: false }])
    const next = await session.tool('get_state', { agentToken })
    expect(next.pendingDecision.type).toBe('buy')
    await session.tool('pass_property', { agentToken })
  })

  it('is one at a time', async () => {
    const { session, begun } = await started()
    for (const tool of ['start_with_bots', 'join_queue'])
      expect(await session.tool(tool, { agentToken })).toMatchObject({
        code: 'already-seated',
        error: `your agent ada plays already in room ${begun.roomCode}: call clawpoly_get_state until gamePhase is finished`,
      })
    expect(await session.tool('queue_status', { agentToken })).toMatchObject({
      ...{ status: 'in_game', roomCode: begun.roomCode },
    })
  })

  it('goes on without an agent that does not poll, by the clock of 30 s', async () => {
    const { house, session } = await started()
    const { pendingDecision, turnNumber } = await session.tool('get_state', { agentToken })
    expect(pendingDecision.secondsLeft).toBe(30)
    await house.pass(29_000)
    expect((await session.tool('get_state', { agentToken })).pendingDecision.secondsLeft).toBe(1)
    await house.pass(1_025)
    const { index } = pendingDecision.property
    const late = await session.tool('get_state', { agentToken })
    expect(late.turnNumber).toBeGreaterThan(turnNumber)
    expect(late.me.properties.map((square: Answer) => square.index)).not.toContain(index)
  })

  it('is lost by five decisions in a row that were not made', async () => {
    const { house, session } = await started()
    await session.tool('get_state', { agentToken })
    await house.pass(4 * 30_025)
    const { pendingDecision } = await session.tool('get_state', { agentToken })
    const action = choice(pendingDecision)
    expect(await session.tool('get_state', { agentToken, action })).toMatchObject({
      actionResult: { success: true },
    })
    await house.pass(4 * 30_025)
    const { me } = await session.tool('get_state', { agentToken })
    expect(me.isBankrupt).toBe(false)
    await house.pass(30_025)
    const { me: last, finalStandings } = await session.tool('get_state', { agentToken })
    expect(last.isBankrupt).toBe(true)
    expect(finalStandings.at(-1)).toMatchObject({ name: 'ada', placement: 4 })
    // It may begin another one.
    expect(await session.tool('start_with_bots', { agentToken })).toMatchObject({
      status: 'game_starting',
    })
  })

  it('is refused to an address that makes too many rooms', async () => {
    const house = new ClawpolyMcpHouse()
    house.roomWait = 12
    const answer = await (await house.session()).tool('start_with_bots', { agentToken })
    expect(answer).toMatchObject({
      code: 'too-many-tables',
      error: 'your address has made many rooms: try again in 12 s',
    })
  })

  it('asks nothing in a pause, and the same again after it', async () => {
    const { house, session } = await started()
    const { pendingDecision } = await session.tool('get_state', { agentToken })
    const [table] = [...house.arena.tables.values()]
    await house.pass(10_000)
    table!.pause()
    const paused = await session.call('get_state', { agentToken, action: 'buy' })
    expect(paused.told).toMatchObject({
      ...{ gamePhase: 'paused', pendingDecision: null, actionResult: { success: false } },
      instruction: expect.stringContaining('paused'),
    })
    const waiting = await session.call('get_state', { agentToken })
    expect(waiting.told).toBe(null)
    table!.resume()
    await house.pass(0)
    expect(waiting.told).toMatchObject({ gamePhase: 'playing', pendingDecision })
  })

  it('ends for an agent that is banned', async () => {
    const { house, session } = await started()
    await session.tool('get_state', { agentToken })
    house.dismiss({ code: 'banned', detail: 'the account ada is banned' })
    await house.pass(0)
    expect(await session.tool('get_state', { agentToken })).toMatchObject({
      status: 'not_in_game',
      message: expect.stringContaining('The account ada is banned.'),
    })
  })
})

describe('the wait of get_state', () => {
  it('lasts 15 s at most', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    await session.tool('join_queue', { agentToken })
    const waiting = await session.call('get_state', { agentToken })
    await house.pass(14_999)
    expect(waiting.told).toBe(null)
    await house.pass(1)
    expect(waiting.told).toMatchObject({ status: 'queued', pendingDecision: null })
    expect(waiting.answer.result.isError).toBe(undefined)
  })

  it('ends when the game begins and there is a decision to make', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    const queued = await session.tool('join_queue', { agentToken })
    expect(queued).toMatchObject({ status: 'queued', position: 1, totalInQueue: 1, waiting: 1 })
    expect(await session.tool('join_queue', { agentToken: 'bert' })).toMatchObject({ position: 2 })
    const waits = [
      await session.call('get_state', { agentToken }),
      await session.call('get_state', { agentToken: 'bert' }),
    ]
    await house.pass(10_000)
    const told = waits.map(({ told }) => told)
    expect(told.filter(each => each !== null)).toMatchObject([
      { isMyTurn: true, pendingDecision: { type: 'buy' }, gamePhase: 'playing' },
    ])
    expect(house.matchStore.matches[0]).toMatchObject({ unrated: null })
  })

  it('ends when the client leaves', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    await session.tool('join_queue', { agentToken })
    const waiting = await session.call('get_state', { agentToken })
    await waiting.cut()
    await house.pass(15_000)
    expect(house.failures).toEqual([])
    expect(await session.tool('queue_status', { agentToken })).toMatchObject({ status: 'queued' })
  })
})

describe('the stream of a session', () => {
  it('tells of decisions as they come, and of one that is owed when it is opened', async () => {
    const { house, session } = await started()
    const { pendingDecision } = await session.tool('get_state', { agentToken })
    const { type, availableActions, secondsLeft, ...context } = pendingDecision
    const stream = await session.listen()
    const notice = {
      method: 'notifications/message',
      params: {
        ...{ level: 'info', logger: 'clawpoly' },
        data: {
          ...{ event: 'pending_decision', type, context },
          message: expect.stringContaining('Buy '),
        },
      },
    }
    expect(stream.messages).toMatchObject([notice])
    await session.tool('pass_property', { agentToken })
    await house.pass(0)
    expect(stream.messages.length).toBe(2)
    expect(stream.messages[1].params.data.event).toBe('pending_decision')
  })

  it('tells nothing of the agents of others', async () => {
    const { house, session } = await started()
    const other = await house.session()
    const stream = await other.listen()
    await session.tool('get_state', { agentToken, action: 'pass' })
    expect(stream.messages).toEqual([])
    expect(stream.isOver).toBe(false)
  })
})

describe('a room', () => {
  const room = (house: ClawpolyMcpHouse, { parties } = house.arena) => {
    const table = parties.create({
      game: house.clawpoly,
      ...{ name: 'Reef', seats: 2, speed: 'instant', protocol: 'clawpoly' },
    })
    if ('detail' in table) throw new Error(table.detail)
    return table.code
  }

  it('is joined by its code, and the game starts when it is full', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    const roomCode = room(house).toLowerCase()
    expect(await session.tool('join_queue', { agentToken, roomCode })).toMatchObject({
      ...{ status: 'queued', roomCode: roomCode.toUpperCase(), players: 1, waiting: 1 },
    })
    await session.tool('join_queue', { agentToken: 'bert', roomCode })
    expect(await session.tool('queue_status', { agentToken })).toMatchObject({ status: 'in_game' })
  })

  /** Two agents that play each other. */
  const paired = async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    const roomCode = room(house)
    for (const name of [agentToken, 'bert'])
      await session.tool('join_queue', { agentToken: name, roomCode })
    return { house, session }
  }

  it('is won by the agent that plays on when the other has missed five decisions', async () => {
    const { house, session } = await paired()
    let state: Answer = {}
    while (state.gamePhase !== 'finished') {
      const action = state.pendingDecision ? choice(state.pendingDecision) : undefined
      const sent = await session.call('get_state', { agentToken, action })
      await house.pass(15_000)
      state = sent.told
    }
    expect(state).toMatchObject({
      ...{ winner: 'ada', reason: 'last_standing' },
      finalStandings: [
        { name: 'ada', placement: 1, money: expect.any(Number) },
        { name: 'bert', placement: 2, bankruptAtTurn: expect.any(Number) },
      ],
    })
  })

  it('has no winner when the match is aborted', async () => {
    const { house, session } = await paired()
    for (const table of house.arena.tables.values()) await table.abort('a test')
    expect(await session.tool('get_state', { agentToken })).toMatchObject({
      ...{ gamePhase: 'finished', winner: null, reason: 'aborted', why: 'a test' },
    })
  })

  it('is left for a game against the house', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    const roomCode = room(house)
    await session.tool('join_queue', { agentToken, roomCode })
    await session.tool('start_with_bots', { agentToken })
    expect(house.arena.parties.table(roomCode)!.sitters).toEqual([null, null])
  })

  it('that is not there is refused', async () => {
    const session = await new ClawpolyMcpHouse().session()
    expect(await session.tool('join_queue', { agentToken, roomCode: 'REEF42' })).toMatchObject({
      code: 'no-such-table',
      error: 'there is no room "REEF42"',
    })
  })
})

describe('a call is refused, and says what came', () => {
  const noGame = { status: 'not_in_game', pendingDecision: null, gamePhase: 'waiting' }

  it.each([
    ['get_state', {}, 'agentToken is missing; expected: the token that clawpoly_register has'],
    ['get_state', { agentToken: '' }, 'agentToken is ""; expected: the token'],
    ['get_state', { agentToken: 7 }, 'agentToken is "7"; expected: the token'],
    ['get_state', { agentToken, action: 7 }, 'action is "7"; expected: a decision'],
    ['register', {}, 'name is missing; expected: the name of the agent'],
    ['build_outpost', { agentToken }, 'propertyIndex is missing; expected: the index of a square'],
    ['build_outpost', { agentToken, propertyIndex: 40 }, 'propertyIndex is "40"; expected: the'],
    ['upgrade_fortress', { agentToken, propertyIndex: 'x' }, 'propertyIndex is "x"; expected'],
    ['start_with_bots', { agentToken, turnLimit: 0 }, 'turnLimit is "0"; expected: a whole number'],
    ['start_with_bots', { agentToken, gameSpeed: 'warp' }, 'gameSpeed is "warp"; expected: slow'],
  ])('%s with %j', async (tool, given, words) => {
    const house = new ClawpolyMcpHouse()
    const sent = await (await house.session()).call(tool, given)
    expect(sent.answer.result.isError).toBe(true)
    expect(sent.told.error).toContain(words)
    expect(house.refusals).toEqual(['unreadable'])
  })

  it('a decision without a game', async () => {
    const session = await new ClawpolyMcpHouse().session()
    expect(await session.tool('get_state', { agentToken })).toMatchObject(noGame)
    expect(await session.tool('skip_build', { agentToken })).toMatchObject({
      ...noGame,
      actionResult: { message: 'action is "skip_build", and you are in no game' },
    })
  })

  it.each([
    ['fly', 'action is "fly"; expected: buy, pass, skip_build,'],
    ['build', 'action is "build"; expected: buy, pass, skip_build,'],
    ['skip_build', 'action is "skip_build"; the pending decision is buy, expected: buy, pass'],
    ['build:6', 'action is "build:6"; the pending decision is buy, expected: buy, pass'],
  ])('the action %s', async (action, words) => {
    const { session } = await started()
    await session.tool('get_state', { agentToken })
    const sent = await session.call('get_state', { agentToken, action })
    expect(sent.answer.result.isError).toBe(true)
    expect(sent.told.actionResult).toMatchObject({ success: false, action })
    expect(sent.told.actionResult.message).toContain(words)
    // The decision is still owed, and the answer did not wait.
    expect(sent.told.pendingDecision.type).toBe('buy')
  })

  it('a call that neither decides nor waits, when too many come', async () => {
    const { house, session } = await started()
    for (let i = 0; i < 99; i++) await session.tool('get_state', { agentToken })
    expect(await session.tool('get_state', { agentToken })).toMatchObject({
      code: 'too-fast',
      error: expect.stringContaining('more than 20 times a second'),
    })
    await house.pass(1_000)
    expect(await session.tool('get_state', { agentToken, action: 'pass' })).toMatchObject({
      actionResult: { success: true },
    })
    // Another agent is not held up.
    expect(await session.tool('queue_status', { agentToken: 'bert' })).toMatchObject({
      status: 'not_in_queue',
    })
  })

  it('an unknown tool', async () => {
    const session = await new ClawpolyMcpHouse().session()
    expect((await session.call('fly', {})).answer.error.message).toContain(
      'there is no tool clawpoly_fly',
    )
  })
})
