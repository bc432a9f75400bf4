// docs/watching.md is held against a real scrape and a real log.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it, vi } from 'vitest'
import {
  byWebSocket,
  type Credentials,
  inStore,
  newEvent,
  write,
} from '../test/support/event-crowd.ts'
import { type Family, readExposition } from '../test/support/exposition.ts'
import { Host } from '../test/support/host.ts'
import { WebSocketAgent } from '../test/support/websocket-agent.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const rows = readFileSync(join(root, 'docs/watching.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line =>
    line
      .slice(2, -1)
      .split(' | ')
      .map(cell => cell.trim()),
  )
const named = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
const metrics = rows.filter(([name]) => name!.startsWith('`agentbbs_'))
const lines = rows.filter(([, level]) => /^(info|warn|error|fatal)$/.test(level!))
const always = ['level', 'time', 'run', 'msg']

let families: ReadonlyMap<string, Family>
let logged: Record<string, unknown>[]

beforeAll(async () => {
  const host = await Host.start()
  try {
    const [alice, bob] = [await host.account('alice'), await host.account('bob')]
    await new WebSocketAgent(host.playUrl(`?game=none&token=${alice.token}`)).closed
    const agents = [alice, bob].map(
      ({ token }) => new WebSocketAgent(host.playUrl(`?game=ttt&token=${token}`)),
    )
    await Promise.all(agents.map(agent => agent.playFirstLegal()))
    await haveEvents(host, alice, bob)
    const answer = await fetch(`http://127.0.0.1:${host.http}/metrics`)
    families = readExposition(await answer.text())
    await host.terminate()
    logged = host.said
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line))
  } finally {
    await host.stop()
  }
})

/** One that is played, and one in which a player is missing, that is paused and cancelled. */
const haveEvents = async (host: Host, ...[alice, bob]: readonly Credentials[]) => {
  const { id: played } = await newEvent(host, { id: 'played', startsWith: 2 })
  await Promise.all([byWebSocket(host, alice!, played), byWebSocket(host, bob!, played)])
  const { id } = await newEvent(host, { id: 'missed', format: { kind: 'round-robin', cycles: 2 } })
  const accounts = inStore(host, ({ users }) => ['alice', 'bob'].map(name => users.find(name)!))
  const entrants = accounts.map(({ id, name }) => ({ account: id, name, rating: 1500 }))
  for (const entrant of entrants) write(host, id, { kind: 'entered', ...entrant })
  await host.cli('event', 'start', id)
  const isSaid = (text: string) =>
    vi.waitFor(() => expect(host.said).toContain(text), { timeout: 20_000 })
  await isSaid('"event":"missed","round":1')
  const absent = [entrants[0]!.account]
  write(host, id, { kind: 'settled', round: 1, board: 1, places: [2, 1], absent, reason: 'late' })
  await isSaid('"absent":["alice"]')
  await host.cli('event', 'pause', id)
  await host.cli('event', 'resume', id)
  await host.cli('event', 'cancel', id, '--reason', 'enough')
  await isSaid('"msg":"event cancelled"')
}

it('has every metric of ours, its type and its labels', () => {
  const told = [...families].filter(([name]) => name.startsWith('agentbbs_'))
  const documented = metrics.map(([name, type, labels]) => [named(name!)[0]!, type, named(labels!)])
  const found = told.map(([name, { type, samples }]) => [
    name,
    type,
    Object.keys(samples[0]?.labels ?? {}).filter(label => label !== 'le'),
  ])
  const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
  expect(documented.sort(byName)).toEqual(found.sort(byName))
})

it('has every line of the log, its level and its fields, as they come', () => {
  const levels: Record<string, string> = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
  expect(logged.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      ...['host opened', 'connection ended', 'refused', 'match ended', 'host closed'],
      ...['event started', 'round drawn', 'pairing settled without a match', 'event paused'],
      ...['event resumed', 'event cancelled', 'event finished'],
    ]),
  )
  for (const line of logged) {
    const row = lines.find(([msg]) => msg === `\`${line.msg}\``)
    expect(levels[String(line.level)], String(line.msg)).toBe(row?.[1])
    const fields = Object.keys(line).filter(field => !always.includes(field))
    expect(fields.sort(), String(line.msg)).toEqual(named(row![3] ?? '').sort())
  }
})

it('has every line that the code can write', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.test\.ts$|^(testing|bench)\//.test(file))
    .map(file => readFileSync(join(root, 'src', file), 'utf8'))
  const written = sources.flatMap(source =>
    [...source.matchAll(/\blog\.(info|warn|error|fatal)\(/g)].map(({ 1: level, index }) => {
      // The message is the last text of the call, which ends where its bracket is closed.
      let depth = 0
      let end = index + source.slice(index).indexOf('(')
      do {
        if (source[end] === '(') depth++
        if (source[end] === ')') depth--
        end++
      } while (depth > 0)
      const [, plain, quoted, filled] = /(?:'([^']*)'|"([^"]*)"|`([^`]*)`),?\s*\)$/.exec(
        source.slice(index, end),
      )!
      return `${level} ${plain ?? quoted ?? filled!.replace(/\$\{[^}]*\}/g, '…')}`
    }),
  )
  expect([...new Set(written)].sort()).toEqual(
    lines.map(([msg, level]) => `${level} ${msg!.slice(1, -1)}`).sort(),
  )
})

it('explains every field', () => {
  const fields = new Set(lines.flatMap(([, , , fields]) => named(fields ?? '')))
  const explained = rows
    .filter(row => row.length === 2)
    .flatMap(([names]) => named(names!))
    .filter(name => !name.includes('/'))
  for (const field of fields) expect(explained).toContain(field)
})
