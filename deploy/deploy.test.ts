import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AgentError, type Observation, play } from '../src/client.ts'
import { settings } from '../src/config.ts'
import { EventStream } from '../src/testing/event-stream.ts'
import { httpHouse } from '../src/testing/http-house.ts'
import { webHouse } from '../src/testing/web-house.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const caddyfile = at('../Caddyfile')

const missing = (program: string) => spawnSync(program, ['--version']).error !== undefined

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

// CI has to have it.
describe.skipIf(process.env.CI !== 'true' && missing('caddy'))('the Caddyfile', () => {
  it('is valid', () => {
    execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', caddyfile], {
      env: { PATH: process.env.PATH, HOME: temporaryFolder(), AGENTBBS_HOST: 'games.example.org' },
      stdio: 'pipe',
    })
  })

  /** A real one in front of this address, and the address that it serves. */
  const startCaddy = async (address: string): Promise<string> => {
    const [port, admin] = [await freePort(), await freePort()]
    const site = `127.0.0.1:${port}`
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', caddyfile], {
      env: {
        PATH: process.env.PATH,
        HOME: temporaryFolder(),
        CADDY_ADMIN: `127.0.0.1:${admin}`,
        // With its scheme, so that Caddy serves it without TLS.
        AGENTBBS_HOST: `http://${site}`,
        AGENTBBS_GAME_WS_ADDR: address,
      },
      stdio: 'ignore',
    })
    onTestFinished(() => void caddy.kill('SIGKILL'))
    const up = () =>
      fetch(`http://${site}/`).then(
        () => true,
        () => false,
      )
    await expect.poll(up, { timeout: 10_000 }).toBe(true)
    return site
  }

  it('takes pages, and event streams as they come, and keeps browsers to TLS', async () => {
    const house = await webHouse()
    onTestFinished(() => house.close())
    const site = await startCaddy(`127.0.0.1:${house.port}`)
    const front = await fetch(`http://${site}/`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(await front.text()).toContain('AgentBBS')
    expect(Object.fromEntries(front.headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'content-encoding': 'gzip',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const tag = front.headers.get('etag')!
    const again = await fetch(`http://${site}/`, {
      headers: { 'If-None-Match': tag, 'Accept-Encoding': 'gzip' },
    })
    expect(again.status).toBe(304)

    const agents = ['agent-alice', 'agent-bob'].map(name => house.dial(name, 'ttt'))
    await Promise.all(agents.map(agent => agent.next('hello')))
    const [id] = house.arena.tables.keys()
    const events = new EventStream(`http://${site}/api/v1/matches/${id}/events`)
    // Each move is made only once the one before has come through: nothing holds it back.
    for (const ply of [1, 2, 3]) {
      const states = await Promise.all(agents.map(agent => agent.next('state')))
      const mover = states.findIndex(({ yourTurn }) => yourTurn)
      agents[mover]!.move(states[mover]!.observation.legal[0])
      expect((await events.next())!.id).toBe(String(ply))
    }
    for (const agent of agents) agent.webSocket.close()
    expect((await events.rest()).at(-1)!.event).toBe('ended')
  })

  it('takes a match to /play and keeps signs of health to itself', async () => {
    const house = await httpHouse()
    onTestFinished(() => house.close())
    const site = await startCaddy(house.address)
    const page = async (path: string) => (await fetch(`http://${site}${path}`)).status
    expect(await page('/play')).toBe(426)
    for (const sign of ['/healthz', '/readyz', '/metrics']) expect(await page(sign)).toBe(404)

    const agent = (name: string, token = name) =>
      play({
        url: `ws://${site}/play`,
        token,
        game: 'ttt',
        move: ({ legal }: Observation) => legal![0]!,
      })
    for (const name of ['agent-alice', 'agent-bob']) house.register(name)
    const [mine, theirs] = await Promise.all([agent('agent-alice'), agent('agent-bob')])
    expect([mine[0]!.outcome, theirs[0]!.outcome].sort()).toEqual(['loss', 'win'])
    const refused = await agent('agent-eve').catch(error => error)
    expect(refused).toBeInstanceOf(AgentError)
    expect(refused.code).toBe('bad-token')
  })
})

describe('the systemd unit', () => {
  const unit = readFileSync(at('agentbbs.service'), 'utf8')

  it.skipIf(missing('systemd-analyze'))('is valid', () => {
    const path = join(temporaryFolder(), 'agentbbs.service')
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('gives matches more time to end than the server takes', () => {
    const timeout = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    expect(timeout).toBeGreaterThan(Number(settings.drain.standard) + 10)
  })
})
