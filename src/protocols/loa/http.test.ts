// Registration and the guide, asked of a whole host.

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { Host } from '../../../test/support/host.ts'
import { type Host as Running, start } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { openLog } from '../../log/log.ts'

let host: Host
let running: Running
let address: string
let tests = 0

beforeEach(() => {
  address = `192.0.2.${++tests}`
})

/** Runs in this process. */
const open = async (env: NodeJS.ProcessEnv = {}) => {
  host = Host.at({ AGENTBBS_REGISTRATION: 'open', AGENTBBS_DRAIN: '0.01', ...env })
  running = await start(readConfig(host.env), openLog('silent'))
}

const close = async () => {
  await running.stop()
  await host.stop()
}

const ask = async (path: string, init?: RequestInit) => {
  const answer = await fetch(`http://localhost:${running.http}${path}`, init)
  const [type = '', text] = [answer.headers.get('content-type') ?? '', await answer.text()]
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: type.startsWith('application/json') ? JSON.parse(text) : text,
  }
}

/** The body is sent as it is, or as JSON. Every test has an address of its own. */
const register = (body: unknown, from = address, headers = {}) =>
  ask('/loa/api/v1/agents', {
    method: 'POST',
    headers: { 'X-Forwarded-For': from, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })

const me = (secret: string) =>
  ask('/loa/api/v1/agents/me', { headers: { Authorization: `Bearer ${secret}` } })

/** After a garbage collection. */
const usedHeap = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const uuid = (version: number) =>
  expect.stringMatching(
    new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
  )
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const required = 'Name is required.'
const tooShort = 'Name must be at least 2 characters.'
const tooLong = 'Name must be 32 characters or fewer.'
const badCharacter =
  'Name may only contain letters, numbers, spaces, hyphens, underscores, and dots.'
const taken = 'Agent name is already taken.'

describe('registration', () => {
  beforeAll(() => open())
  afterAll(close)

  it('gives an agent its id and its key, by which it is known', async () => {
    const { status, body } = await register({ name: ' Nova-1_a.b c ', description: 'of the sky' })
    expect([status, body]).toEqual([
      201,
      { agentId: uuid(8), apiKey: uuid(4), name: 'Nova-1_a.b c', createdAt: time },
    ])
    const { apiKey, ...agent } = body
    const known = await me(apiKey)
    expect([known.status, known.body]).toEqual([200, { ...agent, description: 'of the sky' }])
  })

  it('keeps of a description 280 characters, and none that is no text', async () => {
    const sun = '🌞'
    const descriptions = [
      [undefined, ''],
      [null, ''],
      [7, ''],
      ['one\ntwo', 'one\ntwo'],
      ['half\ud800', 'half'],
      [sun.repeat(280), sun.repeat(280)],
      [`${sun.repeat(280)}!`, sun.repeat(280)],
    ]
    for (const [n, [description, kept]] of descriptions.entries()) {
      const { body } = await register({ name: `Nova ${n}`, description, more: 'is ignored' })
      expect((await me(body.apiKey)).body.description).toBe(kept)
    }
  })

  it('takes what is a name, and refuses all else', async () => {
    const bodies: readonly [unknown, string][] = [
      ['', 'Invalid JSON body.'],
      ['{"name":"Nova"', 'Invalid JSON body.'],
      [Buffer.from('{"name":"N\xf3va"}', 'latin1'), 'Invalid JSON body.'],
      [{}, required],
      [null, required],
      [['Nova'], required],
      ['"Nova"', required],
      [{ name: 7 }, required],
      [{ name: null }, required],
      [{ name: '' }, required],
      [{ name: ' \t ' }, required],
      [{ name: ' N ' }, tooShort],
      [{ name: '🌞' }, tooShort],
      [{ name: '🌞'.repeat(32) }, badCharacter],
      [{ name: '🌞'.repeat(33) }, tooLong],
      [{ name: 'n'.repeat(33) }, tooLong],
      [{ name: 'Nóva' }, badCharacter],
      [{ name: 'a/b' }, badCharacter],
      [{ name: 'a\nb' }, badCharacter],
      // It would be the folder above in the address of its page.
      [{ name: '..' }, badCharacter],
    ]
    for (const [body, error] of bodies) {
      const answer = await register(body)
      expect([body, answer.status, answer.body]).toEqual([body, 400, { error }])
    }
    for (const name of ['n'.repeat(32), 'ab', '-rf', '_x', '.y', '...', 'a  b', 'x-', '42']) {
      const answer = await register({ name })
      expect([name, answer.status, answer.body.name]).toEqual([name, 201, name])
    }
  })

  it('refuses a name that another agent has, or the host', async () => {
    const names = ['Pike', 'Pi-ke 1']
    for (const name of names) expect((await register({ name })).status).toBe(201)
    for (const name of ['Pike', 'PIKE', ' pike ', 'pi.ke_1', 'admin', 'house_player']) {
      const answer = await register({ name })
      expect([name, answer.status, answer.body]).toEqual([name, 409, { error: taken }])
    }
  })

  it('is not for the pages of other sites', async () => {
    const origin = (origin: string) => register({ name: 'Vega' }, address, { Origin: origin })
    expect(await origin('https://example.org')).toMatchObject({
      status: 403,
      body: { error: 'No page of https://example.org may register agents.' },
    })
    expect((await origin(`http://localhost:${running.http}`)).status).toBe(201)
  })

  it('refuses a body that is too long', async () => {
    expect((await register({ name: 'Nova', description: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('the policy of the host holds for registration', () => {
  afterEach(close)

  it('that is closed', async () => {
    await open({ AGENTBBS_REGISTRATION: 'closed' })
    expect(await register({ name: 'Nova' })).toMatchObject({
      status: 403,
      body: { error: 'Registration is closed: no new accounts at present.' },
    })
  })

  it('that needs an invitation, which is a field of the body', async () => {
    await open({ AGENTBBS_REGISTRATION: 'invite' })
    expect(await register({ name: 'Nova' })).toMatchObject({
      status: 403,
      body: {
        error:
          'Registration needs an invitation: ask the operator for a code, and send it in the field "code".',
      },
    })
    expect(await register({ name: 'Nova', code: 'guess' })).toMatchObject({
      status: 403,
      body: { error: 'This code is not valid, or is no longer valid.' },
    })
    const [code] = JSON.parse(await host.cli('invite', '--json')).codes
    expect((await register({ name: 'Nova', code })).status).toBe(201)
  })

  it('and its limit for each address, by all doors together', async () => {
    await open({ AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '2' })
    expect((await register({ name: 'Nova' })).status).toBe(201)
    await ask('/api/v1/accounts', {
      method: 'POST',
      headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
      body: '{"name":"pike"}',
    })
    expect(await register({ name: 'Vega' })).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^4[45]\d$/) },
      body: {
        error: expect.stringMatching(
          /^Too many tries from your address: try again in 4[45]\d s\.$/,
        ),
      },
    })
    expect((await register({ name: 'Vega' }, '198.51.100.1')).status).toBe(201)
  })
})

it.runIf(process.env.CI === 'true')(
  '10,000 registrations from one address make 20 accounts, and take up no memory',
  async () => {
    await open()
    onTestFinished(close)
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const statuses = new Map<number, number>()
    const send = async (n: number) => {
      const options = { agent, method: 'POST', headers: { 'X-Forwarded-For': address } }
      const sent = request(`http://localhost:${running.http}/loa/api/v1/agents`, options)
      const [answer] = await once(sent.end(`{"name":"agent-${n}"}`), 'response')
      answer.resume()
      await once(answer, 'end')
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
    }
    const sendAll = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, n) => send(from + n)))
    // What is needed once is there after the first ones.
    await sendAll(0, 1_000)
    const before = usedHeap()
    for (let n = 1_000; n < 10_000; n += 1_000) await sendAll(n, n + 1_000)
    const grown = usedHeap() - before
    agent.destroy()
    expect(Object.fromEntries(statuses)).toEqual({ 201: 20, 429: 9_980 })
    expect(JSON.parse(await host.cli('users', '--json'))).toHaveLength(20)
    expect(grown).toBeLessThan(2 ** 20)
  },
)

describe('an agent asks who it is', () => {
  beforeAll(() => open())
  afterAll(close)

  it('with a token of the host', async () => {
    const { token } = await host.account('nova')
    const { status, body } = await me(token)
    expect([status, body]).toEqual([
      200,
      { agentId: uuid(8), name: 'nova', description: '', createdAt: time },
    ])
  })

  it('with a key that is wrong, or none', async () => {
    for (const secret of ['guess', '5d0a4a0e-7b1c-4a1e-8f64-0b7f6f2f1c77', ''])
      expect(await me(secret)).toMatchObject({ status: 401, body: { error: 'Invalid API key.' } })
    expect((await ask('/loa/api/v1/agents/me')).status).toBe(401)
  })

  it('after a ban', async () => {
    const { body } = await register({ name: 'Vega' })
    await host.cli('ban', 'Vega')
    await expect.poll(async () => (await me(body.apiKey)).status, { timeout: 5_000 }).toBe(403)
  })
})

describe('the guide', () => {
  afterEach(close)

  const guides = ['/loa', '/loa/', '/loa/api/v1/skill.md', '/loa/api/v1/doc']

  it('has the addresses of the host, in text or in JSON', async () => {
    await open({ AGENTBBS_HOST: 'bbs.example.org' })
    for (const path of guides) {
      const { headers, body } = await ask(path)
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(body).toContain('curl -X POST https://bbs.example.org/loa/api/v1/agents \\\n')
      expect(body).toContain('wss://bbs.example.org/loa/api/v1/ws')
      expect(body).not.toContain('HOST')
    }
    const [markdown, json] = await Promise.all(
      ['', '?format=json'].map(query => ask(`/loa/api/v1/doc${query}`)),
    )
    expect(json!.body).toEqual({ markdown: markdown!.body })
    expect((await ask('/loa/.well-known/agent.json')).body).toEqual({
      name: 'AgentBBS',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      api_base: 'https://bbs.example.org/loa/api/v1',
      ws_url: 'wss://bbs.example.org/loa/api/v1/ws',
      games: ['echo', 'resource-rush', 'skill-gomoku', 'dance-battle', 'blotto'],
    })
  })

  it('has the host name that serves League of Agents at the root', async () => {
    await open({ AGENTBBS_LOA_HOST: 'loa.example.org', AGENTBBS_LOA_PREFIX: '/leagues/one' })
    const { body } = await ask('/leagues/one/api/v1/skill.md')
    expect(body).toContain('curl -X POST https://loa.example.org/api/v1/agents \\\n')
    expect(body).toContain('wss://loa.example.org/api/v1/ws')
    expect((await ask('/leagues/one/.well-known/agent.json')).body).toMatchObject({
      api_base: 'https://loa.example.org/api/v1',
      ws_url: 'wss://loa.example.org/api/v1/ws',
    })
    expect((await ask('/loa/api/v1/skill.md')).status).toBe(404)
  })

  it('on a host of one machine has the port', async () => {
    await open()
    expect((await ask('/loa')).body).toContain(`http://localhost:${running.http}/loa/api/v1/agents`)
  })
})

it('what is not there is answered with what is', async () => {
  await open()
  onTestFinished(close)
  for (const [method, path] of [
    ['GET', '/loa/api/v1/agents'],
    ['POST', '/loa/api/v1/agents/me'],
    ['GET', '/loa/api/v2/doc'],
    ['DELETE', '/loa'],
  ] as const)
    expect(await ask(path, { method })).toMatchObject({
      status: 404,
      body: {
        error: `Not found: ${method} "${path}". There is: POST /loa/api/v1/agents, GET /loa/api/v1/agents/me, GET /loa/api/v1/skill.md, GET /loa/api/v1/doc, GET /loa/.well-known/agent.json`,
      },
    })
})
