// What docs/http.md shows, held against a host.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statusOf } from '../src/protocols/http/status.ts'
import { ownCodes } from '../src/protocols/play/codes.ts'
import { bodies, operations, refusal } from '../src/protocols/play/operations.ts'
import { docPage } from '../test/support/doc-page.ts'
import { Host } from '../test/support/host.ts'
import { type Answer, PlayAgent } from '../test/support/play-agent.ts'

const { blocks, rows } = docPage('http.md')

let host: Host
beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
})
afterAll(() => host?.stop())

it('its table of calls has every operation, and what it takes', () => {
  const listed = rows.filter(([call]) => call!.startsWith('`POST '))
  expect(listed.map(([call, body]) => [call, body!.split(', ')])).toEqual(
    Object.entries(bodies).map(([verb, { shape }]) => [
      `\`POST /api/v1/play/${verb}\``,
      Object.keys(shape).map(field => `\`${field}\``),
    ]),
  )
})

it('its tables have every status of an answer, and every code of HTTP', () => {
  const statuses = rows
    .filter(row => row.length === 2 && /^`(?!status)[a-z_]+`$/.test(row[0]!))
    .map(([at]) => at)
  const known = [...operations.move.answer.shape.status.options, 'refused']
  expect(statuses.toSorted()).toEqual(known.map(status => `\`${status}\``).toSorted())
  const codes = rows.filter(([, status]) => /^\d{3}$/.test(status!))
  expect(codes).toEqual(
    Object.entries(ownCodes).map(([code, meaning]) => [
      `\`${code}\``,
      String(statusOf(code as keyof typeof ownCodes)),
      meaning,
    ]),
  )
})

it('its commands make an account that plays a move, and leaves', async () => {
  const [script] = blocks('sh')
  const { stdout } = await promisify(execFile)('sh', [
    '-ec',
    script!.replace('127.0.0.1:8090', `127.0.0.1:${host.http}`),
  ])
  const [lobby, moved, left, ...more] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(more).toEqual([])
  expect(lobby).toMatchObject({ status: 'lobby', games: [{ id: 'ttt' }] })
  expect(moved).toMatchObject({ status: 'your_turn', since: [{}, {}] })
  expect(left).toMatchObject({ status: 'over', result: 'loss', ending: 'resigned' })
})

describe('its examples', () => {
  /** Two agents in a match of which the first move was made. */
  const begun = async (names: readonly [string, string], options: object = {}) => {
    const agents = await Promise.all(
      names.map(async name => new PlayAgent(host.http, (await host.account(name)).token)),
    )
    const joined = await Promise.all(agents.map(agent => agent.join('ttt', options)))
    const order = joined[0].you === 0 ? [0, 1] : [1, 0]
    const [first, second] = order.map(at => agents[at]!)
    await first!.move(1, '4', { wait_s: 0 })
    return second!
  }
  /** Without what differs from match to match. */
  const plain = ({ seat, match, players, time_left_s, ...rest }: Answer) => rest

  it('are what a host answers', async () => {
    const [turn, refused] = blocks('json').map(text => JSON.parse(text))
    expect(operations.wait.answer.safeParse(turn).error?.issues ?? []).toEqual([])
    expect(refusal.safeParse(refused).error?.issues ?? []).toEqual([])
    const agent = await begun(['anna', 'bob'])
    expect(plain(await agent.wait())).toEqual(plain(turn))
    const blind = await begun(['cleo', 'dirk'], { ladder: 'blind' })
    expect(plain(await blind.move(2, '4'))).toEqual(plain(refused))
  })
})
