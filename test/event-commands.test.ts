import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentbbs, type Ran } from './support/cli.ts'
import { Host } from './support/host.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start()
}, 30_000)
afterAll(() => host.stop())

const run = (...args: string[]): Promise<Ran> =>
  agentbbs(args, { AGENTBBS_DATA: host.env.AGENTBBS_DATA! })

const done = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

const api = async (path: string, token?: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${host.http}/api/v1/events${path}`, {
    method,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

const heard = (id: string, status: string) =>
  expect
    .poll(async () => (await api(`/${id}`)).body?.status, { timeout: 60_000, interval: 200 })
    .toBe(status)

it('an event that is made and started beside a running host is played by it to its end', async () => {
  await done(
    'event',
    'create',
    'house-cup',
    '--game',
    'chess',
    '--format',
    'round-robin',
    '--unrated',
  )
  for (const level of ['1', '2', '3'])
    await done('event', 'enter', 'house-cup', '--house', `level-${level}`)
  await done('event', 'start', 'house-cup')
  await heard('house-cup', 'finished')

  const { body } = await api('/house-cup')
  expect(body.rounds).toHaveLength(3)
  expect(body.table.map(({ played }: { played: number }) => played)).toEqual([2, 2, 2])
  expect(body.champion).toBe(body.table[0].name)
  expect(body.plan.seed).toMatch(/^[0-9a-f]{32}$/)
  expect(JSON.parse(await done('event', 'export', 'house-cup'))).toEqual(body)

  const pgn = await done('event', 'export', 'house-cup', '--format', 'pgn')
  expect(pgn.match(/^\[Event "House cup"\]$/gm)).toHaveLength(3)
  expect(pgn.match(/^\[Round "[123]\.1\.1"\]$/gm)).toHaveLength(3)
  const tagged = (text: string) => text.replace(/^\[Site .*$/gm, '')
  expect(tagged((await api('/house-cup/pgn')).text)).toBe(tagged(pgn))
  const trf = await done('event', 'export', 'house-cup', '--format', 'trf')
  expect(trf.match(/^001 /gm)).toHaveLength(3)
  expect((await api('/house-cup/trf')).text).toBe(trf)
  const log = (await done('event', 'export', 'house-cup', '--format', 'log')).trim().split('\n')
  expect(log.map(line => JSON.parse(line).number)).toEqual(log.map((_, i) => i + 1))
  expect(await done('verify')).toMatch(
    /^3 matches, 3 seals, 1 event and all ratings and points are/,
  )
}, 120_000)

it('an account enters, checks in and withdraws with its token', async () => {
  const { token } = await host.account('ann')
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await done(
    ...['event', 'create', 'spring-cup', '--game', 'ttt', '--format', 'knockout'],
    ...['--start', later, '--check-in', '30min'],
  )
  await heard('spring-cup', 'open')
  const entry = (method: string, given?: string) => api('/spring-cup/entry', given, method)
  await expect
    .poll(async () => (await entry('POST', token)).body, { timeout: 10_000 })
    .toEqual({ event: 'spring-cup', agent: 'ann', status: 'entered' })
  expect(await entry('POST', token)).toMatchObject({ status: 200 })
  expect((await api('/spring-cup')).body.players).toMatchObject([{ name: 'ann', withdrawn: false }])
  expect((await api('/spring-cup')).body.plan.seed).toBeNull()
  expect(await api('/spring-cup/check-in', token, 'POST')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('check-in for spring-cup begins at') },
  })
  expect(await entry('DELETE', token)).toMatchObject({
    status: 200,
    body: { event: 'spring-cup', agent: 'ann', status: 'withdrawn' },
  })
  expect((await api('/spring-cup')).body.players).toEqual([])
  expect(await entry('POST')).toMatchObject({ status: 401 })
  expect(await api('/no-cup/entry', token, 'POST')).toMatchObject({ status: 404 })
  expect(await api('/no-cup')).toMatchObject({ status: 404 })
  expect(await api('/spring-cup/pgn')).toMatchObject({ status: 404 })
  expect(await api('/spring-cup/trf')).toMatchObject({ status: 404 })
  await done('event', 'cancel', 'spring-cup', '--reason', 'rain')
  expect(await done('event', 'show', 'spring-cup')).toMatch(/^cancelled \S+ \S+Z: rain$/m)
  await expect.poll(async () => (await entry('POST', token)).status, { timeout: 10_000 }).toBe(409)
}, 60_000)

it.each([
  [
    'an option that is wrong',
    ['create', 'x', '--game', 'c4', '--format', 'swiss'],
    '--rounds: give',
  ],
  ['an account that there is not', ['enter', 'house-cup', 'nobody'], 'no account is called nobody'],
  ['a level that there is not', ['enter', 'house-cup', '--house', '9'], 'no house player 9 plays'],
  ['an event that is over', ['pause', 'house-cup'], 'house-cup is over'],
  [
    'an event that there is not',
    ['show', 'house-cop'],
    'no event is called house-cop (did you mean house-cup?)',
  ],
  [
    'a name that is taken',
    ['create', 'house-cup', '--game', 'c4', '--format', 'knockout'],
    'is called house-cup already',
  ],
  [
    'a result that is none',
    ['result', 'house-cup', '1.1', '2-0', '--reason', 'x'],
    '2-0 is no result',
  ],
  [
    'a pairing that is none',
    ['result', 'house-cup', '1', '1-0', '--reason', 'x'],
    '1 is no pairing',
  ],
  ['a line that cannot be read', ['repeat', 'every Sunday'], '"every Sunday": it begins with'],
  ['no league', ['log', 'house-cup'], 'house-cup has no messages'],
])('a command refuses %s in one line', async (_, args, why) => {
  const { code, stdout, stderr } = await run('event', ...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr.match(/\n/g)).toHaveLength(1)
})

it('a recurring event is announced by the host, and comes no more once it is stopped', async () => {
  await done('event', 'repeat', 'every day 00:00 UTC, arena, ttt, 10 min, name dawn')
  expect(
    (await run('event', 'repeat', 'every day 01:00 UTC, knockout, c4, name dawn')).stderr,
  ).toBe('agentbbs: one is called dawn already: give another name, as in ", name dawn-2"\n')
  const [{ next }] = JSON.parse(await done('event', 'repeats', '--json'))
  await heard(`dawn-${next.slice(0, 10)}`, 'open')
  await done('event', 'stop-repeat', 'dawn')
  expect(await done('event', 'repeats')).toBe('No recurring events.\n')
}, 90_000)
