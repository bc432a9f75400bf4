// The real process on a failing machine. For each fault it prints one line that says what to do.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databasePath } from '../src/store/data-paths.ts'
import { agentbbs } from './support/cli.ts'
import { effort } from './support/effort.ts'
import { Host, program, type Running } from './support/host.ts'
import { agentOf, livePair } from './support/live-pair.ts'
import { sampleData } from './support/sample-data.ts'
import type { WebSocketAgent } from './support/websocket-agent.ts'

/** A data folder with matches, and no server. */
const idle = async (run: Running = {}) => {
  const host = Host.at({}, run)
  onTestFinished(() => host.stop())
  await sampleData(host.data)
  return host
}

const serving = async (env: NodeJS.ProcessEnv = {}, run: Running = {}) => {
  const host = await Host.start(env, run)
  onTestFinished(() => host.stop())
  return host
}

/** Runs without root's right to ignore file modes. */
const bound =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner']
    : []

/** Runs with a small disk of its own in place of the data folder. */
const smallDisk = (size: string) => [
  ...['unshare', '--mount', 'sh', '-ec'],
  `cp -a "$AGENTBBS_DATA" "$HOME/kept"; mount -t tmpfs -o mode=700,size=${size} tmpfs "$AGENTBBS_DATA"
  cp -a "$HOME/kept/." "$AGENTBBS_DATA"; exec "$@"`,
  'sh',
]
const mayMount =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

const finish = async ([mover, other]: readonly [WebSocketAgent, WebSocketAgent]) => {
  mover.say({ type: 'resign' })
  return Promise.all([mover.next('result'), other.next('result')])
}

const logged = (host: Host, words: string) => host.said.split(words).length - 1

describe('a server does not start', () => {
  const written = (bytes: string | Buffer) => (host: Host) =>
    writeFileSync(databasePath(host.data), bytes)
  it.each([
    [
      'a text in place of the database',
      written('dear diary\n'.repeat(500)),
      /is not a database: re/,
    ],
    [
      'noise in place of the database',
      written(Buffer.alloc(40_960, 0xa5)),
      /is not a database: re/,
    ],
    [
      'a database that was cut short',
      ({ data }: Host) => truncateSync(databasePath(data), 24_576),
      /it is damaged/,
    ],
    ['a database that was emptied', written(''), /is empty: restore a backup, or remove it/],
    [
      'a folder in place of the database',
      ({ data }: Host) => {
        rmSync(databasePath(data))
        mkdirSync(databasePath(data))
      },
      /agentbbs\.db: it cannot be opened: /,
    ],
    [
      'a page full of noise',
      ({ data }: Host) => {
        const file = openSync(databasePath(data), 'r+')
        writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, 3 * 4096)
        closeSync(file)
      },
      /it is damaged/,
    ],
    [
      'a database of a newer version',
      ({ data }: Host) =>
        new BetterSqlite3(databasePath(data))
          .exec(`insert into kysely_migration values ('9999-later', '')`)
          .close(),
      /written by a newer agentbbs \(it has 9999-later\): use that version/,
    ],
  ])('with %s, and leaves it as it is', async (_, spoil, why) => {
    const host = await idle()
    spoil(host)
    const before = contentOf(databasePath(host.data))
    const lines = await host.refuse()
    expect(lines).toEqual([expect.stringMatching(why)])
    expect(lines[0]).toMatch(/^agentbbs: /)
    expect(contentOf(databasePath(host.data))).toEqual(before)
  })

  it.each([
    [
      'a host key that others may read',
      ({ data }: Host) => {
        writeFileSync(join(data, 'host_key'), '')
        chmodSync(join(data, 'host_key'), 0o644)
      },
      /others may read the host key; run: chmod 600 /,
    ],
    [
      'an empty host key',
      ({ data }: Host) => writeFileSync(join(data, 'host_key'), '', { mode: 0o600 }),
      /host_key: not an ed25519 host key; restore it, or remove it/,
    ],
    [
      'a host key with a passphrase',
      ({ data }: Host) =>
        execFileSync('ssh-keygen', [
          ...['-q', '-t', 'ed25519', '-N', 'secret', '-f', join(data, 'host_key')],
        ]),
      /has a passphrase; take it off with: ssh-keygen -p/,
    ],
  ])('with %s, and leaves it as it is', async (_, spoil, why) => {
    const host = await idle()
    spoil(host)
    const before = contentOf(join(host.data, 'host_key'))
    expect(await host.refuse()).toEqual([expect.stringMatching(why)])
    expect(contentOf(join(host.data, 'host_key'))).toEqual(before)
  })

  it('if its last results are missing', async () => {
    const host = await serving()
    await finish(await livePair(host))
    await host.kill()
    const [log, index] = [`${databasePath(host.data)}-wal`, `${databasePath(host.data)}-shm`]
    expect(statSync(log).size).toBeGreaterThan(0)
    rmSync(log)
    expect(await host.refuse()).toEqual([
      `agentbbs: ${log} is missing, and with it the last results: put it back, or remove ${index} to go on without them`,
    ])
    rmSync(index)
    await host.serve()
  })

  it('while another one serves', async () => {
    const host = await serving()
    const other = Host.at({ AGENTBBS_DATA: host.data })
    onTestFinished(() => other.stop())
    expect(await other.refuse()).toEqual([
      `agentbbs: ${host.data} is in use by another agentbbs server`,
    ])
    expect((await fetch(`http://127.0.0.1:${host.http}/healthz`)).status).toBe(200)
  })

  it('in a folder that cannot be written to', async () => {
    const host = await idle({ within: bound })
    const close = (folder: number, file: number) => {
      chmodSync(databasePath(host.data), file)
      chmodSync(host.data, folder)
    }
    close(0o500, 0o400)
    expect(await host.refuse()).toEqual([
      expect.stringMatching(/may not be written to: the folder/),
    ])
    close(0o000, 0o600)
    expect(await host.refuse()).toEqual([expect.stringMatching(/cannot be used: EACCES/)])
    const inside = join(host.data, 'new')
    expect(await host.refuse({ AGENTBBS_DATA: inside })).toEqual([
      expect.stringMatching(/^agentbbs: the data folder .* cannot be used: EACCES/),
    ])
    close(0o700, 0o600)
  })

  it('if files cannot grow, and the database stays whole', async () => {
    const host = await idle({ within: ['prlimit', '--fsize=4096'] })
    expect(await host.refuse()).toEqual([
      expect.stringMatching(/the disk is full, or a quota is used up/),
    ])
    expect(await agentbbs(['verify'], host.env as Record<string, string>)).toMatchObject({
      code: 0,
    })
  })

  it.skipIf(!mayMount)('on a full disk', async () => {
    const host = await idle({ within: smallDisk('304k') })
    expect(await host.refuse()).toEqual([
      expect.stringMatching(/the disk is full(, or a quota is used up)?: make room on it/),
    ])
  })
})

it('a missing host key is made', async () => {
  const host = await idle()
  await host.serve()
  expect(statSync(join(host.data, 'host_key')).mode & 0o777).toBe(0o600)
})

describe('a disk that fills up while matches are played', () => {
  /** By a limit that can be lifted, of how far any file may grow: SQLite is refused as by a full disk. */
  const limit = (host: Host, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(host.pid), `--fsize=${bytes}:`])
  const logSize = (host: Host) => statSync(`${databasePath(host.data)}-wal`).size

  it('delays results, and loses none if space is freed in time', async () => {
    const host = await serving()
    const pair = await livePair(host)
    limit(host, logSize(host))
    const results = finish(pair)
    await expect.poll(() => host.said).toContain('the database takes nothing')
    const cat = await agentOf(host, 'cat', '?game=ttt&practice=true').catch(() => undefined)
    expect(cat).toBeDefined()
    limit(host, 'unlimited')
    expect((await results).map(({ rating }) => rating)).toEqual([1484, 1504])
    await expect.poll(() => host.said).toContain('takes results again')
    await host.cli('verify')
  })

  it('aborts matches, keeps the server running, and logs that twice', async () => {
    const host = await serving()
    const pairs = [
      await livePair(host, '?game=ttt', ['ann', 'bob']),
      await livePair(host, '?game=c4', ['cat', 'dan']),
    ]
    limit(host, logSize(host))
    for (const [mover] of pairs) mover.say({ type: 'resign' })
    for (const agent of pairs.flat())
      expect(await agent.next('error')).toMatchObject({
        code: 'match-aborted',
        error: 'the result could not be kept',
      })
    expect((await fetch(`http://127.0.0.1:${host.http}/healthz`)).status).toBe(200)
    limit(host, 'unlimited')
    const results = await finish(await livePair(host, '?game=ttt', ['eve', 'fay']))
    expect(results.map(({ rating }) => rating)).toEqual([1484, 1504])
    const endings = JSON.parse(await host.cli('matches', '--json'))
    expect(endings.map(({ ending }: { ending: string }) => ending)).toEqual([
      'resigned',
      'aborted',
      'aborted',
    ])
    expect(logged(host, '"level":50')).toBe(1)
    await expect.poll(() => logged(host, 'takes results again')).toBe(1)
    expect(await host.terminate()).toBe(0)
    await host.cli('verify')
  }, 60_000)

  it.skipIf(!mayMount)('is the same with a real disk', async () => {
    const host = await idle({ within: smallDisk('1m') })
    const tokens = await Promise.all(
      ['eve', 'fay'].map(async name => (await host.account(name)).token),
    )
    await host.serve()
    const agents = tokens.map(token => host.agent(token, '?game=ttt'))
    const states = await Promise.all(agents.map(agent => agent.next('state')))
    const filler = join(`/proc/${host.pid}/root`, host.data, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(2 ** 20))).toThrow(/ENOSPC/)
    const mover = states.findIndex(({ yourTurn }) => yourTurn)
    agents[mover]!.say({ type: 'resign' })
    await expect.poll(() => host.said).toContain('the disk is full: make room')
    rmSync(filler)
    for (const agent of agents) expect(await agent.next('result')).toMatchObject({ rated: true })
    await expect.poll(() => host.said).toContain('takes results again')
  })
})

it('a database that another process has locked delays results, and everything else continues', async () => {
  const host = await serving()
  const pair = await livePair(host)
  const others = await livePair(host, '?game=c4', ['cat', 'dan'])
  const other = new BetterSqlite3(databasePath(host.data))
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  let told = false
  const results = finish(pair).finally(() => {
    told = true
  })
  const hold = effort({ usual: 2_000, ci: 10_000 })
  const until = performance.now() + hold
  let slowest = 0
  for (let turn = 0; performance.now() < until; turn++) {
    const asked = performance.now()
    others[turn % 2]!.move(String(turn % 7))
    for (const agent of others) await agent.next('state')
    slowest = Math.max(slowest, performance.now() - asked)
    await pause(hold / 15)
  }
  expect(told).toBe(false)
  // A server that waited for the lock like a command would stall for ten seconds.
  expect(slowest).toBeLessThan(5_000)
  expect(logged(host, 'another program has locked it')).toBe(1)
  other.exec('rollback')
  expect((await results).map(({ rating }) => rating)).toEqual([1484, 1504])
  await expect.poll(() => host.said).toContain('takes results again')
})

it('a server without free file descriptors logs that once, and accepts agents again later', async () => {
  const host = await serving()
  const pair = await livePair(host)
  const { token } = await host.account('cat')
  const open = readdirSync(`/proc/${host.pid}/fd`).length
  execFileSync('prlimit', ['--pid', String(host.pid), `--nofile=${open + 10}:`])
  const sockets: Socket[] = []
  for (let i = 0; i < 100; i++) sockets.push(connect(host.http, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => sockets.forEach(socket => void socket.destroy()))
  await expect.poll(() => host.said).toContain('all file descriptors are in use')
  const results = await finish(pair)
  expect(results.map(({ rating }) => rating)).toEqual([1484, 1504])
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => host.said).toContain('can be taken again')
  await host.agent(token, '?game=ttt').next('queued')
  const errors = host.said.split('\n').filter(line => line.includes('"level":50'))
  // Those may need a new file meanwhile.
  expect(errors.filter(line => !line.includes("the owner's logs cannot be written"))).toHaveLength(
    1,
  )
})

it.each([
  ['forth', 3_600_000],
  ['back', -3_600_000],
])('a wall clock that jumps an hour %s ends no match', async (_, ms) => {
  const jumping = `let by = 0; const now = Date.now; Date.now = () => now() + by; process.on('SIGUSR2', () => { by = ${ms} })`
  const host = await serving({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(jumping)}`,
    AGENTBBS_GAME_MOVE_TIMEOUT: '3',
  })
  const [mover, other] = await livePair(host)
  host.process.kill('SIGUSR2')
  // Keep-alives and wait timeouts of older connections follow the monotonic clock.
  await pause(500)
  mover.move('4')
  const { timeLeft } = await other.next('state')
  // Sent as soon as the clock was set, also on a busy machine: the stall watch counts at most 30 ms.
  expect(timeLeft).toBeGreaterThan(2_900)
  expect(timeLeft).toBeLessThanOrEqual(3_000)
  expect(await other.next('result')).toMatchObject({ detail: 'no move within 3 s' })
  const [match] = JSON.parse(await host.cli('matches', '--json'))
  const took = Date.parse(match.endedAt) - Date.parse(match.startedAt)
  expect(took).toBeGreaterThanOrEqual(0)
})

it('a command on a full disk prints one line', async () => {
  const host = await idle()
  const { status, stderr } = spawnSync(
    'prlimit',
    ['--fsize=8192', process.execPath, program, 'add-user', 'new'],
    { env: host.env, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^agentbbs: .*agentbbs\.db: the disk is full, or a quota is used up: .*\n$/,
  )
})

const contentOf = (path: string) =>
  existsSync(path) && statSync(path).isFile() ? readFileSync(path) : null

describe('a thread that ends by an error', () => {
  const failing = new URL('support/failing-thread.mjs', import.meta.url).href
  const fail = (host: Host, thread: 'writer' | 'reader') =>
    writeFileSync(join(host.folder, thread), '')

  it('ends the host if it is the one that writes, and the next start aborts the live match', async () => {
    const host = await serving({ NODE_OPTIONS: `--import=${failing}` })
    await livePair(host)
    // A match is on disk a moment after its players are seated.
    const matches = async () => JSON.parse(await host.cli('matches', '--json', '--limit', '1'))
    await expect.poll(matches).toHaveLength(1)
    const ended = once(host.process, 'exit')
    fail(host, 'writer')
    expect(await ended).toEqual([1, null])
    expect(logged(host, '"msg":"host failed"')).toBe(1)
    expect(host.said).toContain('the writer was made to fail')
    rmSync(join(host.folder, 'writer'))
    await host.serve()
    expect(await matches()).toMatchObject([{ id: 1, ending: 'aborted' }])
  })

  it('is started again if it is the one that reads, and no move has waited for it', async () => {
    const host = await serving({ NODE_OPTIONS: `--import=${failing}` })
    const pair = await livePair(host)
    const page = () => fetch(`http://127.0.0.1:${host.http}/ladder/ttt`)
    expect((await page()).status).toBe(200)
    fail(host, 'reader')
    await expect.poll(() => logged(host, '"msg":"reader thread failed"')).toBe(1)
    rmSync(join(host.folder, 'reader'))
    expect((await page()).status).toBe(200)
    await finish(pair)
  })
})
