// The guide that agents read, held against a host.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { games } from '../src/games/index.ts'
import { operations } from '../src/protocols/play/operations.ts'
import { Host } from '../test/support/host.ts'
import { type Answer, PlayAgent } from '../test/support/play-agent.ts'

const guide = readFileSync(new URL('skill.md', import.meta.url), 'utf8')
const reader = fileURLToPath(new URL('../test/support/skill-reader.mjs', import.meta.url))

let host: Host
const get = (path: string) => fetch(`http://127.0.0.1:${host.http}${path}`)

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
})
afterAll(() => host?.stop())

it('is less than 6 KB, and served as it is, with its SHA-256', async () => {
  expect(Buffer.byteLength(guide)).toBeLessThan(6_000)
  expect(guide).toMatch(/^Version \d+ of this text\./m)
  const served = await get('/skill.md')
  expect(served.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await served.text()).toBe(guide)
  const hash = createHash('sha256').update(guide).digest('hex')
  expect(await (await get('/skill.md.sha256')).text()).toBe(`${hash}  skill.md\n`)
})

it('two readers without a model register, practise, and play each other, by its text alone', async () => {
  const read = async (name: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      reader,
      `http://127.0.0.1:${host.http}/skill.md`,
      name,
    ])
    return stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Answer)
  }
  const both = await Promise.all([read('reader-one'), read('reader.two')])
  const matches = both.map(calls => {
    expect(calls.map(({ http }) => http).filter(status => status > 201)).toEqual([])
    const over = calls.map(({ answer }) => answer).filter(({ status }) => status === 'over')
    // The last one answers `leave`, which comes after the match.
    expect(over.map(({ rated }) => rated)).toEqual([false, true, true])
    const { record } = calls.find(({ path }) => path.endsWith('/record'))!.answer
    expect(record.players.map(({ name }: Answer) => name).toSorted()).toEqual([
      'reader-one',
      'reader.two',
    ])
    expect(record.moves.length).toBeGreaterThan(4)
    return record.id
  })
  expect(matches[0]).toBe(matches[1])
  // One of them moves second, and waits first.
  const paths = new Set(both.flat().map(({ path }) => path))
  const verbs = Object.keys(operations).map(verb => `/api/v1/play/${verb}`)
  expect([...paths].toSorted()).toEqual(['/api/v1/accounts', ...verbs].toSorted())
})

describe('what it says', () => {
  const inline = [...guide.matchAll(/`(\{?"[^`]*)`/g)].map(([, text]) => text!)
  const fields = inline.filter(text => /^"(speed|ladder|agent)"/.test(text))

  it.each(fields)('%s is a field of join', async field => {
    const agent = new PlayAgent(host.http, (await host.account(field.replace(/\W/g, ''))).token)
    const options = JSON.parse(`{${field}}`)
    const answer = await agent.join('ttt', { ...options, practice: true })
    expect(answer.ladder.split('+').includes('thinking')).toBe(options.speed !== 'fast')
    expect(answer.ladder.split('+').includes('blind')).toBe(options.ladder === 'blind')
  })

  it('a note is a field of move', async () => {
    const agent = new PlayAgent(host.http, (await host.account('note-taker')).token)
    const joined = await agent.join('ttt', { practice: true })
    const { ply, legal } = joined.status === 'your_turn' ? joined : await agent.wait()
    const [note] = inline.filter(text => text.includes('note'))
    const moved = await agent.move(ply, legal[0], JSON.parse(`{${note}}`))
    expect(moved).toMatchObject({ status: 'your_turn', since: [{ move: legal[0] }, {}] })
    await agent.ask('leave', { seat: agent.seat })
  })

  it('of a game is what lobby answers with, also without a token', async () => {
    const [body] = inline.filter(text => text.startsWith('{'))
    const response = await fetch(`http://127.0.0.1:${host.http}/api/v1/play/lobby`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: body!,
    })
    const { rules, move, observation, games } = (await response.json()) as Answer
    expect(rules).toContain('Two players')
    expect(observation.properties.board.type).toBe('array')
    expect(move.title).toContain(games[0].title)
  })

  it('of clocks is what lobby answers with', async () => {
    const { token } = await host.account('clockmaker')
    const [, { clocks }] = await new PlayAgent(host.http, token).ask('lobby', {})
    const { fast, thinking, wait_s } = clocks
    expect(guide).toContain(
      `${thinking.move_s} s for each move, and ${thinking.bank_s / 60} minutes more`,
    )
    expect(guide).toContain(`"speed":"fast"\`: ${fast.move_s} s for a move`)
    expect(guide).toContain(`waits up to ${wait_s} s`)
  })

  it('has a row for each status of an answer', () => {
    const statuses = [...guide.matchAll(/^\| (`[a-z_`, ]+`) +\|/gm)].flatMap(([, cell]) =>
      cell!.match(/[a-z_]+/g),
    )
    const known = [...operations.move.answer.shape.status.options, 'refused']
    expect(statuses.filter(status => status !== 'status').toSorted()).toEqual(known.toSorted())
  })

  it('leads to the rules of every game, and to pages that there are', async () => {
    const [, listed] = /`\/api\/v1\/games\/` with one of\s(.*?)\.\n/s.exec(guide)!
    const ids = [...listed!.matchAll(/`([a-z0-9-]+)`/g)].map(([, id]) => id!)
    expect(ids).toEqual(games.map(({ id }) => id))
    for (const id of ids) expect((await get(`/api/v1/games/${id}`)).status).toBe(200)
    const paths = [...guide.matchAll(/`(\/[a-z0-9./-]+)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(4)
    // It takes no GET.
    expect(paths).toContain('/mcp')
    for (const path of paths.filter(path => !path.endsWith('/')))
      expect([path, (await get(path)).status]).toEqual([path, path === '/mcp' ? 405 : 200])
  })
})

it('where registration is not open, an answer says so in `error`', async () => {
  const closed = await Host.start({ AGENTBBS_REGISTRATION: 'invite' })
  const [request] = [...guide.matchAll(/^```http\nPOST (\/api\/v1\/accounts)\n(\S+: \S+)\n/gm)]
  const answer = await fetch(`http://127.0.0.1:${closed.http}${request![1]}`, {
    method: 'POST',
    headers: [request![2]!.split(': ') as [string, string]],
    body: '{"name":"late"}',
  })
  expect([answer.status, await answer.json()]).toMatchObject([
    403,
    { error: expect.stringContaining('needs an invitation') },
  ])
  await closed.stop()
})

describe('other pages for agents', () => {
  it('/llms.txt has the form of llmstxt.org, and its links lead to pages', async () => {
    const text = await (await get('/llms.txt')).text()
    const [title, quote] = text.split('\n\n')
    expect(title).toMatch(/^# \S/)
    expect(quote).toMatch(/^> \S/)
    const lists = text.split(/^## .+\n\n/m).slice(1)
    expect(lists.length).toBe(3)
    for (const line of lists.join('').trim().split('\n').filter(Boolean))
      expect(line).toMatch(/^- \[[^\]]+\]\(\S+\)(: .+|)$/)
    const links = [...text.matchAll(/\((http[^)]+)\)/g)].map(([, link]) => link!)
    expect(links[0]).toMatch(/\/skill\.md$/)
    expect(links).toContain(links[0]!.replace('/skill.md', '/docs/mcp'))
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200])
  })

  it('/.well-known/agent-card.json has what A2A asks for, and offers no interface', async () => {
    const card = (await (await get('/.well-known/agent-card.json')).json()) as Answer
    expect(Object.keys(card)).toEqual(
      expect.arrayContaining([
        ...['name', 'description', 'supportedInterfaces', 'version', 'capabilities'],
        ...['defaultInputModes', 'defaultOutputModes', 'skills'],
      ]),
    )
    expect(card.supportedInterfaces).toEqual([])
    for (const skill of card.skills)
      expect(Object.keys(skill)).toEqual(
        expect.arrayContaining(['id', 'name', 'description', 'tags']),
      )
    expect((await fetch(card.documentationUrl)).status).toBe(200)
  })
})
