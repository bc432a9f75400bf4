// How much longer moves by WebSocket take while 200 calls of MCP wait, and what such a call costs. Run after `npm run build`:
// npx tsx scripts/measure-mcp.ts
// With `own` other work on the machine does not count, nor does that of the host's other threads.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { newAccounts } from '../bench/data-folder.ts'
import { accountsFor, Load } from '../bench/load.ts'
import { figuresOf, sleep, starved, type Values } from '../bench/measure.ts'
import { withHost } from '../bench/server.ts'

const waits = 200
const pairs = 16
/** Milliseconds that each agent of a pair thinks, so that the host has time to spare. */
const think = 20
const [rounds, seconds] = [16, 6]
/** Seconds that each call waits: as clients do, and so short that 100 calls a second come. */
const kinds = [null, 45, null, 2] as const

if (process.argv[2] === 'wait') wait(process.argv.slice(3))
else await measure(process.argv[2] === 'own')

async function measure(own: boolean): Promise<void> {
  const accounts = newAccounts(accountsFor(rounds * (seconds + 10) * 100), 0)
  const waiting = accounts.slice(-5, -1).map(({ token }) => token)
  const absent = accounts.at(-1)!.name
  await withHost({ accounts }, async host => {
    const now = () => performance.now() - (own ? starved(host.pid) + starved('self') : 0)
    const load = new Load(accounts.slice(0, -5), now)
    const child = fork(import.meta.filename, ['wait', String(host.ports.ws), absent, ...waiting], {
      execArgv: process.execArgv,
    })
    const ended = once(child, 'exit').then(() => {
      throw new Error('the clients that wait have ended')
    })
    ended.catch(() => {})
    const rows = await load.play(
      host,
      { transport: 'ws', pairs, think, warmUp: 3, seconds, rounds, within: true },
      async round => {
        child.send(round === rounds ? 0 : (kinds[round % kinds.length] ?? 0))
        await Promise.race([once(child, 'message'), ended])
      },
    )
    child.kill()
    const by = new Map<number | null, Values[]>(kinds.map(kind => [kind, []]))
    for (const [i, { values, moves, cpu }] of rows.entries())
      by.get(kinds[i % kinds.length]!)!.push({
        'move.p50': values['move.p50']!,
        'move.p99': values['move.p99']!,
        'moves a second': moves / seconds,
        'cpu %': (100 * cpu) / seconds,
      })
    console.log(
      `load of the machine over 1 and 5 minutes: ${loadavg().slice(0, 2).map(Math.round)}`,
    )
    for (const [kind, values] of by) {
      console.log(kind === null ? 'no waits' : `${waits} waits of ${kind} s each`)
      for (const { figure, host } of figuresOf('', values)) {
        const numbers = [host.median, host.least, host.most].map(n => n.toFixed(2))
        console.log(`  ${figure.slice(1)}: ${numbers[0]} (${numbers[1]} to ${numbers[2]})`)
      }
    }
  })
}

/**
 * In a process of its own, so that what the clients do delays nothing that is measured. It is sent for how many seconds each call
 * waits from now on, or 0 for no calls, and answers once all do so.
 */
function wait([port, opponent, ...tokens]: readonly string[]): void {
  let turn = new AbortController()
  let seconds = 0
  let open = 0
  const call = async (token: string, name: string, given: object, signal?: AbortSignal) => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: given },
      }),
      ...(signal !== undefined && { signal }),
    })
    const text = await response.text()
    const [, data] = /^data: (.*)$/m.exec(text) ?? []
    if (data === undefined) throw new Error(`${response.status} ${text}`)
    return JSON.parse(JSON.parse(data).result.content[0].text)
  }
  const games = ['chess', 'go9', 'go13', 'go19', 'c4', 'othello', 'gomoku']
  const seats: string[] = []
  const join = async (n: number) => {
    const token = tokens[n % tokens.length]!
    const game = games[n % games.length]
    const { seat, error } = await call(token, 'join', { game, opponent, wait_s: 0 })
    if (seat === undefined) throw new Error(error)
    // Now a join makes another seat.
    await call(token, 'wait', { seat, wait_s: 0 })
    seats[n] = seat
  }
  const waitOn = async (n: number, { signal }: AbortController) => {
    while (!signal.aborted)
      try {
        open++
        const given = { seat: seats[n], wait_s: seconds }
        const { status } = await call(tokens[n % tokens.length]!, 'wait', given, signal)
        if (status !== 'waiting') await join(n)
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        open--
      }
  }
  process.on('message', async (next: number) => {
    turn.abort()
    turn = new AbortController()
    seconds = next
    if (next > 0)
      for (let n = 0; n < waits; n++) {
        if (seats[n] === undefined) await join(n)
        void waitOn(n, turn)
      }
    while (open !== (next > 0 ? waits : 0)) await sleep(10)
    // What was asked last is on its way.
    await sleep(500)
    process.send!('ready')
  })
}
