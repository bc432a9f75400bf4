// Matches of thinking agents and on blind ladders, over the real wires and with a real database.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import type { ScriptedAgent } from './support/scripted-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

let host: Host
const credentials = new Map<string, { key: string; token: string }>()

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_GAME_MOVE_TIMEOUT: '60' })
  for (const name of ['ada', 'bert']) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const byWebSocket = (name: string, query: string) => host.agent(credentials.get(name)!.token, query)
const bySsh = (name: string, ...command: string[]) =>
  new SshAgent(host.sshArgs(credentials.get(name)!.key, ...command))

const turn = async (agent: ScriptedAgent, move: unknown) => {
  for (;;) {
    const state = await agent.next('state')
    if (!state.yourTurn) continue
    agent.move(move)
    return state
  }
}

const ladder = async (...options: string[]) =>
  JSON.parse(await host.cli('ladder', 'ttt', ...options, '--json')) as { name: string }[]

it('a thinking agent whose connection is lost comes back by another transport, and wins', async () => {
  const query = '?game=ttt&speed=thinking'
  const agents = { ada: byWebSocket('ada', query), bert: byWebSocket('bert', query) }
  const hello = await agents.ada.next('hello')
  expect(hello).toMatchObject({ moveTimeout: 20, bank: 600, speed: 'thinking', ladder: 'open' })
  const [first, second] =
    hello.player === 0 ? (['ada', 'bert'] as const) : (['bert', 'ada'] as const)
  await turn(agents[first], '4')
  await turn(agents[second], '0')
  await turn(agents[first], '2')
  agents[first].webSocket.terminate()
  await turn(agents[second], '1')
  const back = bySsh(first, 'ttt', '--speed', 'thinking')
  expect(await back.next()).toMatchObject({ type: 'hello', match: hello.match, player: 0 })
  const { timeLeft } = await turn(back, '6')
  expect(timeLeft).toBeGreaterThan(500_000)
  const results = [await back.next('result'), await agents[second].next('result')]
  expect(results).toMatchObject([
    { outcome: 'win', match: hello.match, rated: true },
    { outcome: 'loss' },
  ])
  expect(await back.closed).toBe(0)
  expect((await ladder('--speed', 'thinking')).map(({ name }) => name)).toEqual([first, second])
  expect(await ladder()).toEqual([])
})

it('a blind agent is told of two strikes, and loses by the third', async () => {
  const agents = [
    byWebSocket('ada', '?game=ttt&ladder=blind'),
    bySsh('bert', 'ttt', '--ladder=blind'),
  ]
  const hellos = await Promise.all(agents.map(agent => agent.next('hello')))
  const [first, second] = hellos[0]!.player === 0 ? agents : agents.toReversed()
  const { observation } = await turn(first!, '9')
  expect(observation).toEqual({ board: Array(9).fill('.'), toMove: 0 })
  expect(await first!.next()).toMatchObject({ code: 'illegal-move', strikes: 1 })
  first!.move('10')
  expect(await first!.next()).toMatchObject({ code: 'illegal-move', strikes: 2 })
  first!.move({ cell: 4 })
  expect(await second!.next('result')).toMatchObject({
    ...{ outcome: 'win', reason: 'forfeit: illegal move', quick: true },
  })
  expect(await ladder('--blind')).toHaveLength(2)
  expect(await ladder('--speed', 'thinking', '--blind')).toEqual([])
  expect(await host.cli('verify')).toMatch(/2 matches/)
})
