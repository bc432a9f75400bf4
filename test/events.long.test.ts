// Events under load, and with kill -9 at random moments.

import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { checkEvent } from '../src/events/check-event.ts'
import { fold } from '../src/events/fold.ts'
import { table } from '../src/events/table.ts'
import { Dice } from '../src/games/dice.ts'
import { effort } from './support/effort.ts'
import {
  byHttp,
  byMcp,
  bySsh,
  byWebSocket,
  inStore,
  logOf,
  newEvent,
  write,
  wrongResults,
} from './support/event-crowd.ts'
import { Host } from './support/host.ts'

const hostWith = async (agents: number) => {
  const host = await Host.start(
    { AGENTBBS_PAIR_CAP: '0', LOG_LEVEL: 'error' },
    { constants: { limits: { loginTime: 300 } } },
  )
  onTestFinished(() => host.stop())
  const credentials: { readonly key: string; readonly token: string }[] = []
  for (let n = 0; n < agents; n++) credentials.push(await host.account(`agent-${n}`))
  const entrants = inStore(host, ({ users }) =>
    credentials.map((_, n) => ({
      ...{ account: users.find(`agent-${n}`)!.id, name: `agent-${n}` },
      rating: 1500,
    })),
  )
  return { host, credentials, entrants }
}

const liveMatches = (host: Host, event: string): number =>
  inStore(host, ({ events }) => events.boardMatches(event)).filter(
    ({ status }) => status === 'live',
  ).length

const kills = effort({ usual: 10, ci: 50 })

it(`${kills} kills in round robins of 8 lose no result, and count none twice`, async () => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const dice = Dice.fromSeed(seed)
  const { host, credentials, entrants } = await hostWith(8)
  let killed = 0
  let cut = 0
  for (let n = 1; killed < kills; n++) {
    const { id } = await newEvent(host, {
      ...{ id: `cup-${n}`, format: { kind: 'round-robin', cycles: 2 }, showUp: 600_000 },
    })
    write(host, id, ...entrants.map(entrant => ({ kind: 'entered', ...entrant }) as const), {
      kind: 'started',
      entrants,
    })
    const playing = Promise.all(credentials.map(each => byWebSocket(host, each, id)))
    let isOver = false
    void playing.then(() => {
      isOver = true
    })
    while (!isOver && killed < kills) {
      // A whole event takes half a second on a quiet machine. On a busy one agents are slow to come back, so every other kill waits
      // for a match to cut short.
      if (killed % 2 === 0) await pause(dice.roll(300))
      else while (!isOver && liveMatches(host, id) === 0) await pause(dice.roll(10))
      const before = logOf(host, id)
      if (before.at(-1)?.kind === 'finished') break
      await host.kill()
      killed++
      cut += liveMatches(host, id)
      await host.serve()
      expect(wrongResults(host, id), `kill ${killed}, SEED=${seed}`).toEqual([])
      // What was written before stays.
      expect(logOf(host, id).slice(0, before.length)).toEqual(before)
    }
    await playing
    const log = logOf(host, id)
    expect(wrongResults(host, id), `SEED=${seed}`).toEqual([])
    expect(checkEvent(log), `SEED=${seed}`).toBe(null)
    const rows = table(fold(log))
    expect(rows.map(({ played }) => played)).toEqual(Array(8).fill(14))
    const results = log.filter(({ kind }) => kind === 'played')
    expect(results, `SEED=${seed}`).toHaveLength(56)
    // Each result that any match of the event has ever had is in its log.
    const done = inStore(host, ({ events }) => events.boardMatches(id)).filter(
      ({ status }) => status === 'done',
    )
    expect(done).toHaveLength(56)
  }
  console.log(`${killed} kills cut ${cut} matches of events short, SEED=${seed}`)
  expect(cut).toBeGreaterThan(0)
})

it('64 agents of four protocols play a Swiss of 7 rounds', async () => {
  const { host, credentials } = await hostWith(64)
  const { id } = await newEvent(host, {
    ...{ id: 'swiss', format: { kind: 'swiss', rounds: 7 }, startsWith: 64 },
    showUp: 120_000,
  })
  const ways = [byWebSocket, bySsh, byHttp, byMcp]
  const began = performance.now()
  await Promise.all(credentials.map((each, n) => ways[n % 4]!(host, each, id)))
  console.log(`a Swiss of 64 took ${Math.round(performance.now() - began)} ms`)
  const log = logOf(host, id)
  expect(log.at(-1)).toMatchObject({ kind: 'finished' })
  expect(checkEvent(log)).toBe(null)
  expect(wrongResults(host, id)).toEqual([])
  const pairs = log.flatMap(entry =>
    entry.kind === 'played' ? [[...entry.accounts].sort((a, b) => a - b).join()] : [],
  )
  expect([pairs.length, new Set(pairs).size]).toEqual([7 * 32, 7 * 32])
})
