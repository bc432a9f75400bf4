import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import type { ArenaListener } from '../arena/arena-event.ts'
import { inThisThread } from '../threads/calls.ts'
import { longestText } from './entry.ts'
import { LogWriter, type LogWriterOptions } from './log-writer.ts'
import { OwnerLog } from './owner-log.ts'
import { entriesOf, type LogQuery } from './read-log.ts'

const day = 86_400_000
let folder: string
let clock: FakeClock
let said: string[]
let emit: ArenaListener

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'agentbbs-owner-log-')), 'owner-log')
  clock = new FakeClock()
  said = []
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const open = (options: Partial<LogWriterOptions> = {}, days = 14) => {
  const after = (ms: number, run: () => void) => void clock.after(ms, run)
  const writer = new LogWriter({ folder, mostOfDay: 2 ** 20, after, ...options })
  return new OwnerLog({
    ...{ clock, days, writer: inThisThread(writer) },
    arena: {
      watch: listener => {
        emit = listener
        return () => {}
      },
    },
    failed: error => said.push(`failed: ${(error as Error).message}`),
    recovered: () => said.push('recovered'),
    closed: async () => {},
  })
}

/** Lets time pass until all that was logged is written. */
const second = async () => {
  for (let i = 0; i < 10; i++) {
    clock.pass(100)
    await new Promise(setImmediate)
  }
}

const read = (query: Partial<LogQuery> = {}) =>
  entriesOf(folder, { account: 7, limit: 1000, ...query })
const texts = (query?: Partial<LogQuery>) => read(query).map(({ kind, text }) => `${kind} ${text}`)

it('the log has what an agent sent and was sent, with time, connection and match', async () => {
  const log = open()
  const transcript = log.transcript(7, 'run-ssh-1', null)
  transcript.opened('SSH, agentgames')
  transcript.received('{"type":"join"}')
  transcript.match = 12
  transcript.sent('{"type":"hello"}')
  transcript.refused('illegal-move')
  transcript.sent('{"type":"error"}')
  transcript.closed('done')
  await second()
  const at = '2026-01-01T00:00:00.000Z'
  const connection = 'run-ssh-1'
  expect(read().map(({ id, ...entry }) => entry)).toEqual([
    { at, connection, kind: 'opened', text: 'SSH, agentgames' },
    { at, connection, kind: 'in', text: '{"type":"join"}' },
    { at, connection, kind: 'out', match: 12, text: '{"type":"hello"}' },
    { at, connection, kind: 'out', match: 12, text: '{"type":"error"}', code: 'illegal-move' },
    { at, connection, kind: 'closed', match: 12, text: 'done' },
  ])
  expect(read({ account: 8 })).toEqual([])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, '2026-01-01', '7.ndjson')).mode & 0o777).toBe(0o600)
})

it('a refusal that no line words is an entry of its own', async () => {
  const log = open()
  const transcript = log.transcript(7, 'c', null)
  transcript.refused('too-fast')
  transcript.refused('too-slow')
  transcript.closed('too-slow')
  await second()
  expect(read().map(({ kind, code }) => [kind, code])).toEqual([
    ['refused', 'too-fast'],
    ['refused', 'too-slow'],
    ['closed', undefined],
  ])
})

it('moves of agents are in it with their time, those of people and house players are not', async () => {
  open()
  const player = (id: number, protocol?: string) => ({ account: { id }, protocol, connection: 'c' })
  const players = [player(7, 'agentgames'), player(8, 'hub'), player(9)]
  const table = { id: 3, deal: { players } }
  const moved = (move: readonly unknown[], ply: number) =>
    emit({ kind: 'moved', table, ply, move, events: [] } as never)
  moved([0, '4', 412], 1)
  moved([1, '4', 5], 2)
  moved([2, '4', 5], 3)
  moved([0, { heap: 1 }, 15_000, 'late'], 4)
  await second()
  expect(readdirSync(join(folder, '2026-01-01'))).toEqual(['7.ndjson'])
  expect(read().map(({ match, ply, text, ms, fault }) => [match, ply, text, ms, fault])).toEqual([
    [3, 1, '4', 412, undefined],
    [3, 4, '{"heap":1}', 15_000, 'late'],
  ])
})

it('moves of a version are in the log of its agent', async () => {
  open()
  const players = [{ account: { id: 70, parent: 7 }, protocol: 'http' }]
  emit({ kind: 'moved', table: { id: 3, deal: { players } }, ply: 1, move: [0, '4', 5] } as never)
  await second()
  expect(read()).toMatchObject([{ match: 3, text: '4' }])
})

it('a line is cut, and says how long it was', async () => {
  const log = open()
  log.transcript(7, 'c', null).received('x'.repeat(10_000))
  await second()
  expect(read()).toMatchObject([{ text: 'x'.repeat(longestText), length: 10_000 }])
})

it('a day is deleted when it is older than the setting', async () => {
  const log = open()
  const transcript = log.transcript(7, 'c', null)
  transcript.received('first')
  await second()
  clock.jump(14 * day)
  clock.pass(3_600_000)
  transcript.received('second')
  await second()
  expect(texts()).toEqual(['in first', 'in second'])
  clock.jump(day)
  clock.pass(3_600_000)
  await second()
  expect(texts()).toEqual(['in second'])
  expect(readdirSync(folder)).toEqual(['2026-01-15'])
})

it('the log of a day has a limit, and one line says that it is reached', async () => {
  const log = open({ mostOfDay: 500 })
  const transcript = log.transcript(7, 'c', null)
  const other = log.transcript(8, 'd', null)
  for (let n = 0; n < 20; n++) {
    transcript.received(`line ${n}`)
    if (n % 5 === 0) await second()
  }
  other.received('of another')
  await second()
  expect(read().at(-1)).toMatchObject({ kind: 'full' })
  expect(read().filter(({ kind }) => kind === 'full')).toHaveLength(1)
  expect(read().length).toBeGreaterThan(3)
  expect(statSync(join(folder, '2026-01-01', '7.ndjson')).size).toBeLessThan(600)
  expect(texts({ account: 8 })).toEqual(['in of another'])
  clock.jump(day)
  transcript.received('tomorrow')
  await second()
  expect(texts().at(-1)).toBe('in tomorrow')
})

it('what cannot be written is counted in the log, and reported once', async () => {
  let free = 0
  const log = open({ free: () => free })
  const transcript = log.transcript(7, 'c', null)
  for (const text of ['a', 'b', 'c']) {
    transcript.received(text)
    await second()
  }
  expect(read()).toEqual([])
  expect(said).toEqual(['failed: less than 512 MiB are free on the disk'])
  free = 2 ** 30
  transcript.received('d')
  await second()
  expect(read()).toMatchObject([{ kind: 'dropped', lines: 3 }, { text: 'd' }])
  expect(said.slice(1)).toEqual(['recovered'])
})

it('memory is bounded where the disk is slow: lines are dropped and counted', async () => {
  const held: (() => void)[] = []
  const log = open({ mostOfDay: 2 ** 30, after: (_, run) => void held.push(run) })
  const transcript = log.transcript(7, 'c', null)
  for (let n = 0; n < 9_000; n++) transcript.received('x'.repeat(longestText))
  await second()
  for (const run of held) run()
  await second()
  transcript.received('after')
  await log.close()
  const [dropped, last] = read({ limit: 2 })
  expect(last).toMatchObject({ text: 'after' })
  expect(dropped!.lines).toBeGreaterThan(500)
  expect(dropped!.lines).toBeLessThan(2_000)
})

it('a line that a crash has cut is removed before the next one', async () => {
  const log = open()
  log.transcript(7, 'c', null).received('whole')
  await second()
  appendFileSync(join(folder, '2026-01-01', '7.ndjson'), '{"at":"2026-01-01T00:00:00.000Z","kin')
  expect(texts()).toEqual(['in whole'])
  expect(texts({ since: 0 })).toEqual(['in whole'])
  open().transcript(7, 'c', null).received('next')
  await second()
  expect(texts()).toEqual(['in whole', 'in next'])
})

it('close writes everything at once', async () => {
  const log = open()
  log.transcript(7, 'c', null).received('last')
  await log.close()
  expect(texts()).toEqual(['in last'])
})

it('reads one match, from a time on, after an entry, and the newest', async () => {
  const log = open()
  const transcript = log.transcript(7, 'c', null)
  const filler = 'y'.repeat(300)
  for (let n = 0; n < 1200; n++) {
    transcript.match = n % 3
    transcript.received(`${n} "match":1, ${filler}`)
    if (n % 400 === 399) {
      await second()
      clock.jump(day)
    }
  }
  const numbers = (query: Partial<LogQuery>) =>
    read(query).map(({ text }) => Number.parseInt(text!, 10))
  const start = Date.UTC(2026, 0, 1)
  expect(numbers({ limit: 3 })).toEqual([1197, 1198, 1199])
  expect(numbers({ limit: 900 })).toEqual(Array.from({ length: 900 }, (_, n) => n + 300))
  const match = { id: 1, from: start, to: start + 5 * day }
  expect(numbers({ match })).toEqual(Array.from({ length: 400 }, (_, n) => 3 * n + 1))
  expect(numbers({ match: { ...match, to: start + 1000 } })).toHaveLength(133)
  expect(numbers({ since: start + day, limit: 2 })).toEqual([400, 401])
  const [, second_] = read({ since: start, limit: 2 })
  expect(numbers({ after: second_!.id, limit: 3 })).toEqual([2, 3, 4])
  expect(numbers({ after: read().at(-1)!.id })).toEqual([])
})
