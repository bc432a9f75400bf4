import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { AgentError, play } from '@agentbbs/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { start } from '../src/app.ts'
import { readConfig, settings } from '../src/config.ts'
import { openLog } from '../src/log/log.ts'
import { dataFolder } from '../test/support/data-folder.ts'
import {
  agonHost,
  caddyfile,
  clawpolyHost,
  freePort,
  loaHost,
  missing,
  startCaddy,
  startNginx,
} from '../test/support/edge.ts'
import { EventStream } from '../test/support/event-stream.ts'
import { startHttpHost } from '../test/support/http-host.ts'
import { startWebHost } from '../test/support/web-host.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe.skipIf(missing('caddy'))('the Caddyfile', () => {
  const caddy = (command: string) =>
    execFileSync('caddy', [command, '--adapter', 'caddyfile', '--config', caddyfile], {
      env: { PATH: process.env.PATH, HOME: dataFolder(), AGENTBBS_HOST: 'games.example.org' },
      encoding: 'utf8',
      stdio: 'pipe',
    })

  it('is valid', () => {
    caddy('validate')
  })

  it('asks for no second certificate without a host name for a protocol', () => {
    const { servers } = JSON.parse(caddy('adapt')).apps.http
    const namesAt = (port: string) =>
      Object.values<Server>(servers)
        .filter(({ listen }) => listen.includes(port))
        .flatMap(({ routes }) => routes.flatMap(({ match }) => match.flatMap(({ host }) => host)))
    expect([namesAt(':443'), namesAt(':80')]).toEqual([
      ['games.example.org'],
      ['clawpoly.localhost', 'league.localhost', 'agon.localhost', 'loa.localhost'],
    ])
  })
})

interface Server {
  readonly listen: readonly string[]
  readonly routes: readonly { readonly match: readonly { readonly host: readonly string[] }[] }[]
}

const edges = [
  ['Caddy', startCaddy, missing('caddy')],
  ['nginx', startNginx, missing('nginx', '-v')],
] as const

describe.each(edges)('%s', (_, startEdge, absent) => {
  // Its certificate is self-signed.
  beforeEach(() => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'))
  afterEach(() => vi.unstubAllEnvs())

  it.skipIf(absent)(
    'takes pages, and event streams as they come, and keeps browsers to TLS',
    async () => {
      const host = await startWebHost()
      onTestFinished(() => host.close())
      const site = await startEdge(`127.0.0.1:${host.port}`)
      const front = await fetch(site, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(await front.text()).toContain('AgentBBS')
      expect(Object.fromEntries(front.headers)).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'content-encoding': 'gzip',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      const tag = front.headers.get('etag')!
      const again = await fetch(site, {
        headers: { 'If-None-Match': tag, 'Accept-Encoding': 'gzip' },
      })
      expect(again.status).toBe(304)

      const agents = ['agent-alice', 'agent-bob'].map(name => host.dial(name, 'ttt'))
      await Promise.all(agents.map(agent => agent.next('hello')))
      const [id] = host.arena.tables.keys()
      const events = new EventStream(`${site}/api/v1/matches/${id}/events`)
      // Each move is made only once the one before has come through: nothing holds it back.
      for (const ply of [1, 2, 3]) {
        const states = await Promise.all(agents.map(agent => agent.next('state')))
        const mover = states.findIndex(({ yourTurn }) => yourTurn)
        agents[mover]!.move(states[mover]!.observation.legal[0])
        expect((await events.next())!.id).toBe(String(ply))
      }
      for (const agent of agents) agent.webSocket.close()
      expect((await events.rest()).at(-1)!.event).toBe('ended')
    },
  )

  it.skipIf(absent)('says who asks, and cannot be lied to about that', () => toldApart(startEdge))

  it.skipIf(absent)('keeps tokens out of its log where no server answers', async () => {
    const log = join(dataFolder(), 'log')
    const site = await startEdge(`127.0.0.1:${await freePort()}`, { log })
    const headers = { Authorization: 'Bearer abbs_secret' }
    const ask = async (path: string) => (await fetch(`${site}${path}`, { headers })).status
    expect(await ask('/play?game=ttt&token=abbs_secret')).toBe(502)
    expect(await ask('/loa/api/v1/ws?token=abbs_secret')).toBe(502)
    expect(await ask('/agon/ws/v1/connect?token=abbs_secret')).toBe(502)
    expect(await ask('/clawpoly/ws/agent?agentToken=abbs_secret')).toBe(502)
    expect(await ask('/ladder')).toBe(502)
    // The page's line comes after that of /play, had there been one.
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('/ladder')
    expect(readFileSync(log, 'utf8')).not.toContain('abbs_secret')
  })

  it.skipIf(absent)('takes a match to /play and keeps signs of health to itself', async () => {
    const host = await startHttpHost()
    onTestFinished(() => host.close())
    const site = await startEdge(host.address)
    const page = async (path: string) => (await fetch(`${site}${path}`)).status
    expect(await page('/play')).toBe(426)
    for (const sign of ['/healthz', '/readyz', '/metrics']) expect(await page(sign)).toBe(404)

    const agent = (name: string, token = name) =>
      play({
        url: `${site.replace('http', 'ws')}/play`,
        token,
        game: 'ttt',
        move: ({ legal }) => legal[0]!,
      })
    for (const name of ['agent-alice', 'agent-bob']) host.register(name)
    const [mine, theirs] = await Promise.all([agent('agent-alice'), agent('agent-bob')])
    expect([mine[0]!.outcome, theirs[0]!.outcome].sort()).toEqual(['loss', 'win'])
    const refused = await agent('agent-eve').catch(error => error)
    expect(refused).toBeInstanceOf(AgentError)
    expect(refused.code).toBe('bad-token')
  })

  it.skipIf(absent)(
    'takes calls of agents that play, long ones too, and holds none back',
    async () => {
      const site = await startEdge(`127.0.0.1:${(await startOpenHost()).http}`)
      const skill = await fetch(`${site}/skill.md`)
      expect(await skill.text()).toContain('/api/v1/play/join')
      const call = (path: string, body: object, token = '') =>
        fetch(`${site}/api/v1/${path}`, {
          method: 'POST',
          headers: {
            ...{ 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
            ...(token !== '' && { Authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        })
      const { token } = (await (await call('accounts', { name: 'Nova' })).json()) as {
        token: string
      }
      const lobby = await call('play/lobby', { game: 'bazaar' })
      expect((await lobby.text()).length).toBeGreaterThan(2_000)
      expect(lobby.headers.get('content-encoding')).toBe(null)
      const joined = await call('play/join', { game: 'bazaar', practice: true }, token)
      const { seat } = (await joined.json()) as { seat: string }
      const content = 'x'.repeat(10_000)
      const move = await call('play/move', { seat, ply: 99, move: { content } }, token)
      expect([move.status, await move.json()]).toMatchObject([409, { code: 'wrong-ply' }])
    },
  )

  it.skipIf(absent)(
    'takes agents of League of Agents, under the prefix and at a name of its own',
    async () => {
      const site = await startEdge(`127.0.0.1:${(await startOpenHost()).http}`)
      for (const [name, Host, prefix] of [
        ['Nova', new URL(site).host, '/loa'],
        ['Pike', loaHost, ''],
      ] as const) {
        const at = (path: string) => `${site}${prefix}${path}`
        const body = { name, description: '🌞'.repeat(1_000) }
        const made = await ask(at('/api/v1/agents'), Host, JSON.stringify(body))
        expect(made.status).toBe(201)
        const { apiKey: token, agentId } = JSON.parse(made.text)
        expect((await ask(at('/'), Host)).text).toContain('# League of Agents')
        expect((await ask(at('/api/v1/doc?format=json'), Host)).text).toContain('{"markdown":')
        expect(await ask(at('/healthz'), Host)).toMatchObject({ status: 404 })

        const socket = new WebSocket(at('/api/v1/ws?type=agent').replace('http', 'ws'), {
          headers: { Host },
        })
        await once(socket, 'open')
        socket.send(JSON.stringify({ type: 'authenticate', token }))
        const [message] = await once(socket, 'message')
        expect(JSON.parse(message)).toEqual({ type: 'authenticated', agentId, agentName: name })
        socket.close()
      }
    },
  )

  it.skipIf(absent)('takes agents of AGON, under the prefix and at a name of its own', async () => {
    const site = await startEdge(`127.0.0.1:${(await startOpenHost()).http}`)
    for (const [name, Host, prefix] of [
      ['Nova', new URL(site).host, '/agon'],
      ['Pike', agonHost, ''],
    ] as const) {
      const at = (path: string) => `${site}${prefix}${path}`
      const body = JSON.stringify({ name, description: '🌞'.repeat(1_000) })
      const made = await ask(at('/api/v1/agents/register'), Host, body)
      expect(made.status).toBe(201)
      const key = JSON.parse(made.text).api_key
      const given = await ask(at('/api/v1/agents/session-token'), Host, '{}', key)
      const { token } = JSON.parse(given.text)
      const socket = new WebSocket(at(`/ws/v1/connect?token=${token}`).replace('http', 'ws'), {
        headers: { Host },
      })
      const [message] = await once(socket, 'message')
      expect(JSON.parse(message).event).toBe('welcome')
      socket.close()
    }
  })

  it.skipIf(absent)(
    'takes agents of Clawpoly, under the prefix and at a name of its own',
    async () => {
      const site = await startEdge(`127.0.0.1:${(await startOpenHost()).http}`)
      for (const [name, Host, prefix] of [
        ['Nova', new URL(site).host, '/clawpoly'],
        ['Pike', clawpolyHost, ''],
      ] as const) {
        const at = (path: string) => `${site}${prefix}${path}`
        const description = '🌞'.repeat(1_000)
        const registration = JSON.stringify({ agentId: name, name, description })
        const made = await ask(at('/api/v1/agents/register'), Host, registration)
        expect(JSON.parse(made.text)).toMatchObject({ agentId: name, registered: true })
        const set = await ask(at('/api/v1/rooms'), Host, JSON.stringify({ name: 'Reef' }))
        const { roomId, roomCode } = JSON.parse(set.text)
        const joined = await ask(at(`/api/v1/rooms/${roomId}/join`), Host, JSON.stringify({ name }))
        const { agentToken } = JSON.parse(joined.text)
        for (const [path, type] of [
          [`/ws/agent?roomId=${roomId}&agentToken=${agentToken}`, 'agent:welcome'],
          [`/ws/spectator?roomCode=${roomCode}`, 'game:state'],
        ] as const) {
          const socket = new WebSocket(at(path).replace('http', 'ws'), { headers: { Host } })
          const [message] = await once(socket, 'message')
          expect(JSON.parse(message).type).toBe(type)
          socket.close()
        }
      }
    },
  )
})

/** Unlike `fetch` it sends the given Host. With a body it posts. */
const ask = async (url: string, Host: string, body?: string, key?: string) => {
  const { request } = url.startsWith('https') ? https : http
  const headers = { Host, ...(key !== undefined && { Authorization: `Bearer ${key}` }) }
  const sent = request(url, { headers, method: body === undefined ? 'GET' : 'POST' })
  const [answer] = await once(sent.end(body), 'response')
  return { status: answer.statusCode, text: await text(answer) }
}

/** A host that makes accounts, in this process. */
const startOpenHost = async () => {
  const env = {
    ...{ AGENTBBS_DATA: dataFolder(), AGENTBBS_REGISTRATION: 'open', AGENTBBS_DRAIN: '0.01' },
    ...{ AGENTBBS_ADDR: '127.0.0.1:0', AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0' },
  }
  const host = await start(readConfig(env), openLog('silent'))
  onTestFinished(() => host.stop())
  return host
}

/** What an edge in front of a house tells of those who ask: two addresses of the loopback range stand for the internet. */
const toldApart = async (startEdge: (address: string) => Promise<string>) => {
  const { trustedProxies } = readConfig({ AGENTBBS_TRUSTED_PROXIES: '127.0.0.1' })
  const host = await startHttpHost({ trustedProxies, limits: { lockoutAfter: 1 } })
  onTestFinished(() => host.close())
  host.register('agent-alice')
  const site = new URL(await startEdge(host.address))
  const scheme = site.protocol === 'https:' ? 'wss' : 'ws'
  const dial = (from: string, token: string, claim: string) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${scheme}://${site.host}/play?token=${token}`, {
        localAddress: from,
        headers: { 'X-Forwarded-For': claim, Forwarded: `for=${claim}`, 'X-Real-IP': claim },
      })
      socket.on('open', () => {
        socket.close()
        resolve(101)
      })
      socket.on('unexpected-response', (_, response) => {
        response.resume()
        resolve(response.statusCode!)
      })
      socket.on('error', reject)
    })
  expect(await dial('127.0.0.7', 'guess', '127.0.0.8')).toBe(401)
  expect(await dial('127.0.0.8', 'agent-alice', '127.0.0.7')).toBe(101)
  expect(await dial('127.0.0.7', 'agent-alice', '127.0.0.9')).toBe(429)
}

it("the operator's command reads the settings as systemd does, and runs none of them", () => {
  const folder = dataFolder()
  const settings = join(folder, 'agentbbs.env')
  const lines = [
    '# AGENTBBS_PAIR_CAP=1',
    '',
    'AGENTBBS_HOST="games.example.org"',
    "  AGENTBBS_ART='/srv/our art'  ",
    'AGENTBBS_DRAIN=$(touch ran)',
    'AGENTBBS KEYS=1',
    'no setting',
    'AGENTBBS_ADDR=:22',
  ]
  writeFileSync(settings, lines.join('\n'))
  for (const name of ['node', 'runuser'])
    writeFileSync(join(folder, name), '#!/bin/sh\nenv | grep ^AGENTBBS\n', { mode: 0o755 })
  const script = readFileSync(at('agentbbs.sh'), 'utf8').replaceAll('/etc/agentbbs.env', settings)
  const env = { PATH: `${folder}:${process.env.PATH}` }
  const set = execFileSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' })
  expect(set.trim().split('\n').sort()).toEqual([
    'AGENTBBS_ADDR=:22',
    'AGENTBBS_ART=/srv/our art',
    'AGENTBBS_DATA=/var/lib/agentbbs',
    'AGENTBBS_DRAIN=$(touch ran)',
    'AGENTBBS_HOST=games.example.org',
  ])
})

describe('the systemd unit', () => {
  const unit = readFileSync(at('agentbbs.service'), 'utf8')
  const onPort22 = `${unit}\n${readFileSync(at('port-22.conf'), 'utf8')}`
  const analyze = (text: string, ...args: string[]) => {
    const path = join(dataFolder(), 'agentbbs.service')
    writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  describe.skipIf(missing('systemd-analyze'))('by systemd-analyze', () => {
    it.each([
      ['as it is', unit],
      ['on port 22', onPort22],
    ])('is valid %s', (_, text) => {
      expect(analyze(text, 'verify')).toEqual({ status: 0, stdout: '', stderr: '' })
    })

    it.each([
      ['as it is', unit, 14],
      ['on port 22', onPort22, 15],
    ])('leaves little exposed %s', (_, text, tenths) => {
      const { status, stdout } = analyze(
        text,
        ...['security', '--offline=true', `--threshold=${tenths}`, '--no-pager'],
      )
      expect(status, stdout).toBe(0)
    })
  })

  it('gives matches more time to end than the server takes', () => {
    const timeout = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    // Results that wait for a full disk, and then aborted matches, may each take twelve seconds more.
    expect(timeout).toBeGreaterThan(Number(settings.drain.standard) + 25)
  })
})
