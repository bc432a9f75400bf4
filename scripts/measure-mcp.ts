// How much longer moves by WebSocket take while 200 calls of MCP wait, and what such a call costs. Run after `npm run build`:
// npx tsx scripts/measure-mcp.ts

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { newAccounts } from '../bench/data-folder.ts'
import { accountsFor, Load } from '../bench/load.ts'
import { figuresOf, type Values } from '../bench/measure.ts'
import { withHost } from '../bench/server.ts'

const waits = 200
const pairs = 16
/** Milliseconds that each agent of a pair thinks, so that the host has time to spare. */
const think = 20
const [rounds, seconds] = [16, 6]
/** Seconds that each call waits: as clients do, and so short that 100 calls a second come. */
const kinds = [null, 45, null, 2] as const

if (process.argv[2] === 'wait') await wait(process.argv.slice(3))
else await measure()

async function measure(): Promise<void> {
  const accounts = newAccounts(accountsFor(rounds * (seconds + 10) * 100), 0)
  const waiting = accounts.slice(-5, -1).map(({ token }) => token)
  const absent = accounts.at(-1)!.name
  await withHost({ accounts }, async host => {
    const load = new Load(accounts.slice(0, -5))
    let stop = () => {}
    const rows = await load.play(
      host,
      { transport: 'ws', pairs, think, warmUp: 3, seconds, rounds },
      async round => {
        stop()
        const kind = kinds[round % kinds.length]!
        if (round === rounds || kind === null) return
        const args = ['wait', String(host.ports.ws), String(kind), absent, ...waiting]
        const child = fork(import.meta.filename, args, { execArgv: process.execArgv })
        stop = () => void child.kill()
        const ended = once(child, 'exit').then(() => {
          throw new Error('the clients that wait have ended')
        })
        ended.catch(() => {})
        await Promise.race([once(child, 'message'), ended])
      },
    )
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
      for (const { figure, host } of figuresOf('', values))
        console.log(
          `  ${figure.slice(1)}: ${[host.median, host.least, host.most].map(n => n.toFixed(2)).join(' · ')}`,
        )
    }
  })
}

/** In a process of its own, so that what the clients do delays nothing that is measured. */
async function wait([port, seconds, opponent, ...tokens]: readonly string[]): Promise<void> {
  const call = async (token: string, name: string, given: object) => {
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
    })
    const text = await response.text()
    const [, data] = /^data: (.*)$/m.exec(text) ?? []
    if (data === undefined) throw new Error(`${response.status} ${text}`)
    const answer = JSON.parse(JSON.parse(data).result.content[0].text)
    if (answer.status === 'refused') throw new Error(answer.error)
    return answer
  }
  const games = ['chess', 'go9', 'go13', 'go19', 'c4', 'othello', 'gomoku']
  let joined = 0
  const begin = async (n: number) => {
    const token = tokens[n % tokens.length]!
    const join = () => call(token, 'join', { game: games[n % games.length], opponent, wait_s: 0 })
    let answer = await join()
    // Now a join makes another seat.
    await call(token, 'wait', { seat: answer.seat, wait_s: 0 })
    if (++joined === waits) process.send!('all wait')
    for (;;) {
      answer = await call(token, 'wait', { seat: answer.seat, wait_s: Number(seconds) })
      if (answer.status !== 'waiting') answer = await join()
    }
  }
  for (let n = 0; n < waits; n++) {
    void begin(n).catch(error => {
      throw error
    })
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
