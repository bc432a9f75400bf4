// Python alone verifies an export: an unchanged export passes, and each change is found.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guests } from '../src/arena/guests.ts'
import { agentsLadder, eventLadder } from '../src/arena/ladder.ts'
import type { RestartRule } from '../src/arena/season.ts'
import type { Json } from '../src/games/game.ts'
import { theHost } from '../src/store/audit.ts'
import { sendWithin } from '../src/store/match-book.ts'
import { FakeClock } from '../test/support/fake-clock.ts'
import { openStore } from '../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../test/support/played.ts'
import { sampleData } from '../test/support/sample-data.ts'
import { startWebHost, type WebHost } from '../test/support/web-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
const script = fileURLToPath(new URL('verify_export.py', import.meta.url))
/** Each line of the export, parsed. */
let lines: Line[]

type Line = { type: string; id: number; [key: string]: unknown }

// Of the sample's eight matches one is voided and one live. A match follows whose moves have what JSON is written in
// several ways for, and a void that changes the ratings of later matches.
beforeAll(async () => {
  await sampleData(folder)
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  const [eve, fay] = [newAccount(store.users, 'eve'), newAccount(store.users, 'fay')]
  const odd = {
    zero: 0,
    small: 1e-7,
    large: 1e21,
    '10': 'a',
    '9': 1.5,
    text: 'a"\\\u0085\u200b\ud800😀\u2028\u007f\n',
  }
  const id = store.matchStore.begin({ ...tttMatch(eve, fay), game: 'echo' })
  void store.matchStore.finish(id, { ...outcomes.draw, scores: [0.1, 1e-7] }, [[0, odd as Json, 3]])
  // More than one answer of the API holds.
  for (let n = 0; n < 101; n++)
    void store.matchStore.finish(
      store.matchStore.begin(tttMatch(fay, eve)),
      outcomes.draw,
      ttt.draw,
    )
  const cup = eventLadder('ttt', 'cup', { by: 'points', win: 3, draw: 1, loss: 0 })
  for (const [outcome, moves] of [
    [outcomes.firstWins, ttt.firstWins],
    [outcomes.draw, ttt.draw],
  ] as const)
    void store.matchStore.finish(
      store.matchStore.begin({ ...tttMatch(fay, eve), ladder: cup }),
      outcome,
      moves,
    )
  clock.pass(sendWithin)
  store.voids.void([2], 'one person — ran both')
  store.voids.void([3], null)
  store.voids.unvoid([3])
  // The table of the second season stays as it is when a match of it is voided later.
  const next = (title: string, rule: RestartRule) =>
    store.closing.close(agentsLadder('ttt'), { title, rule }, theHost)
  next('Autumn', 'half')
  void store.matchStore.finish(
    store.matchStore.begin(tttMatch(fay, eve)),
    outcomes.firstWins,
    ttt.firstWins,
  )
  clock.pass(sendWithin)
  next('Winter', 'kept')
  void store.matchStore.finish(
    store.matchStore.begin(tttMatch(fay, eve)),
    outcomes.firstWins,
    ttt.firstWins,
  )
  clock.pass(sendWithin)
  store.voids.void([113], null)
  // A guest in the first place, and one between the two that are rated.
  void store.matchStore.finish(
    store.matchStore.begin({
      ...tttMatch(guests[0]!, fay, guests[2]!, eve),
      game: 'clawpoly',
      setup: {
        table: {
          ...{ id: 't', code: 'REEF42', name: 'Reef', speed: 'fast' },
          guests: ['Nemo', null, 'Dory', null],
        },
      },
    }),
    { ...outcomes.draw, places: [1, 2, 3, 4], faults: [null, null, null, null] },
    [],
  )
  clock.pass(sendWithin)
  lines = [...store.chains.ladders()]
    .flatMap(ladder => [...store.chains.lines(ladder)])
    .map(line => JSON.parse(line))
  await store.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

/** What the script prints of these lines, and its exit status. */
const check = (checked: readonly object[], ...args: string[]) => {
  const file = join(folder, 'export.ndjson')
  writeFileSync(file, checked.map(line => `${JSON.stringify(line)}\n`).join(''))
  const { status, stdout, stderr } = spawnSync('python3', [script, file, ...args], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return { status, stdout }
}

/** The export with one line changed, left out or moved. */
const changed = (type: string, id: number, change: (line: Line) => Line | null) =>
  lines.flatMap(line => (line.type === type && line.id === id ? (change(line) ?? []) : line))

it('accepts an unchanged export, and prints the last seal of each ladder', () => {
  const { status, stdout } = check(lines)
  expect(stdout).toMatch(
    /^115 matches and all their ratings are as they were sealed\.\nclawpoly 1 [0-9a-f]{64}\ndance-battle 1 [0-9a-f]{64}\necho 1 [0-9a-f]{64}\nttt 117 [0-9a-f]{64}\nttt\+event:cup 2 [0-9a-f]{64}\n$/,
  )
  expect(status).toBe(0)
})

it('finds a match of an event that does not go on from the one before it', () => {
  const { stdout } = check(
    changed('match', 112, line => {
      const [first, second] = line.players as object[]
      return { ...line, players: [{ ...first, ratingBefore: 6, ratingAfter: 7 }, second] }
    }),
  )
  expect(stdout).toMatch(/^match 112: seat 0 went from 6.0 to 7.0, recalculated 3.0 to 7.0$/m)
})

it.each([
  ['title', 'Spring'],
  ['rule', 'kept'],
  ['order', 5],
  ['matches', 5],
  ['number', 2],
])('finds a season with another %s', (field, value) => {
  const { stdout } = check(
    lines.map(line =>
      line.type === 'season' && line.number === 1 ? { ...line, [field]: value } : line,
    ),
  )
  expect(stdout).toMatch(/^season \d: it is not as it was sealed$/m)
})

it('finds a season whose table does not follow from its matches, and one that is left out', () => {
  const { stdout } = check(
    lines.map(line => {
      if (line.type !== 'season' || line.number !== 1) return line
      const [first, ...rest] = line.table as object[]
      return { ...line, table: [{ ...first, rating: 1700 }, ...rest] }
    }),
  )
  expect(stdout).toMatch(/^season 1 of ttt: \S+ has 1700 after \d+, recalculated/m)
  const without = check(lines.filter(line => line.type !== 'season' || line.number !== 1))
  expect(without.stdout).toMatch(/^match 113: its seal has the number \d+, and the one before it/m)
})

it('accepts any protocol of a seat, and an export without protocols', () => {
  const before = lines.map(line => ({
    ...line,
    ...(line.type === 'match' && {
      players: (line.players as object[]).map(player => ({ ...player, protocol: undefined })),
    }),
  }))
  expect(check(before)).toEqual(check(lines))
  const { status } = check(
    changed('match', 1, line => ({
      ...line,
      players: (line.players as object[]).map(player => ({ ...player, protocol: 'x' })),
    })),
  )
  expect(status).toBe(0)
})

describe('finds a change to', () => {
  const fields =
    'id game ladder seed setup unrated voided startedAt endedAt ending detail order moveCount'
  it.each(fields.split(' '))('%s', field => {
    const other = { unrated: 'a casual match', voided: { at: '2026-01-01T00:00:00.000Z' } }
    const { status, stdout } = check(
      changed('match', 1, line => ({ ...line, [field]: other[field as keyof typeof other] ?? 77 })),
    )
    expect(stdout).toMatch(field === 'id' ? /^match 77: /m : /^match 1: /m)
    expect(status).toBe(1)
  })

  it.each('seat account name kind place fault quick score ratingBefore ratingAfter'.split(' '))(
    'a %s',
    field => {
      const { status, stdout } = check(
        changed('match', 4, line => {
          const [first, second] = line.players as object[]
          return { ...line, players: [first, { ...second, [field]: 33 }] }
        }),
      )
      expect([status, stdout]).toEqual([1, expect.stringMatching(/^match 4: /m)])
    },
  )

  it.each('number previous hash ratings'.split(' '))('the %s of a seal', field => {
    const value =
      field === 'ratings'
        ? [
            [1, 2],
            [3, 4],
          ]
        : field === 'number'
          ? 9
          : 'f'.repeat(64)
    const { status, stdout } = check(
      changed('match', 1, line => ({
        ...line,
        seal: { ...(line.seal as object), [field]: value },
      })),
    )
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^match 1: /m)])
  })

  it.each(['seat', 'move', 'ms'])('the %s of a move', field => {
    const at = lines.findIndex(({ type, id }) => type === 'match' && id === 1) + 2
    const { status, stdout } = check(
      lines.map((line, i) => (i === at ? { ...line, [field]: 8 } : line)),
    )
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^match 1: it is not as it was sealed$/m),
    ])
  })

  it('a changed void and a missing one', () => {
    for (const change of [
      (line: Line) => ({ ...line, reason: 'another' }),
      (line: Line) => ({ ...line, at: '2026-01-01T00:00:00.000Z' }),
      () => null,
    ]) {
      const { status, stdout } = check(changed('void', 2, change))
      expect([status, stdout]).toEqual([1, expect.stringMatching(/^(match|void) [23]: /m)])
    }
  })

  it('a shortened chain, if its last seal was noted', () => {
    const noted = join(folder, 'noted')
    writeFileSync(noted, check(lines).stdout)
    expect(check(lines, '--noted', noted).status).toBe(0)
    const { status, stdout } = check(
      lines.filter(({ id, type }) => type !== 'void' || id !== 113),
      '--noted',
      noted,
    )
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^ttt 117 .*: noted before, and not in this export$/m),
    ])
  })
})

describe('from a host', () => {
  let host: WebHost
  beforeAll(async () => {
    host = await startWebHost(folder)
  })
  afterAll(() => host.close())

  it('reads a ladder in several answers', async () => {
    const child = spawn('python3', [script, host.url, 'ttt'])
    let out = ''
    child.stdout.on('data', chunk => {
      out += chunk
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect([code, out]).toEqual([0, expect.stringMatching(/^110 matches and .*\nttt 117 /)])
  })
})
