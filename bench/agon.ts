import { ServiceThread } from '../src/threads/service-thread.ts'
import { startThread } from '../src/threads/start-thread.ts'
import { AgonAgent, agonPath } from './agon-agent.ts'
import { countsOf } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { bar, figuresOf, type Measured, medianOf, sleep, starved, type Values } from './measure.ts'
import type { AgonSpectators } from './processes/agon-spectators.ts'
import { pinLoad, type Server, withHost } from './server.ts'
import { type Round, Tally } from './tally.ts'

const spectators = 300
/** In turns. */
const kinds = ['without', 'watched'] as const
const rounds = 3 * kinds.length

/** Agents play at tables like these, at which nothing waits but the moves. */
const settings = {
  AGENTBBS_PAIR_CAP: '0',
  AGENTBBS_AGON_COUNTDOWN: '0.01',
  AGENTBBS_AGON_ACTIONS: '1000000',
}

/** Pairs of agents at the tables of Go, without spectators in the room and with 300 of them. */
export const benchAgon = async (seconds: number, pairs = 4) => {
  const accounts = newAccounts(2 * pairs + spectators, 0)
  return withHost({ accounts, settings }, async host => {
    const tokens: string[] = []
    for (const { token } of accounts) tokens.push(await sessionToken(host, token))
    const measured = await measure(host, tokens, { pairs, seconds })
    const figures = kinds.flatMap(kind =>
      figuresOf(
        `go.${kind}`,
        measured.rounds.filter((_, round) => kinds[round % kinds.length] === kind).map(valuesOf),
      ),
    )
    const p99 = (kind: string) => medianOf(figures, `go.${kind}.move.p99`)
    return {
      ...{ pinned: pinLoad(), pairs, spectators, seconds, settings },
      ...{ go: { ...countsOf(measured.rounds), watched: measured.seen } },
      figures,
      bars: [bar('go.watched: rise of move.p99', p99('watched') - p99('without'), 5)],
    } satisfies Measured
  })
}

const sessionToken = async ({ ports }: Server, token: string): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${ports.ws}/agon/api/v1/agents/session-token`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: '{}',
  })
  if (answer.status !== 200) throw new Error(`no session token: ${await answer.text()}`)
  return ((await answer.json()) as { readonly token: string }).token
}

const measure = async (
  host: Server,
  tokens: readonly string[],
  { pairs, seconds }: { readonly pairs: number; readonly seconds: number },
) => {
  // In a thread of its own: what the spectators read must not delay what measures the moves.
  const thread = new ServiceThread<AgonSpectators>(
    () =>
      startThread(import.meta.url, './processes/agon-spectators', {
        workerData: { port: host.ports.ws },
      }),
    error => {
      throw error
    },
  )
  // Other work on the machine does not count.
  const tally = new Tally(() => performance.now() - starved(host.pid) - starved('self'))
  const open = new Set<AgonAgent>()
  const agents = tokens.slice(0, 2 * pairs).map(token => {
    const agent: AgonAgent = new AgonAgent(
      listener => dialWebSocket(host.ports.ws, agonPath(token), null, listener),
      () => tally,
      () => open.delete(agent),
    )
    open.add(agent)
    return agent
  })
  let seen = { bytes: 0, connected: 0 }
  const measured: Round[] = []
  // Code is compiled first.
  await sleep(1_000 * seconds)
  for (let round = 0; round < rounds; round++) {
    const isWatched = kinds[round % kinds.length] === 'watched'
    if (isWatched) await thread.service.start(tokens.slice(2 * pairs))
    tally.clear()
    const before = await host.ask<number>('cpu')
    await sleep(1_000 * seconds)
    measured.push(tally.round((await host.ask<number>('cpu')) - before))
    if (isWatched) seen = await thread.service.stop()
  }
  for (const agent of agents) agent.stop()
  while (open.size > 0) await sleep(10)
  await thread.close()
  const faults = [...tally.faults.keys(), ...host.faults]
  if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'))
  return { rounds: measured, seen }
}

const valuesOf = ({ moves, cpu, values }: Round): Values => ({
  movesPerSecond: values.movesPerSecond!,
  cpu: (cpu / moves) * 1e6,
  'move.p50': values['move.p50']!,
  'move.p99': values['move.p99']!,
})
