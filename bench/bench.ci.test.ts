import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'
import { report } from './report.ts'

const aNumber = expect.any(Number)
const range = { median: aNumber, least: aNumber, most: aNumber }
const played = [
  ...['matchesPerSecond', 'movesPerSecond', 'cpu', 'move.p50', 'move.p99'],
  ...['result.p50', 'result.p99', 'queued.p50', 'queued.p99'],
]
const compared = (transport: string) =>
  played.map(name => ({
    figure: `${transport}.${name}`,
    ...{ host: range, relay: range, ratio: range },
  }))
const bar = (figure: string, most: number, aim: number | null = null) => ({
  ...{ figure, value: aNumber, most, aim },
  met: expect.any(Boolean),
})

const measured = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await agentbbs(['bench', ...args, '--json'], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('bench --json compares host and relay over both transports, and with the bars', async () => {
  const seen = await measured('--pairs', '4', '--seconds', '0.2')
  const about = { pairs: 4, accounts: aNumber, matches: aNumber, rated: aNumber }
  expect(seen).toEqual({
    pinned: expect.any(Boolean),
    seconds: 0.2,
    // On Linux no setting differs from its default.
    settings:
      process.platform === 'linux' ? {} : { AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: '1000000' },
    ...{ ws: about, ssh: about },
    figures: [...compared('ws'), ...compared('ssh')],
    bars: [
      ...[bar('ws.cpu ratio', 1.25, 0.9), bar('ws.move.p99', 2)],
      ...[bar('ws.result.p50', 2), bar('ws.result.p99', 6), bar('ssh.cpu ratio', 1.2, 1.08)],
    ],
  })
  const figure = (name: string) =>
    seen.figures.find(({ figure }: { figure: string }) => figure === name)
  for (const { value, most, met } of seen.bars) expect(met).toBe(value <= most)
  expect(seen.bars[0].value).toBe(figure('ws.cpu').ratio.median)
  expect(seen.bars[1].value).toBe(figure('ws.move.p99').host.median)
  for (const { host } of seen.figures) {
    expect(host.least).toBeLessThanOrEqual(host.median)
    expect(host.median).toBeLessThanOrEqual(host.most)
  }
  // No cap was reached.
  for (const { matches, rated } of [seen.ws, seen.ssh]) {
    expect(matches).toBeGreaterThan(0)
    expect(rated).toBe(matches)
  }
  // The relay sends the result only after the last move has arrived.
  expect(figure('ws.result.p50').relay.median).toBeGreaterThan(0.03)
}, 60_000)

test('bench --protocol loa compares host and relay in three games', async () => {
  const seen = await measured('--protocol', 'loa', '--pairs', '2', '--seconds', '0.1')
  const about = { pairs: 2, accounts: aNumber, matches: aNumber, rated: aNumber }
  const names = ['movesPerSecond', 'cpu', 'bytes', 'move.p50', 'move.p99']
  const ticks = ['tick.cpu', 'tick.bytes', 'ticksPerCpuSecond']
  expect(seen).toEqual({
    ...{ pinned: expect.any(Boolean), seconds: 0.1, settings: {} },
    ...{ echo: about, 'skill-gomoku': about, 'resource-rush': { ...about, pairs: 1 } },
    figures: [
      ...names.map(name => `echo.${name}`),
      ...names.map(name => `skill-gomoku.${name}`),
      ...[...names, ...ticks].map(name => `resource-rush.${name}`),
    ].map(figure => ({ figure, host: range, relay: range, ratio: range })),
    bars: [
      ...[bar('echo.cpu ratio', 1.4), bar('skill-gomoku.cpu ratio', 1.4)],
      bar('resource-rush.tick.cpu', 1e6 / 300),
    ],
  })
  for (const { matches, rated } of [seen.echo, seen['skill-gomoku'], seen['resource-rush']]) {
    expect(matches).toBeGreaterThan(0)
    expect(rated).toBe(matches)
  }
  // The relay sends what the host sends, apart from the names of the agents.
  for (const { figure, ratio } of seen.figures.filter(({ figure }: { figure: string }) =>
    /^(echo|skill-gomoku)\.bytes$/.test(figure),
  )) {
    expect([figure, ratio.median > 0.9]).toEqual([figure, true])
    expect([figure, ratio.median < 1.1]).toEqual([figure, true])
  }
}, 120_000)

test('bench --protocol agon has a room with spectators and without', async () => {
  const seen = await measured('--protocol', 'agon', '--pairs', '2', '--seconds', '1')
  const names = ['movesPerSecond', 'cpu', 'move.p50', 'move.p99']
  expect(seen).toMatchObject({
    ...{ pairs: 2, spectators: 300, seconds: 1 },
    go: { matches: aNumber, watched: { bytes: aNumber, connected: 300 } },
    figures: ['without', 'watched'].flatMap(kind =>
      names.map(name => ({ figure: `go.${kind}.${name}`, host: range, relay: null })),
    ),
    bars: [bar('go.watched: rise of move.p99', 5)],
  })
  expect(seen.go.matches).toBeGreaterThan(0)
}, 120_000)

test('bench --protocol clawpoly has agents that think and agents that do not', async () => {
  const seen = await measured('--protocol', 'clawpoly', '--pairs', '2', '--seconds', '1')
  const names = ['actionsPerSecond', 'gamesPerSecond', 'cpu', 'bytes', 'action.p50', 'action.p99']
  expect(seen).toMatchObject({
    ...{ tables: 2, seats: 4, think: { thinking: 20, hurried: 0 }, seconds: 1, games: aNumber },
    figures: ['thinking', 'hurried'].flatMap(kind =>
      names.map(name => ({ figure: `${kind}.${name}`, host: range, relay: null })),
    ),
    bars: [bar('thinking.action.p99', 5)],
  })
  expect(seen.games).toBeGreaterThan(0)
}, 120_000)

test('bench --games measures a game by its name', async () => {
  const [costs, ...others] = await measured('--games', 'ttt')
  expect(others).toEqual([])
  const { game, seats, ...figures } = costs
  expect([game, seats]).toEqual(['ttt', 2])
  expect(Object.keys(figures)).toEqual(['playouts', 'playout', 'step', 'slowest', 'observation'])
  for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0)
}, 60_000)

test('a report has every figure with its spread, and the bars', () => {
  const range = { median: 1.5, least: 0.25, most: 200.4 }
  expect(
    report({
      pinned: true,
      ws: { matches: 12, rated: 11 },
      figures: [{ figure: 'ws.cpu', host: range, relay: null, ratio: range }],
      bars: [
        { figure: 'ws.cpu ratio', value: 1.5, most: 1.25, aim: 0.9, met: false },
        { figure: 'ws.move.p99', value: 1.5, most: 2, aim: null, met: true },
      ],
    } as Parameters<typeof report>[0]),
  ).toBe(
    `
pinned      true
ws.matches    12
ws.rated      11

FIGURE  HOST  LEAST  MOST  RATIO  LEAST  MOST
ws.cpu  1.50  0.250   200   1.50  0.250   200

BAR           REACHED  MOST    AIM
ws.cpu ratio     1.50  1.25  0.900  not met
ws.move.p99      1.50     2      -      met`.trim(),
  )
})

test('bench --bots plays each level against the one below it', async () => {
  const duels = await measured('--bots', 'ttt', '--matches', '2')
  expect(duels).toMatchObject([
    { game: 'ttt', player: 'level-1', against: 'random' },
    { game: 'ttt', player: 'level-2', against: 'level-1' },
    { game: 'ttt', player: 'level-3', against: 'level-2' },
  ])
  for (const { won, drawn, lost } of duels) expect(won + drawn + lost).toBe(2)
})

test('bench --spectators measures moves without spectators, with such as read and such as do not', async () => {
  const { spectators, figures, bars, ...about } = await measured(
    ...['--spectators', '4', '--seconds', '0.3'],
  )
  expect(spectators).toBe(4)
  const games = ['echo', 'resource-rush']
  for (const game of games) {
    expect(about[game].reading.connected).toBe(4)
    expect(about[game].stalled.connected).toBe(4)
    expect(about[game].reading.bytes).toBeGreaterThan(about[game].stalled.bytes)
  }
  const names = figures.map(({ figure }: { figure: string }) => figure)
  for (const name of ['echo.without.move.p99', 'resource-rush.stalled.cpu'])
    expect(names).toContain(name)
  expect(bars).toEqual(
    games.flatMap(game =>
      ['reading', 'stalled'].map(kind => bar(`${game}.${kind}: rise of move.p99`, 5)),
    ),
  )
}, 60_000)

test('bench --pages keeps its past matches, which verify finds to be as they should be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-past-'))
  try {
    const pages = () => measured('--pages', folder, '--matches', '300', '--seconds', '0.2')
    const { past, figures, bars } = await pages()
    expect(past).toEqual({ matches: 300, accounts: 10 })
    const names = figures.map(({ figure }: { figure: string }) => figure)
    for (const name of ['without.move.p99', 'with.move.p99', 'page.front.first', 'page.match.p99'])
      expect(names).toContain(name)
    expect(bars).toEqual([bar('rise of move.p99', 1)])
    const again = await pages()
    expect(again.past).toEqual(past)
    const { stdout } = await agentbbs(['verify'], { AGENTBBS_DATA: join(folder, 'data') })
    expect(stdout).toMatch(
      /^[\d\s]+ matches, [\d\s]+ seals, 0 events and all ratings and points are as they should be\.\n$/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
