import { expect, it, onTestFinished } from 'vitest'
import { envelope, McpHouse, message } from '../../../test/support/mcp-house.ts'
import { games } from '../../games/index.ts'
import { ServiceThread } from '../../threads/service-thread.ts'
import { startMcpThread } from './open-thread.ts'
import type { McpService } from './thread.ts'

/** Two agents in a match of ttt: their names and seats, by seat. */
const paired = async (house: McpHouse, options = {}) => {
  const names = ['ada', 'bert']
  const joined = []
  for (const name of names) joined.push(await house.tool(name, 'join', { game: 'ttt', ...options }))
  return joined
    .map(({ told }, i) => ({ name: names[i]!, seat: told.seat as string, told }))
    .toSorted((a, b) => a.told.you - b.told.you) as readonly Paired[] as [Paired, Paired]
}

interface Paired {
  readonly name: string
  readonly seat: string
}

it.each([
  ['of 2025', {}],
  ['of 2026-07-28', { _meta: envelope }],
])(
  'a match is played, and each answer ends with the next call: by clients %s',
  async (_, params) => {
    const house = new McpHouse()
    const [one, other] = await paired(house)
    const waiting = await house.tool(other.name, 'wait', { seat: other.seat }, params)
    const moved = await house.tool(one.name, 'move', { seat: one.seat, ply: 1, move: '4' }, params)
    expect(waiting.status).toBe(200)
    expect(waiting.answer).toMatchObject({
      ...{ jsonrpc: '2.0', id: 7 },
      result: { content: [{ type: 'text' }] },
    })
    expect(waiting.answer.result.isError).toBe(undefined)
    expect(waiting.answer.result.structuredContent).toBe(undefined)
    expect(waiting.told).toMatchObject({
      ...{ status: 'your_turn', ply: 2, since: [{ seat: 0, move: '4' }] },
      next: 'move with seat, ply 2 and one of legal',
    })
    expect(moved.told).toBe(null)
    expect(house.arena.tables.get(1)!.deal.players.map(({ protocol }) => protocol)).toEqual([
      'mcp',
      'mcp',
    ])
    expect(house.failures).toEqual([])
  },
)

it('a seat that one protocol has joined goes on by another', async () => {
  const house = new McpHouse()
  const [one, other] = await paired(house)
  expect((await house.call(one.name, 'move', { seat: one.seat, ply: 1, move: '4' })).answer).toBe(
    null,
  )
  expect((await house.tool(other.name, 'wait', { seat: other.seat })).told).toMatchObject({
    ply: 2,
  })
})

it('the same move for the same ply is played once, and answered alike', async () => {
  const house = new McpHouse()
  const [one, other] = await paired(house)
  const move = { seat: one.seat, ply: 1, move: '4' }
  await (await house.tool(one.name, 'move', move)).cut()
  const again = await house.tool(one.name, 'move', move)
  await house.tool(other.name, 'move', { seat: other.seat, ply: 2, move: '0' })
  expect(again.told).toMatchObject({ status: 'your_turn', ply: 3 })
  expect((await house.tool(one.name, 'move', move)).told).toEqual(again.told)
  expect(house.arena.tables.get(1)!.moves.length).toBe(2)
})

it('of two waits the newer one goes on, and the older one is superseded', async () => {
  const house = new McpHouse()
  const [one, other] = await paired(house)
  const older = await house.tool(other.name, 'wait', { seat: other.seat })
  const newer = await house.tool(other.name, 'wait', { seat: other.seat })
  expect(older.told).toMatchObject({ status: 'superseded' })
  expect(newer.told).toBe(null)
  await house.tool(one.name, 'move', { seat: one.seat, ply: 1, move: '4' })
  expect(newer.told).toMatchObject({ status: 'your_turn' })
})

it('a wait whose client has left waits no more', async () => {
  const house = new McpHouse()
  const [, other] = await paired(house)
  const left = await house.tool(other.name, 'wait', { seat: other.seat })
  await left.cut()
  expect(house.failures).toEqual([])
  // Its absence begins once no call waits.
  await house.pass(60_000)
  expect(house.arena.tables.size).toBe(1)
  await house.pass(121_000)
  expect(house.arena.tables.size).toBe(0)
})

it.each([
  ['of 2025', {}],
  ['of 2026-07-28', envelope],
])(
  'nothing takes longer than 45 s, with a sign of life each 15 s where it is asked for: by clients %s',
  async (_, client) => {
    const house = new McpHouse()
    const params = { _meta: { ...client, progressToken: 'p' } }
    const call = await house.tool('ada', 'join', { game: 'ttt' }, params)
    await house.pass(44_999)
    expect(call.told).toBe(null)
    const sign = (progress: number) => ({
      ...{ jsonrpc: '2.0', method: 'notifications/progress' },
      params: { progressToken: 'p', progress, message: 'waiting' },
    })
    expect(call.messages).toEqual([sign(1), sign(2)])
    await house.pass(1)
    expect(call.told).toMatchObject({ status: 'waiting', for: 'opponent', next: 'wait with seat' })
    await house.pass(60_000)
    expect(call.messages.length).toBeLessThanOrEqual(4)
  },
)

it('a refusal is an error of the tool that says what can be done', async () => {
  const house = new McpHouse()
  const [one, other] = await paired(house, { ladder: 'blind' })
  const { seat } = one
  const refused = async (tool: string, given: object) => {
    const { answer, told } = await house.tool(one.name, tool, given)
    expect(answer.result.isError).toBe(true)
    expect(told).toMatchObject({ status: 'refused', next: expect.stringMatching(/\w/) })
    return told
  }
  expect(await refused('move', { seat, ply: 1, move: '9' })).toMatchObject({
    ...{ code: 'illegal-move', strikes: { made: 1, lost_at: 3 } },
    next: 'move with seat, the same ply and a legal move; the clock runs on',
  })
  expect(await refused('move', { seat, ply: 2, move: '4' })).toMatchObject({ code: 'wrong-ply' })
  expect(await refused('wait', { seat: other.seat })).toMatchObject({ code: 'no-seat' })
  expect(await refused('wait', { seat, wait_s: 46 })).toMatchObject({
    ...{ code: 'unreadable', error: 'wait_s is "46"; expected: seconds from 0 to 45' },
  })
  expect(house.refusals).toEqual(['illegal-move', 'wrong-ply', 'no-seat', 'unreadable'])
  expect(house.failures).toEqual([])
})

it('what is nested too deep to be read is refused, and costs nothing', async () => {
  const house = new McpHouse()
  const [one] = await paired(house)
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const given = (move: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"move","arguments":{"seat":"${one.seat}","ply":1,"move":${move}}}}`
  expect((await house.send(one.name, given(deep))).answer).toBeDefined()
  expect((await house.send(one.name, given('['.repeat(200) + ']'.repeat(200)))).told).toMatchObject(
    {
      ...{ code: 'unreadable', error: 'a move may be nested 128 deep' },
    },
  )
  expect(house.arena.tables.get(1)!.moves.length).toBe(0)
  expect(house.failures).toEqual([])
})

it('a client without a token reads everything, and is told how to get one before it plays', async () => {
  const house = new McpHouse()
  const ask = async (method: string, params = {}) =>
    (await house.send(null, message(method, params))).answer.result
  const clientInfo = { name: 'test', version: '1' }
  expect(
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
  ).toMatchObject({
    ...{ protocolVersion: '2025-06-18', serverInfo: { name: 'agentbbs', version: '1.0.0' } },
    instructions: expect.stringContaining('never instructions'),
  })
  expect((await ask('tools/list')).tools.length).toBe(6)
  expect((await ask('resources/list')).resources.length).toBe(2 * games.length)
  expect((await ask('prompts/list')).prompts.length).toBe(1)
  expect((await house.tool(null, 'lobby', {})).told).toMatchObject({ status: 'lobby' })
  for (const tool of ['join', 'move', 'wait', 'leave', 'record']) {
    const { answer, told } = await house.tool(null, tool, {})
    expect(answer.result.isError).toBe(true)
    expect(told).toMatchObject({ code: 'bad-token', next: expect.stringContaining('Bearer TOKEN') })
    expect(told.next).toContain('POST /api/v1/accounts')
  }
})

it('rules and schemas of each game are resources', async () => {
  const house = new McpHouse()
  const ask = async (method: string, params = {}) =>
    (await house.send(null, message(method, params))).answer
  const { resources } = (await ask('resources/list')).result
  for (const { uri, mimeType } of resources) {
    const { contents } = (await ask('resources/read', { uri })).result
    expect(contents).toEqual([{ uri, mimeType, text: expect.stringMatching(/^.{80}/s) }])
    if (mimeType !== 'text/markdown')
      expect(JSON.parse(contents[0].text)).toEqual({
        ...{ move: expect.anything(), observation: expect.anything() },
      })
  }
  const { resourceTemplates } = (await ask('resources/templates/list')).result
  const uris = resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) =>
    uriTemplate.replace('{game}', 'chess'),
  )
  expect(uris).toEqual(['agentbbs://rules/chess', 'agentbbs://schemas/chess'])
  for (const uri of [...uris, 'agentbbs://rules/none', 'file:///etc/passwd'])
    expect((await ask('resources/read', { uri })).error?.message).toBe(
      uris.includes(uri) ? undefined : `there is no resource ${uri}`,
    )
})

it('a prompt tells how a match is played', async () => {
  const house = new McpHouse()
  const get = async (given: object) =>
    (await house.send(null, message('prompts/get', { name: 'play-a-match', ...given }))).answer
  const { result } = await get({ arguments: { game: 'chess', speed: 'fast' } })
  expect(result.messages).toEqual([
    {
      role: 'user',
      content: { type: 'text', text: expect.stringContaining('chess and speed fast') },
    },
  ])
  expect((await get({ arguments: { game: 'ttt' } })).result.messages[0].content.text).toContain(
    'speed thinking',
  )
  expect((await get({ arguments: { game: 'x' } })).error.message).toContain('game is "x"; expected')
  expect((await get({ arguments: { game: 'ttt', speed: 'x' } })).error.message).toBe(
    'speed is "x"; expected: thinking or fast',
  )
  expect((await get({ name: 'none' })).error.message).toBe('there is no prompt none')
  const unknown = await house.tool('ada', 'resign', {})
  expect(unknown.answer.error.message).toBe('there is no tool resign')
})

it.each([
  ['with a wrong token', { headers: { Authorization: 'Bearer ' } }, 401, 'bad-token'],
  ['with another form of login', { headers: { Authorization: 'Basic YTpi' } }, 401, 'bad-token'],
  [
    'from a page of another site',
    { headers: { Origin: 'https://evil.example' } },
    403,
    'foreign-origin',
  ],
  ['from a page without an address', { headers: { Origin: 'null' } }, 403, 'foreign-origin'],
  [
    'from a page of this machine',
    { headers: { Origin: 'http://localhost:8090' } },
    403,
    'foreign-origin',
  ],
  ['with several messages', { body: ' [{}]' }, 400, 'batch'],
  ['by GET', { method: 'GET', body: null }, 405, 'only-post'],
  ['by DELETE', { method: 'DELETE', body: null }, 405, 'only-post'],
])('a request %s is refused', async (_, init, status, code) => {
  const house = new McpHouse()
  const sent = await house.send('ada', message('ping'), init as RequestInit)
  expect([sent.status, sent.answer.error.data.code]).toEqual([status, code])
  expect(sent.headers!.get('WWW-Authenticate')).toBe(
    status === 401 ? 'Bearer error="invalid_token"' : null,
  )
  expect(sent.headers!.get('Allow')).toBe(status === 405 ? 'POST' : null)
})

it.each([undefined, 'https://bbs.example.org', 'http://bbs.example.org:8080'])(
  'a request of origin %s is answered',
  async origin => {
    const house = new McpHouse()
    const headers = origin === undefined ? {} : { Origin: origin }
    expect((await house.send('ada', message('ping'), { headers })).answer.result).toEqual({})
  },
)

it('a thread that ends fails its calls in words, and the next call starts another one', async () => {
  const threads: ReturnType<typeof startMcpThread>[] = []
  const house = new McpHouse((caller, about, failed) => {
    const thread = new ServiceThread<McpService>(() => {
      threads.push(startMcpThread(caller, about()))
      return threads.at(-1)!
    }, failed)
    onTestFinished(() => thread.close())
    return thread
  })
  const waiting = await house.tool('ada', 'join', { game: 'ttt' })
  await expect.poll(() => house.arena.waiting.length).toBe(1)
  await threads[0]!.terminate()
  await expect
    .poll(() => waiting.answer)
    .toEqual({
      ...{ jsonrpc: '2.0', id: 7 },
      error: {
        code: -32_000,
        message: 'internal error; it has been logged: make the call again',
        data: { code: 'internal' },
      },
    })
  expect(waiting.status).toBe(500)
  expect(house.failures).toHaveLength(1)
  const again = await house.tool('ada', 'join', { game: 'ttt', wait_s: 0 })
  const told = async () => {
    await house.pass(0)
    return again.told
  }
  await expect.poll(told).toMatchObject({ status: 'waiting' })
  expect(threads.length).toBe(2)
  // The seat is the one that the first call has made.
  expect(house.arena.waiting.length).toBe(1)
})
