// Events over real sockets, by every protocol.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkEvent } from '../src/events/check-event.ts'
import {
  byHttp,
  byMcp,
  bySsh,
  byWebSocket,
  heard,
  inStore,
  logOf,
  newEvent,
  type Way,
  write,
  wrongResults,
} from './support/event-crowd.ts'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'

const names = ['ada', 'bert', 'cleo', 'dirk', 'emma'] as const
const credentials = new Map<string, { key: string; token: string }>()
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_PAIR_CAP: '0' })
  for (const name of names) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const of = (name: string) => credentials.get(name)!
const accountOf = (name: string) => inStore(host, ({ users }) => users.find(name)!.id)
const enter = (event: string, ...entrants: readonly string[]) => {
  for (const name of entrants)
    write(host, event, { kind: 'entered', account: accountOf(name), name, rating: 1500 })
}
const kindsOf = (event: string) => logOf(host, event).map(({ kind }) => kind)
const pairsOf = (event: string) =>
  logOf(host, event).flatMap(entry =>
    entry.kind === 'played' ? [[...entry.accounts].sort((a, b) => a - b).join()] : [],
  )

it('agents of four protocols play a round robin on their connections, and hear their places', async () => {
  const { id } = await newEvent(host, { id: 'mixed', startsWith: names.length })
  const ways: readonly Way[] = [byWebSocket, byWebSocket, bySsh, byHttp, byMcp]
  const words = await Promise.all(ways.map((way, i) => way(host, of(names[i]!), id)))
  const pairs = pairsOf(id)
  expect([pairs.length, new Set(pairs).size]).toEqual([10, 10])
  expect(wrongResults(host, id)).toEqual([])
  expect(checkEvent(logOf(host, id))).toBe(null)
  // Those who call may only hear that it is over.
  expect(words.slice(0, 3)).toEqual(
    Array(3).fill(expect.stringMatching(/^mixed is over: you are [1-5] of 5$/)),
  )
  const unknown = host.agent(of('ada').token, '?event=nowhere')
  expect(await unknown.next('error')).toMatchObject({ code: 'no-such-event' })
  const late = host.agent(of('ada').token, `?event=${id}`)
  expect(await late.next('error')).toMatchObject({ code: 'event-over', error: 'mixed is over' })
})

it('agents of League of Agents are given their boards out of the queue, and meet those of other protocols', async () => {
  const { id } = await newEvent(host, { id: 'echoes', game: 'echo', showUp: 20_000 })
  const entrants = names.slice(0, 3)
  enter(id, ...entrants)
  const seeded = entrants.map(name => ({ account: accountOf(name), name, rating: 1500 }))
  write(host, id, { kind: 'started', entrants: seeded })
  await heard()
  const agents = await Promise.all(
    entrants.slice(0, 2).map((name, i) => LoaAgent.as(of(name).token, host.http, i + 1)),
  )
  const played = agents.map(async agent => {
    for (let match = 0; match < 2; match++) await agent.play('echo')
  })
  const third = byWebSocket(host, of(entrants[2]!), id)
  await Promise.all([...played, third])
  for (const { webSocket } of agents) webSocket.close()
  expect(new Set(pairsOf(id)).size).toBe(3)
  expect(wrongResults(host, id)).toEqual([])
  const terms = inStore(host, ({ events, matches }) =>
    events.boardMatches(id).map(({ match }) => matches.find(match)!.players.map(p => p.protocol)),
  )
  expect(terms.flat().sort()).toEqual(['agentgames', 'agentgames', 'loa', 'loa', 'loa', 'loa'])
})

it('a pause by command opens no match until it is taken back, and who never comes is withdrawn', async () => {
  const { id } = await newEvent(host, { id: 'paused', showUp: 2_000 })
  enter(id, 'ada', 'bert', 'cleo')
  const seeded = ['ada', 'bert', 'cleo'].map(name => ({
    ...{ account: accountOf(name), name, rating: 1500 },
  }))
  write(host, id, { kind: 'started', entrants: seeded }, { kind: 'paused' })
  await heard()
  const playing = ['ada', 'bert'].map(name => byWebSocket(host, of(name), id))
  await pause(3_000)
  expect(kindsOf(id).slice(-1)).toEqual(['paused'])
  write(host, id, { kind: 'resumed' })
  await Promise.all(playing)
  expect(pairsOf(id)).toEqual([[accountOf('ada'), accountOf('bert')].join()])
  expect(logOf(host, id)).toContainEqual(
    expect.objectContaining({ kind: 'withdrew', account: accountOf('cleo') }),
  )
  expect(kindsOf(id).at(-1)).toBe('finished')
})
