import { ClawpolyTable, type Sit } from './clawpoly-table.ts'
import { countsOf } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { bar, figuresOf, type Measured, medianOf, sleep, starved, type Values } from './measure.ts'
import { pinLoad, type Server, withHost } from './server.ts'
import { type Round, Tally } from './tally.ts'

const seats = 4
/** Milliseconds before each action: by turns agents that take some, and agents that take none. */
const kinds = { thinking: 20, hurried: 0 } as const
const names = Object.keys(kinds) as (keyof typeof kinds)[]
const rounds = 3 * names.length

/** Agents play at tables like these, at which nothing waits but the moves. */
const settings = {
  AGENTBBS_PAIR_CAP: '0',
  AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS: '1000000',
  AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS: '1000000',
}

/** Rooms of four agents each that play one game after the other at the speed `instant`. */
export const benchClawpoly = async (seconds: number, tables = 4) => {
  const accounts = newAccounts(seats * tables, 0)
  return withHost({ accounts, settings }, async host => {
    const tokens = accounts.map(({ token }) => token)
    const measured = await measure(host, tokens, seconds)
    const figures = names.flatMap((name, i) =>
      figuresOf(name, measured.filter((_, round) => round % names.length === i).map(valuesOf)),
    )
    return {
      ...{ pinned: pinLoad(), tables, seats, think: kinds, seconds, settings },
      ...{ games: countsOf(measured).matches },
      figures,
      bars: [bar('thinking.action.p99', medianOf(figures, 'thinking.action.p99'), 5)],
    } satisfies Measured
  })
}

const measure = async (
  host: Server,
  tokens: readonly string[],
  seconds: number,
): Promise<readonly Round[]> => {
  // Other work on the machine does not count.
  const tally = new Tally(() => performance.now() - starved(host.pid) - starved('self'))
  let think: number = kinds.hurried
  const open = new Set<ClawpolyTable>()
  for (let at = 0; at < tokens.length; at += seats) {
    const table: ClawpolyTable = new ClawpolyTable(
      roomOf(host, tokens.slice(at, at + seats)),
      () => tally,
      () => think,
      () => open.delete(table),
    )
    open.add(table)
  }
  const measured: Round[] = []
  // Code is compiled first.
  await sleep(1_000 * seconds)
  for (let round = 0; round < rounds; round++) {
    think = kinds[names[round % names.length]!]
    // Of the tables that had another pace some actions are still to come.
    await sleep(2 * kinds.thinking)
    tally.clear()
    const before = await host.ask<number>('cpu')
    await sleep(1_000 * seconds)
    measured.push(tally.round((await host.ask<number>('cpu')) - before))
  }
  think = 0
  for (const table of open) table.stop()
  while (open.size > 0) await sleep(10)
  const faults = [...tally.faults.keys(), ...host.faults]
  if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'))
  return measured
}

/** A new room with a seat for each of these tokens. */
const roomOf =
  ({ ports }: Server, tokens: readonly string[]): Sit =>
  async () => {
    const post = async (path: string, token: string, body: object) => {
      const answer = await fetch(`http://127.0.0.1:${ports.ws}/clawpoly/api/v1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`)
      return (await answer.json()) as { readonly roomId: string; readonly agentToken: string }
    }
    const { roomId } = await post('/rooms', tokens[0]!, {
      ...{ name: 'bench', maxPlayers: tokens.length, gameSpeed: 'instant' },
    })
    const joined = await Promise.all(
      tokens.map((token, i) => post(`/rooms/${roomId}/join`, token, { name: `bench-${i}` })),
    )
    return joined.map(({ agentToken }) => {
      const path = `/clawpoly/ws/agent?roomId=${roomId}&agentToken=${agentToken}`
      return listener => dialWebSocket(ports.ws, path, null, listener)
    })
  }

const valuesOf = ({ moves, cpu, bytes, values }: Round): Values => ({
  actionsPerSecond: values.movesPerSecond!,
  gamesPerSecond: values.matchesPerSecond!,
  cpu: (cpu / moves) * 1e6,
  bytes: bytes / moves,
  'action.p50': values['move.p50']!,
  'action.p99': values['move.p99']!,
})
