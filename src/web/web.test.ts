import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EventLog } from '../../test/support/event-log.ts'
import { EventStream } from '../../test/support/event-stream.ts'
import { checkOf } from '../../test/support/schema-check.ts'
import { putStrengths } from '../../test/support/strengths.ts'
import { play, startWebHost, type WebHost } from '../../test/support/web-host.ts'
import { agentsLadder, peopleLadder } from '../arena/ladder.ts'
import { gameOf, games } from '../games/index.ts'
import { openSite } from '../http/site.ts'
import type { HttpClient, HttpEnv } from '../protocols/routes.ts'
import { theHost } from '../store/audit.ts'
import { openApi } from './api/openapi.ts'
import { type Operation, operations } from './api/operations.ts'
import { readDocuments } from './documents.ts'

let host: WebHost
/** A finished match of each game. */
const played: Record<string, number> = {}

beforeAll(async () => {
  host = await startWebHost()
  for (const game of ['ttt', 'c4', 'chess', 'othello', 'echo']) played[game] = await playOut(game)
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const get = (path: string, init: RequestInit = {}) => fetch(host.url + path, init)
const body = async (path: string) => (await get(path)).text()
// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const json = async (path: string): Promise<any> => (await get(path)).json()

const playOut = async (game: string): Promise<number> => {
  const { id, agents } = await host.seat(game)
  if (game === 'chess' || game === 'c4') await play(agents[0], game === 'c4' ? '3' : 'e2e4')
  if (game === 'ttt')
    for (const [turn, move] of ['0', '3', '1', '4', '2'].entries())
      await play(agents[turn % 2], move)
  if (game === 'echo')
    for (let round = 0; round < 5; round++) {
      await play(agents[0], { number: round % 2 === 0 ? 10 : 9 })
      await play(agents[1], { number: round + 1 })
    }
  if (game === 'c4' || game === 'chess' || game === 'othello') agents[1]!.webSocket.close()
  await agents[0]!.next('result')
  return id
}

describe('pages', () => {
  it.each<readonly [string, string]>([
    ['/', 'Latest results'],
    ['/', 'join@bbs.example my-agent CODE'],
    ['/', 'ws://bbs.example:8090/play?game=ttt'],
    ['/ladder', 'Ladders'],
    ['/ladder/ttt', 'Provisional'],
    ['/ladder/ttt?q=ad', 'ada'],
    ['/ladder/go9', 'No agent has played enough'],
    ['/agent/ada', 'Opponents'],
    ['/agent/ada?ending=gone&game=c4', 'Connect Four'],
    ['/agent/ADA', '<h1>ada'],
    ['/games', 'Othello'],
    ['/docs', 'Search all texts'],
    ['/docs?q=nonsuch', 'No document contains'],
    ['/docs/games', 'Tic-tac-toe'],
    ...games.map(({ id, title }) => [`/games/${id}`, title] as const),
  ])('%s contains %j', async (path, words) => {
    const response = await get(path)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(text).toContain(words)
    expect(text).not.toMatch(/undefined|\[object|NaN/)
    expect(text).not.toMatch(/<(script|link)[^>]*(src|href)="https?:\/\/(?!bbs\.example)/)
    expect(text).not.toMatch(/ style=| on\w+=|<script>/)
  })

  it.each([
    '/nothing',
    '/match/999',
    '/match/x',
    '/agent/nobody',
    '/ladder/nim',
    '/games/nim',
    '/docs/../package.json',
    '/docs/x',
  ])('%s is not found', async path => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Not found')
  })

  it('need the documents that the build makes', () => {
    expect(() => readDocuments('/nonsuch/documents.json')).toThrow(
      '/nonsuch/documents.json is missing: run npm run build',
    )
  })

  it('list sections first that contain the search as a phrase', async () => {
    const found = (await body('/docs?q=move+timeout')).match(/<ul class="hits">.*/s)![0]
    const [first, last] = [found.split('<li>')[1]!, found.split('<li>').at(-1)!]
    expect(first).toContain('move timeout')
    expect(last).not.toContain('move timeout')
  })

  it('of the documents have no dead links', async () => {
    const list = await body('/docs')
    const pages = [...list.matchAll(/href="(\/docs\/[^"#?]+)"/g)].map(([, path]) => path!)
    expect(pages).toContain('/docs/settings')
    const known = new Map<string, string>()
    const read = async (path: string) => {
      if (!known.has(path)) {
        const response = await get(path)
        known.set(path, response.status === 200 ? await response.text() : '')
      }
      return known.get(path)!
    }
    const dead: string[] = []
    for (const page of pages)
      for (const [, link] of (await read(page)).matchAll(/href="([^"]+)"/g)) {
        if (link!.startsWith('https:')) continue
        const { pathname, hash } = new URL(link!, `${host.url}${page}`)
        const text = await read(pathname)
        if (text === '' || (hash !== '' && !text.includes(`id="${hash.slice(1)}"`)))
          dead.push(`${page}: ${link}`)
      }
    expect(dead).toEqual([])
    // A link to a file without a page would become plain text.
    expect(await read('/docs/protocol')).toContain('href="/docs/examples/README"')
    expect(await read('/docs/operating')).toContain('href="/docs/deploy/Dockerfile"')
    expect(await read('/docs/watching')).toContain('href="/docs/deploy/alerts.yml"')
  })

  it('show the positions, the ending, the ratings and the downloads of a match', async () => {
    const page = await body(`/match/${played.ttt}`)
    expect(page).toMatch(/(ada|bob) won/)
    for (const words of ['three in a row', '1516', '+16', '−16', '5 / 5', 'NDJSON'])
      expect(page).toContain(words)
    expect(await body(`/match/${played.ttt}?ply=2`)).toContain('2 / 5')
    expect(await body(`/match/${played.chess}`)).toContain('PGN')
    expect(await body(`/match/${played.othello}`)).toContain('gone')
  })

  it('name the protocol that each seat of a match came by, as does the API', async () => {
    const namesOn = async (match: number) =>
      [...(await body(`/match/${match}`)).matchAll(/title="came by">([^<]*)</g)].map(([, by]) => by)
    const two = ['cleo', 'dirk'] as const
    const { id, agents } = await host.seat('gomoku', two)
    expect(await namesOn(id)).toEqual(['AgentGames', 'AgentGames'])
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
    expect(await namesOn(id)).toEqual(['AgentGames', 'AgentGames'])
    const { matchStore, users } = host.store
    const accounts = two.map(name => users.find(name)!.id)
    for (const [protocols, names] of [
      [
        ['loa', '<new>'],
        ['League of Agents', '&lt;new&gt;'],
      ],
      [['hub', null], ['hub']],
    ] as const) {
      const opened = { game: 'ttt', seed: 1, accounts, protocols, startedAt: 0 }
      const match = matchStore.begin({ ...opened, unrated: 'a casual match' })
      await matchStore.abort(match, 'a test', [])
      expect(await namesOn(match)).toEqual(names)
      const { players } = await json(`/api/v1/matches/${match}`)
      expect(players).toMatchObject(protocols.map(protocol => ({ protocol })))
    }
  })

  it('say what the first seat is worth and how much of a ladder is not transitive, as does the API', async () => {
    const page = () => body('/ladder/c4')
    expect(await page()).not.toContain('is worth')
    expect(await json('/api/v1/ladder/c4')).toMatchObject({ fit: null })
    const strengths = { ada: { value: 1510, error: 300 }, bob: { value: 1490, error: 300 } }
    putStrengths(host.store, 'c4', strengths, {
      ...{ matches: 70, first: 35, first_error: 6, intransitivity: 0.083 },
    })
    const sides = gameOf('c4')!.sides!
    expect(await page()).toContain(
      `The first seat (${sides[0]}) is worth 35 ± 6 points of strength: of two equals, the one in it is expected to score 55 %.`,
    )
    expect(await page()).toContain(
      '8 % of what the results of pairs tell beyond chance is not transitive',
    )
    const fit = { matches: 70, firstSeat: 35, firstSeatUncertainty: 6, intransitivity: 0.083 }
    expect(await json('/api/v1/ladder/c4')).toMatchObject({ fit })
    putStrengths(host.store, 'c4', strengths, { first: -35, first_error: 6 })
    expect(await page()).toContain(
      '−35 ± 6 points of strength: of two equals, the one in it is expected to score 45 %',
    )
    expect(await page()).toContain('Too few pairs have met often enough')
    putStrengths(host.store, 'c4', strengths, { first: 280, first_error: 462 })
    expect(await page()).toContain(`too few matches to say what the first seat (${sides[0]}) is`)
  })

  it('have a ladder of their own for matches with people', async () => {
    const { matchStore, users } = host.store
    for (const name of ['pam', 'quin']) users.add(name)
    const accounts = ['pam', 'quin'].map(name => users.find(name)!.id)
    const rest = { seed: 1, accounts, unrated: null, startedAt: 0 }
    const match = matchStore.begin({ game: 'ttt', ladder: peopleLadder('ttt'), ...rest })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: 'so' } as const
    await matchStore.finish(match, outcome, [])
    expect(await body('/ladder/ttt')).not.toContain('href="/agent/pam"')
    expect(await body('/ladder/ttt')).toContain('href="/ladder/ttt+people"')
    expect(await body('/ladder/ttt+people')).toContain('href="/agent/pam"')
    expect(await body('/agent/pam')).toContain('Tic-tac-toe with people')
    expect(await body(`/match/${match}`)).toContain('with people')
    expect(await json('/api/v1/ladder/ttt+people?provisional=1')).toMatchObject({ total: 2 })
  })

  it('have ladders of their own for thinking and for blind matches, which say what they are', async () => {
    const { matchStore, users } = host.store
    for (const name of ['ray', 'sam']) users.add(name)
    const accounts = ['ray', 'sam'].map(name => users.find(name)!.id)
    const ladder = agentsLadder('ttt', { speed: 'thinking', listing: 'blind' })
    const { id } = ladder
    const rest = { seed: 1, accounts, unrated: null, startedAt: 0 }
    const match = matchStore.begin({ game: 'ttt', ladder, ...rest })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: 'so' } as const
    await matchStore.finish(match, outcome, [])
    const standard = await body('/ladder/ttt')
    expect(standard).toContain('Matches among agents: fast, open')
    expect(standard).toContain(`href="/ladder/${id}">Tic-tac-toe thinking, blind<`)
    expect(standard).not.toContain('href="/agent/ray"')
    expect(await body('/ladder/c4')).not.toContain(id)
    const page = await body(`/ladder/${id}`)
    expect(page).toContain('Matches among agents: thinking (20 s a move and 10 minutes), blind')
    expect(page).toContain('href="/agent/ray"')
    expect(await body('/agent/ray')).toContain('Tic-tac-toe thinking, blind')
    expect(await body(`/match/${match}`)).toContain('<span class="badge">thinking, blind</span>')
    expect(await json(`/api/v1/ladder/${id}?provisional=1`)).toMatchObject({
      ...{ game: id, speed: 'thinking', blind: true, total: 2 },
    })
    expect(await json(`/api/v1/matches/${match}`)).toMatchObject({ ladder: id })
    expect(await json('/api/v1/ladder/ttt')).toMatchObject({ speed: 'fast', blind: false })
  })

  it('show that a match is voided, and why', async () => {
    const { matchStore, users, voids } = host.store
    for (const name of ['rob', 'sue']) users.add(name)
    const accounts = ['rob', 'sue'].map(name => users.find(name)!.id)
    const match = matchStore.begin({ game: 'ttt', seed: 1, accounts, unrated: null, startedAt: 0 })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: 'so' } as const
    await matchStore.finish(match, outcome, [])
    expect(await json(`/api/v1/matches/${match}`)).toMatchObject({ unrated: null, voided: null })
    voids.void([match], 'one <person>')
    const page = await body(`/match/${match}`)
    for (const words of ['voided: one &lt;person&gt;', 'Z: one &lt;person&gt;'])
      expect(page).toContain(words)
    expect(await body('/agent/rob')).toContain('>voided</span>')
    expect(await body('/ladder/ttt')).not.toContain('href="/agent/rob"')
    const api = await json(`/api/v1/matches/${match}`)
    expect(api).toMatchObject({ unrated: 'voided', voided: { reason: 'one <person>' } })
    expect(api.players).toMatchObject([
      { place: 1, ratingBefore: null, ratingAfter: null },
      { place: 2, ratingBefore: null, ratingAfter: null },
    ])
    expect(await body(`/api/v1/matches/${match}/ndjson`)).toContain('"voided":{"at":')
  })

  it('are small: the front page has less than 100,000 characters', async () => {
    expect((await body('/')).length).toBeLessThan(100_000)
  })

  it('are none for agents where these cannot play by HTTP', async () => {
    const without = await startWebHost(undefined, { playsHttp: false })
    for (const path of [
      '/skill.md',
      '/skill.md.sha256',
      '/llms.txt',
      '/.well-known/agent-card.json',
    ])
      expect((await fetch(`${without.url}${path}`)).status).toBe(404)
    for (const path of ['/', '/robots.txt'])
      expect(await (await fetch(`${without.url}${path}`)).text()).not.toContain('skill.md')
    await without.close()
  })

  it('are listed for crawlers', async () => {
    const sitemap = 'Sitemap: https://bbs.example/sitemap.xml\n'
    const allowed = 'Allow: /api/v1/games\nAllow: /api/v1/openapi.json\n'
    const rules = `# Agents may play here: /skill.md says how.\nUser-agent: *\n${allowed}Disallow: /api/\n`
    expect(await body('/robots.txt')).toBe(`${rules}Disallow: /play\n${sitemap}`)
    const without = await startWebHost(undefined, { play: null })
    const robots = await fetch(`${without.url}/robots.txt`)
    expect(await robots.text()).toBe(`${rules}${sitemap}`)
    await without.close()
    expect(await body('/sitemap.xml')).toContain(
      `<loc>https://bbs.example/match/${played.ttt}</loc>`,
    )
    expect((await get('/favicon.ico')).headers.get('content-type')).toBe('image/svg+xml')
  })

  it('answer 500 with "Internal error" if making one fails', async () => {
    const { newest } = host.store.matches
    host.store.matches.newest = () => {
      throw new Error('the disk is gone')
    }
    const response = await get('/')
    host.store.matches.newest = newest
    expect([response.status, (await response.text()).includes('Internal error')]).toEqual([
      500,
      true,
    ])
    expect(host.errors.splice(0)).toMatchObject([{ err: { message: 'the disk is gone' } }])
  })
})

describe('answers', () => {
  it('forbid resources of other hosts and set no cookies', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('may be framed only if they are embeds', async () => {
    const { headers } = await get(`/match/${played.ttt}/embed`)
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *')
  })

  it.each(['/', '/ladder/ttt', '/api/v1/games', '/sitemap.xml'])(
    '%s is answered with 304 if the client has it',
    async path => {
      const first = await get(path)
      const tag = first.headers.get('etag')!
      const again = await get(path, { headers: { 'If-None-Match': `W/"x", ${tag}` } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(tag)
      expect((await get(path, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200)
    },
  )

  it('to HEAD equal those to GET without the body', async () => {
    const [whole, head] = [await get('/games'), await get('/games', { method: 'HEAD' })]
    const { length } = Buffer.from(await whole.text())
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(length))
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
    const events = await get('/api/v1/live/events', { method: 'HEAD' })
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('to %s are 405', async method => {
    const response = await get('/', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('to GET are 405 where only other methods have a route, in JSON below /api', async () => {
    const app = new Hono<HttpEnv>().post('/join', c => c.text('joined'))
    const mounts = ['/toy', '/api/toy'].map(prefix => ({ prefix, app }))
    const { answer } = openSite(host.web.pages, mounts)
    const server = createServer((request, response) => {
      void answer(request, response, { source: undefined } as HttpClient)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const answers = mounts.map(async ({ prefix }) => {
      const response = await fetch(`http://127.0.0.1:${port}${prefix}/join`)
      return [response.status, response.headers.get('allow'), await response.text()]
    })
    expect(await Promise.all(answers)).toEqual([
      [405, 'POST', 'Only POST.\n'],
      [405, 'POST', '{"error":"only POST"}\n'],
    ])
    server.closeAllConnections()
    server.close()
  })

  it('for assets are immutable', async () => {
    const [, style] = /href="(\/assets\/style\.[0-9a-f]+\.css)"/.exec(await body('/'))!
    const response = await get(style!)
    expect(response.headers.get('cache-control')).toContain('immutable')
  })

  it('escape everything that they repeat of a request', async () => {
    const mark = '"\'><script>alert(1)</script>'
    const asked = encodeURIComponent(mark)
    const strange = { Referer: mark, 'User-Agent': mark, Cookie: mark, 'X-Forwarded-Host': mark }
    for (const path of [
      ...['', 'agent/', 'match/', 'ladder/', 'games/', 'docs/', 'assets/', 'api/v1/'],
      ...['api/v1/agents/', 'api/v1/ladders/', 'api/v1/matches/', 'api/v1/games/'],
    ])
      for (const address of [
        `/${path}${asked}`,
        `/${path}%3Cscript%3Ealert(1)`,
        `/${path}?q=${asked}`,
      ]) {
        const response = await get(address, { headers: strange })
        const text = await response.text()
        if (!response.headers.get('content-type')!.startsWith('application/json'))
          expect(text, address).not.toContain('<script>alert')
        expect(response.headers.get('x-content-type-options'), address).toBe('nosniff')
        for (const [name, value] of response.headers) expect(value, name).not.toContain('alert')
      }
    for (const name of ['q', 'game', 'against', 'ending', 'status', 'before', 'page', 'ply'])
      for (const path of ['/ladder/ttt', '/agent/agent-alice', '/docs', '/match/1', '/'])
        expect(await body(`${path}?${name}=${asked}`)).not.toContain('<script>alert')
  })

  it('to invalid addresses are no server errors', async () => {
    for (const path of [
      '/%',
      '/match/%ff',
      '/agent/%00',
      '/?q=%E0%A4%A',
      `/agent/${'x'.repeat(3000)}`,
      '//',
      '/ladder/ttt?page=-1',
      '/match/1?ply=99999999999',
    ])
      expect((await get(path)).status).toBeLessThan(500)
  })
})

describe('the API', () => {
  const description = openApi('bbs.example', true)

  /** The errors of an answer by the schema of its operation, and by the description. */
  const wrongIn = (answer: unknown, name: keyof typeof operations): unknown => {
    const [method, path] = name.split(' ') as [string, string]
    const described = description.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
    const { answer: expected, status = 200 } = operations[name] as Operation
    const { schema } = described.responses[status]!.content['application/json']!
    return {
      bySchema: (expected as z.ZodType).safeParse(answer).error?.issues ?? [],
      byDescription: checkOf({ ...schema, components: description.components })(answer),
    }
  }
  const right = { bySchema: [], byDescription: [] }

  it('answers as its description says', async () => {
    const at = (path: string) =>
      path
        .replace(/games\/:id/, 'games/ttt')
        .replace(/events\/:id/, 'events/spring-cup')
        .replace(':id', `${played.ttt}`)
        .replace(':name', 'ada')
        .replace(':game/seasons/:number', 'othello/seasons/1')
        .replace(':game', 'ttt')
    const othello = agentsLadder('othello')
    host.store.closing.close(othello, { title: 'Spring', rule: 'kept' }, theHost)
    for (const [i, entry] of new EventLog()
      .start(4)
      .draw([1, 2], [3, 4])
      .play(1, [1, 2])
      .entries.entries())
      host.store.events.append('spring-cup', i, [entry])
    for (const [name, { answer }] of Object.entries<Operation>(operations)) {
      if (typeof answer === 'string' || !name.startsWith('GET ')) continue
      const path = at(name.split(' ')[1]!)
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(wrongIn(await response.json(), name as keyof typeof operations)).toEqual(right)
    }
  })

  it('gives the rules of every game, and schemas of its moves and observations', async () => {
    for (const { id } of games) {
      const game = await json(`/api/v1/games/${id}`)
      expect(wrongIn(game, 'GET /api/v1/games/:id')).toEqual(right)
      expect(game.rules).toMatch(/\.$/)
      expect(checkOf(game.move)({ no: 'move' })).not.toEqual([])
      expect(checkOf(game.observation)({ toMove: 0 })).not.toEqual([])
    }
  })

  it('registers as its description says', async () => {
    const code = host.store.codes.mint(null, 60_000)
    const response = await get('/api/v1/accounts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Nova 1', code }),
    })
    expect(response.status).toBe(201)
    expect(wrongIn(await response.json(), 'POST /api/v1/accounts')).toEqual(right)
  })

  it('answers as its description says for a live match and for every kind of ending', async () => {
    const { id, agents } = await host.seat('gomoku')
    const ended = agents[0]!.next('result')
    for (const match of [id, ...Object.values(played)])
      expect(wrongIn(await json(`/api/v1/matches/${match}`), 'GET /api/v1/matches/:id')).toEqual(
        right,
      )
    const live = await json('/api/v1/live')
    expect(live).toMatchObject({ count: 1, matches: [{ id, game: 'gomoku', status: 'live' }] })
    expect(wrongIn(live, 'GET /api/v1/live')).toEqual(right)
    expect((await json(`/api/v1/matches/${id}`)).seed).toBeNull()
    agents[1]!.webSocket.close()
    await ended
  })

  it('lists matches by game, agent, ending and number', async () => {
    const ids = async (query: string) =>
      (await json(`/api/v1/matches?${query}`)).matches.map(({ id }: { id: number }) => id)
    expect(await ids('game=ttt&agent=ada')).toEqual([played.ttt])
    expect(await ids(`ending=gone&before=${played.othello! + 1}`)).toEqual([
      played.othello,
      played.chess,
      played.c4,
    ])
    expect(await ids('agent=ada&against=bob&limit=1&game=echo')).toEqual([played.echo])
    expect(await ids('agent=nobody')).toEqual([])
    expect(await ids('limit=1&status=&before=')).toHaveLength(1)
    for (const query of ['limit=0', 'limit=x', 'ending=x', 'status=x', 'before=x'])
      expect((await get(`/api/v1/matches?${query}`)).status).toBe(400)
    expect(await json('/api/v1/matches?limit=101')).toEqual({
      error: 'limit is "101"; expected: a number from 1 to 100',
    })
    expect((await get('/api/v1/nothing')).headers.get('content-type')).toContain('json')
  })

  it.each([
    ['matches?game=nim', `game is "nim"; expected: ${games.map(({ id }) => id).join(', ')}`],
    ['matches?status=<b>', 'status is "<b>"; expected: live, done, aborted'],
    ['matches?limt=5', /^there is no parameter "limt"; expected: game, agent, .*, limit$/],
    ['ladder/ttt?page=0', 'page is "0"; expected: a number from 1 to 1000000'],
    ['ladder/ttt?provisional=2', 'provisional is "2"; expected: 0 or 1'],
    ['ladder/ttt/export?after=-1', 'after is "-1"; expected: the number of a seal'],
    ['matches/1/events?from=x', 'from is "x"; expected: the id of an event'],
    ['games?page=1', 'there is no parameter "page"; expected: none'],
    ['live/events?x=1', 'there is no parameter "x"; expected: none'],
  ])('refuses the query %s with what it takes', async (path, error) => {
    const response = await get(`/api/v1/${path}`)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      400,
      '*',
    ])
    expect(await response.json()).toEqual({
      error: typeof error === 'string' ? error : expect.stringMatching(error),
    })
  })

  it.each([
    ['games/nim', 'there is no game "nim"'],
    ['ladder/nim', 'there is no ladder "nim"'],
    ['ladder/nim/export', 'there is no ladder "nim"'],
    ['matches/99999/looks', 'there is no match "99999"'],
    ['matches/abc/events', 'there is no match "abc"'],
    ['agents/Dr.%20No', 'there is no agent "Dr. No"'],
    ['agents/ada/history/nim', 'there is no ladder "nim"'],
    ['agents/bob%20b/history/nim', 'there is no agent "bob b"'],
  ])('says of %s what is not there', async (path, error) => {
    const response = await get(`/api/v1/${path}`)
    expect([response.status, await response.json()]).toEqual([404, { error }])
  })

  it('answers errors as JSON: what is not there, and internal errors without their cause', async () => {
    const missing = await get('/api/v1/nothing?x=1')
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { error: 'there is no /api/v1/nothing' },
    ])
    const { newest } = host.store.matches
    host.store.matches.newest = () => {
      throw new Error('the disk is gone')
    }
    const failed = await get('/api/v1/matches')
    host.store.matches.newest = newest
    expect([failed.status, await failed.json()]).toEqual([500, { error: 'internal error' }])
    expect(host.errors.splice(0)).toMatchObject([{ err: { message: 'the disk is gone' } }])
  })

  it('is described in valid OpenAPI 3.1, with every path parameter and no dead reference', async () => {
    const served = await json('/api/v1/openapi.json')
    expect(served).toEqual(JSON.parse(JSON.stringify(description)))
    expect(openApiDocument.safeParse(served).error?.issues ?? []).toEqual([])
    for (const [path, methods] of Object.entries(description.paths))
      for (const { parameters } of Object.values(methods))
        expect(parameters.filter(one => one.in === 'path').map(({ name }) => name)).toEqual(
          [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name),
        )
    const text = JSON.stringify(served)
    const known = Object.keys(served.components.schemas)
    const used = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(known.sort()).toEqual([...new Set(used)].sort())
    expect(text.match(/"\$(?!ref)\w+"/g)).toBeNull()
  })

  it('exports matches as NDJSON, PGN and SGF, as far as their game has these', async () => {
    const lines = (await body(`/api/v1/matches/${played.ttt}/ndjson`)).trim().split('\n')
    expect(lines.map(line => JSON.parse(line).type)).toEqual([
      'match',
      ...Array(5).fill('move'),
      'end',
    ])
    const pgn = await get(`/api/v1/matches/${played.chess}/pgn`)
    expect(pgn.headers.get('content-disposition')).toContain(`match-${played.chess}.pgn`)
    expect(await pgn.text()).toMatch(/\[White "(ada|bob)"\].*1\. e4/s)
    expect(await body(`/api/v1/matches/${played.othello}/sgf`)).toMatch(/^\(;GM\[2\]/)
    const none = await get(`/api/v1/matches/${played.ttt}/pgn`)
    const error = `there is no past match with pgn "${played.ttt}"`
    expect([none.status, await none.json()]).toEqual([404, { error }])
  })

  it('makes a PNG picture of a match', async () => {
    for (const match of Object.values(played)) {
      const bytes = Buffer.from(await (await get(`/match/${match}/picture.png`)).arrayBuffer())
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
      const data = bytes.subarray(41, 41 + bytes.readUInt32BE(33))
      expect(inflateSync(data)).toHaveLength(630 * (1200 * 3 + 1))
    }
  })
})

/** The part of OpenAPI 3.1 that the description uses. */
const openApiDocument = (() => {
  const text = z.string().min(1)
  const schema = z.looseObject({})
  const content = z.record(z.string().regex(/^\w+\/[\w.-]+$/), z.strictObject({ schema }))
  const operation = z.strictObject({
    summary: text,
    security: z.array(z.strictObject({ token: z.array(text) })).optional(),
    parameters: z.array(
      z.discriminatedUnion('in', [
        z.strictObject({ in: z.literal('path'), name: text, required: z.literal(true), schema }),
        z.strictObject({ in: z.literal('query'), name: text, schema }),
      ]),
    ),
    requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
    responses: z.record(
      z.string().regex(/^([2-5]\d\d|default)$/),
      z.strictObject({ description: text, content }),
    ),
  })
  return z.strictObject({
    openapi: z.literal('3.1.0'),
    info: z.strictObject({ title: text, version: text, description: text }),
    servers: z.array(z.strictObject({ url: z.url() })),
    paths: z.record(
      z.string().startsWith('/'),
      z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
    ),
    components: z.strictObject({
      schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
      securitySchemes: z.strictObject({
        token: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
      }),
    }),
  })
})()

describe('event streams', () => {
  it('send every move and the end, and continue after a cut', async () => {
    const { id, agents } = await host.seat('ttt')
    const url = `${host.url}/api/v1/matches/${id}/events`
    const first = new EventStream(url)
    await play(agents[0], '4')
    expect(await first.next()).toMatchObject({
      event: 'move',
      id: '1',
      data: {
        ply: 1,
        seat: 0,
        label: '4',
        position: { last: '4' },
        clocks: [null, expect.any(Number)],
      },
    })
    expect(first.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    first.cut()
    await play(agents[1], '0')
    await play(agents[0], '2')
    const second = new EventStream(url, '1')
    expect((await second.next())!.id).toBe('2')
    await play(agents[1], '1')
    await play(agents[0], '6')
    await agents[0]!.next('result')
    expect((await second.rest()).map(({ id }) => id)).toEqual(['3', '4', '5', 'end'])
    const afterwards = await new EventStream(url, '3').rest()
    expect(afterwards.map(({ id }) => id)).toEqual(['4', '5', 'end'])
    expect(
      (await get(`/api/v1/matches/${id}/events`, { headers: { 'Last-Event-ID': 'end' } })).status,
    ).toBe(204)
  })

  it('send the clocks again after the host stood still, without a new event id', async () => {
    const { id, agents } = await host.seat('ttt')
    const url = `${host.url}/api/v1/matches/${id}/events`
    const stream = new EventStream(url)
    await play(agents[0], '4')
    await stream.next()
    host.web.resendClocks()
    const answer = await stream.next()
    expect(answer).toMatchObject({ event: 'clocks', data: { clocks: [null, expect.any(Number)] } })
    await play(agents[1], '0')
    expect((await stream.next())!.id).toBe('2')
    stream.cut()
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
  })

  it('tell what a move caused, while the match is live and afterwards', async () => {
    const { id, agents } = await host.seat('echo')
    const url = `${host.url}/api/v1/matches/${id}/events`
    const stream = new EventStream(url)
    await play(agents[0], { number: 7 })
    await play(agents[1], { number: 9 })
    const round = {
      kind: 'round',
      round: 1,
      numbers: [7, 9],
      repeats: [false, false],
      winner: 1,
      scores: [0, 1],
    }
    const told = [(await stream.next())!, (await stream.next())!]
    expect(told.map(({ data }) => (data as { events: unknown }).events)).toEqual([[], [round]])
    const live = await json(`/api/v1/matches/${id}`)
    expect(live.moves).toMatchObject([{ events: [] }, { move: null, events: [round] }])
    stream.cut()
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
    const past = await json(`/api/v1/matches/${id}`)
    expect(past.moves).toMatchObject([{ events: [] }, { move: { number: 9 }, events: [round] }])
    const [, again] = await new EventStream(url).rest()
    expect(again).toMatchObject({ data: { ply: 2, events: [round] } })
  })

  it('hide a move while another seat still owes one in the same turn', async () => {
    const { id, agents } = await host.seat('echo')
    const stream = new EventStream(`${host.url}/api/v1/matches/${id}/events`)
    await play(agents[0], { number: 7 })
    const { data } = (await stream.next())!
    expect(data).toMatchObject({ label: '•', position: { last: null } })
    expect(JSON.stringify(await json(`/api/v1/matches/${id}`))).not.toContain('"number"')
    expect(await body(`/match/${id}`)).not.toContain('"number"')
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
    await stream.rest()
    const { moves } = await json(`/api/v1/matches/${id}`)
    expect(moves[0].move).toEqual({ number: 7 })
  })

  it('of all live matches continue for a client that reconnects', async () => {
    const url = `${host.url}/api/v1/live/events`
    const first = new EventStream(url)
    expect((await first.next())!.data).toMatchObject({ count: 0, matches: [] })
    const { id, agents } = await host.seat('c4')
    const answer = (await first.next())!
    expect(answer.data).toMatchObject({ count: 1, shown: [id], matches: [{ id }] })
    expect(answer.data.matches[0].html).toContain(`/match/${id}`)
    first.cut()
    const ended = agents[0]!.next('result')
    agents[1]!.webSocket.close()
    await ended
    const second = new EventStream(url, answer.id)
    expect((await second.next())!.data).toMatchObject({ count: 0, ended: [id] })
    second.cut()
    const third = new EventStream(url, 'another-1')
    expect((await third.next())!.data).toMatchObject({ count: 0, ended: [] })
    third.cut()
  })
})
