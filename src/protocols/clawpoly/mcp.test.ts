import { describe, expect, it, onTestFinished } from 'vitest'
import { ClawpolyMcpHouse, initialize } from '../../../test/support/clawpoly-mcp-house.ts'
import { ServiceThread } from '../../threads/service-thread.ts'
import { startClawpolyThread } from './mcp-open-thread.ts'
import type { ClawpolyMcpService } from './mcp-thread-calls.ts'

const names = [
  ...['register', 'start_with_bots', 'join_queue', 'queue_status', 'get_state'],
  ...['buy_property', 'pass_property', 'build_outpost', 'upgrade_fortress', 'skip_build'],
  ...['escape_pay', 'escape_card', 'escape_roll'],
].map(name => `clawpoly_${name}`)

describe('a session of MCP', () => {
  it('begins with initialize, and lists the tools', async () => {
    const house = new ClawpolyMcpHouse()
    const began = await house.send(initialize)
    expect([began.status, began.session]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(began.answer.result).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'clawpoly', version: '1.0.0' },
    })
    const session = await house.session()
    const { tools } = (await session.ask('tools/list')).answer.result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names)
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/)
      expect(inputSchema).toMatchObject({ type: 'object', required: expect.anything() })
    }
    expect(house.failures).toEqual([])
  })

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async protocolVersion => {
    const house = new ClawpolyMcpHouse()
    const { params, ...message } = initialize
    const began = await house.send({ ...message, params: { ...params, protocolVersion } })
    expect(began.answer.result.protocolVersion).toBe(protocolVersion)
  })

  it('ends with DELETE, and is unknown from then on', async () => {
    const house = new ClawpolyMcpHouse()
    const session = await house.session()
    const stream = await session.listen()
    expect((await session.send('', { method: 'DELETE' })).status).toBe(200)
    expect(stream.isOver).toBe(true)
    const after = await session.ask('tools/list')
    expect(after.status).toBe(404)
    expect(after.messages[0].error.message).toBe(
      `there is no session "${session.id}": it has ended, or nothing came for too long; send initialize without mcp-session-id for a new one`,
    )
  })

  it('ends when nothing has come for 15 minutes, and not while a stream is open', async () => {
    const house = new ClawpolyMcpHouse()
    const [quiet, listening] = [await house.session(), await house.session()]
    const stream = await listening.listen()
    await house.pass(899_000)
    expect((await quiet.ask('ping')).status).toBe(200)
    await house.pass(899_000)
    expect((await quiet.ask('ping')).status).toBe(200)
    await house.pass(900_000)
    expect((await quiet.ask('ping')).status).toBe(404)
    expect((await listening.ask('ping')).status).toBe(200)
    await stream.cut()
    await house.pass(900_000)
    expect((await listening.ask('ping')).status).toBe(404)
  })

  it('is refused to an address that has too many, until one ends', async () => {
    const house = new ClawpolyMcpHouse()
    const [first] = [await house.session(), await house.session(), await house.session()]
    const refused = await house.send(initialize)
    expect([refused.status, refused.headers!.get('retry-after')]).toEqual([429, '60'])
    expect(refused.messages[0].error).toMatchObject({
      message: 'your address has 3 sessions: end one by DELETE, or use one for all agents',
      data: { code: 'too-many-sessions' },
    })
    await first.send('', { method: 'DELETE' })
    expect((await house.send(initialize)).status).toBe(200)
  })

  it('makes room for another where the host is full, unless all are in use', async () => {
    const house = new ClawpolyMcpHouse({ perAddress: 9, inAll: 2, idle: 900_000 })
    const [oldest, other] = [await house.session(), await house.session()]
    await oldest.ask('ping')
    const third = await house.session()
    expect((await other.ask('ping')).status).toBe(404)
    expect((await oldest.ask('ping')).status).toBe(200)
    await oldest.listen()
    await third.listen()
    const refused = await house.send(initialize)
    expect(refused.status).toBe(503)
    expect(refused.messages[0].error.data.code).toBe('full')
  })

  it('is not begun by an initialize that the SDK refuses', async () => {
    const house = new ClawpolyMcpHouse({ perAddress: 1, inAll: 1, idle: 900_000 })
    const headers = { Accept: 'application/json' }
    expect((await house.send(initialize, { headers })).status).toBe(406)
    expect((await house.send(initialize)).status).toBe(200)
  })

  it.each([
    ['without initialize', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, 400, 'no-session'],
    ['that is no JSON', '{', {}, 400, 'no-session'],
    ['with several messages', ' [{}]', {}, 400, 'batch'],
    ['by GET without a session', '', { method: 'GET' }, 400, 'no-session'],
    ['by PUT', '', { method: 'PUT' }, 405, 'only-post'],
    [
      'from a page of another site',
      initialize,
      { headers: { Origin: 'https://evil.example' } },
      403,
      'foreign-origin',
    ],
  ])('a request %s is refused', async (_, message, init, status, code) => {
    const house = new ClawpolyMcpHouse()
    const sent = await house.send(message, init)
    expect([sent.status, sent.messages[0].error.data.code]).toEqual([status, code])
    expect(sent.headers!.get('allow')).toBe(status === 405 ? 'GET, POST, DELETE' : null)
  })

  it.each(['https://bbs.example.org', 'https://clawpoly.example.org'])(
    'a page of %s may speak it',
    async Origin => {
      const house = new ClawpolyMcpHouse()
      expect((await house.send(initialize, { headers: { Origin } })).status).toBe(200)
    },
  )
})

it('a thread that ends fails its calls in words; its sessions are gone, and games go on', async () => {
  const limits = { perAddress: 3, inAll: 5, idle: 900_000 }
  const threads: ReturnType<typeof startClawpolyThread>[] = []
  const house = new ClawpolyMcpHouse(limits, (caller, about, failed) => {
    const thread = new ServiceThread<ClawpolyMcpService>(() => {
      threads.push(startClawpolyThread(caller, about(), limits))
      return threads.at(-1)!
    }, failed)
    onTestFinished(() => thread.close())
    return thread
  })
  /** The answer to a request, which comes from another thread. */
  const answered = async (sent: Awaited<ReturnType<typeof house.send>>) => {
    await expect.poll(() => sent.messages.length).toBe(1)
    return sent.messages[0]
  }
  const began = await house.send(initialize)
  await answered(began)
  const headers = { 'mcp-session-id': began.session! }
  const call = (name: string) =>
    house.send(
      {
        ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
        params: { name: `clawpoly_${name}`, arguments: { agentToken: 'ada' } },
      },
      { headers },
    )
  await answered(await call('join_queue'))
  const waiting = await call('get_state')
  await threads[0]!.terminate()
  expect(await answered(waiting)).toEqual({
    ...{ jsonrpc: '2.0', id: 7 },
    error: {
      code: -32_000,
      message: 'internal error; it has been logged: make the call again',
      data: { code: 'internal' },
    },
  })
  expect(house.failures).toHaveLength(1)
  expect((await answered(await call('get_state'))).error.data.code).toBe('no-such-session')
  await answered(await house.send(initialize))
  expect(threads.length).toBe(2)
  expect(house.arena.waiting.length).toBe(1)
})
