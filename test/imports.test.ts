import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * What each folder, and each file in the root of src, may import from the others, types included. A row comes after all
 * that it names, so arrows point one way: docs/design.md explains them.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'client/src': [],
  'src/clock.ts': [],
  'src/games': [],
  'src/constants.ts': [],
  'src/http-input.ts': [],
  'src/meter.ts': [],
  'src/nearest.ts': [],
  'src/command-words.ts': [],
  'src/threads': [],
  'src/process': ['src/clock.ts'],
  'src/drawing': ['src/games/look.ts', 'src/games/words.ts'],
  'src/limits': ['src/clock.ts'],
  'src/arena': [
    'src/clock.ts',
    'src/games/dice.ts',
    'src/games/game.ts',
    'src/games/schema.ts',
    'src/games/words.ts',
    'src/meter.ts',
    'src/limits/bounded-map.ts',
  ],
  'src/matchmaking': [
    'src/clock.ts',
    'src/games/game.ts',
    'src/games/words.ts',
    'src/meter.ts',
    'src/limits/bounded-map.ts',
    'src/limits/counter.ts',
    'src/arena',
    'src/games/bazaar.ts',
    'src/games/chess.ts',
    'src/games/debate-topics.ts',
    'src/games/debate.ts',
    'src/games/dice.ts',
    'src/games/go.ts',
    'src/games/openings.ts',
  ],
  'src/events': [
    'src/games/game.ts',
    'src/games/index.ts',
    'src/games/openings.ts',
    'src/games/scores.ts',
    'src/games/sha256.ts',
    'src/games/words.ts',
    'src/nearest.ts',
    'src/clock.ts',
    'src/limits/counter.ts',
    'src/arena',
    'src/matchmaking',
  ],
  'src/config.ts': ['src/constants.ts', 'src/nearest.ts', 'src/events/recurring.ts'],
  'src/outgoing': [
    'src/clock.ts',
    'src/meter.ts',
    'src/config.ts',
    'src/limits/bounded-map.ts',
    'src/limits/concurrency-limit.ts',
  ],
  'src/scheduling': ['src/clock.ts', 'src/limits/concurrency-limit.ts'],
  'src/bots': [
    'src/clock.ts',
    'src/games/clawpoly-board.ts',
    'src/games/clawpoly-deeds.ts',
    'src/games/clawpoly-events.ts',
    'src/games/clawpoly-moves.ts',
    'src/games/clawpoly-state.ts',
    'src/games/dice.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/limits/concurrency-limit.ts',
    'src/threads/lower-priority.ts',
    'src/threads/start-thread.ts',
    'src/arena',
    'src/matchmaking/practice.ts',
  ],
  'src/record': [
    'src/games',
    'src/arena',
    'src/matchmaking/party-tables.ts',
    'src/matchmaking/rooms.ts',
    'src/events',
  ],
  'src/owner-log': ['src/clock.ts', 'src/arena', 'src/record', 'src/threads'],
  'src/text': [
    'src/games/game.ts',
    'src/arena/account.ts',
    'src/arena/observation-schema.ts',
    'src/events',
    'src/record/event-text.ts',
    'src/record/match-record.ts',
    'src/record/time-text.ts',
  ],
  'src/protocols': [
    'src/clock.ts',
    'src/command-words.ts',
    'src/http-input.ts',
    'src/games/clawpoly.ts',
    'src/games/clawpoly-board.ts',
    'src/games/clawpoly-deeds.ts',
    'src/games/clawpoly-events.ts',
    'src/games/clawpoly-moves.ts',
    'src/games/clawpoly-state.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/games/json.ts',
    'src/games/words.ts',
    'src/nearest.ts',
    'src/limits/bounded-map.ts',
    'src/limits/counter.ts',
    'src/limits/token-bucket.ts',
    'src/arena',
    'src/matchmaking/matchmaking.ts',
    'src/matchmaking/party-tables.ts',
    'src/matchmaking/rooms.ts',
    'src/events',
    'src/outgoing',
    'src/owner-log/owner-log.ts',
    'src/record/match-record.ts',
    'src/record/table-record.ts',
    'src/text/game-rules.ts',
    'src/text/package-file.ts',
    'src/threads',
    'src/outgoing',
    'src/events',
    'src/games/openings.ts',
  ],
  'src/http': ['src/protocols/routes.ts'],
  'src/log': ['src/clock.ts', 'src/arena/arena.ts', 'src/arena/guests.ts', 'src/events'],
  'src/metrics': [
    'src/clock.ts',
    'src/games/index.ts',
    'src/meter.ts',
    'src/outgoing/call-failure.ts',
    'src/arena/arena.ts',
    'src/arena/ending.ts',
    'src/matchmaking/matchmaking.ts',
  ],
  'src/seal.ts': ['src/games/game.ts', 'src/arena/account.ts'],
  migrations: ['src/games/words.ts', 'src/seal.ts'],
  'src/wire': [
    'src/clock.ts',
    'src/games/words.ts',
    'src/meter.ts',
    'src/process/secret-file.ts',
    'src/scheduling/fair-scheduler.ts',
    'src/config.ts',
    'src/http/site.ts',
    'src/limits',
    'src/arena/account.ts',
    'src/arena/codes.ts',
    'src/arena/match-store.ts',
    'src/owner-log/owner-log.ts',
    'src/scheduling/text-stream.ts',
    'src/protocols/codes.ts',
    'src/protocols/connection.ts',
    'src/protocols/credentials.ts',
    'src/protocols/gate.ts',
    'src/protocols/protocol.ts',
    'src/protocols/routes.ts',
  ],
  'src/store': [
    'src/clock.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/games/words.ts',
    'src/meter.ts',
    'src/nearest.ts',
    'src/process/program-name.ts',
    'src/process/stall-watch.ts',
    'src/limits/bounded-map.ts',
    'src/limits/token-bucket.ts',
    'src/arena',
    'src/events',
    'src/protocols/codes.ts',
    'src/protocols/credentials.ts',
    'src/protocols/league/agents.ts',
    'src/protocols/agon/records.ts',
    'src/protocols/clawpoly/agents.ts',
    'src/owner-log/log-paths.ts',
    'src/owner-log/read-log.ts',
    'src/record',
    'src/seal.ts',
    'src/threads',
    'migrations/index.ts',
    'src/threads',
    'src/wire/accounts.ts',
  ],
  'src/strength': [
    'src/clock.ts',
    'src/arena',
    'src/store/database.ts',
    'src/store/packed-fit.ts',
    'src/store/strength-source.ts',
    'src/store/strengths.ts',
    'src/threads',
  ],
  'src/queries': [
    'src/arena/account.ts',
    'src/arena/note.ts',
    'src/clock.ts',
    'src/nearest.ts',
    'src/threads/calls.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/process/program-name.ts',
    'src/config.ts',
    'src/drawing/look-text.ts',
    'src/arena/counting.ts',
    'src/arena/ladder.ts',
    'src/arena/match-store.ts',
    'src/arena/rating.ts',
    'src/arena/room-setup.ts',
    'src/arena/replay.ts',
    'src/scheduling',
    'src/bots/levels.ts',
    'src/record',
    'src/text',
    'src/store',
    'src/events',
  ],
  'src/web': [
    'src/clock.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/games/look.ts',
    'src/drawing/look-text.ts',
    'src/http-input.ts',
    'src/threads/calls.ts',
    'src/http/site.ts',
    'src/limits/bounded-map.ts',
    'src/limits/token-bucket.ts',
    'src/arena',
    'src/matchmaking/party-tables.ts',
    'src/matchmaking/rooms.ts',
    'src/events',
    'src/scheduling/sliced-text.ts',
    'src/scheduling/text-stream.ts',
    'src/owner-log/entry-text.ts',
    'src/owner-log/read-log.ts',
    'src/protocols/codes.ts',
    'src/protocols/credentials.ts',
    'src/protocols/play/operations.ts',
    'src/protocols/protocol.ts',
    'src/protocols/routes.ts',
    'src/record',
    'src/text/game-rules.ts',
    'src/text/package-file.ts',
    'src/store',
    'src/wire/accounts.ts',
    'src/events',
  ],
  'src/reader.ts': [
    'src/clock.ts',
    'src/owner-log/log-paths.ts',
    'src/store',
    'src/queries',
    'src/web/context.ts',
    'src/web/page-service.ts',
  ],
  'src/reader-thread.ts': [
    'src/threads/calls.ts',
    'src/threads/lower-priority.ts',
    'src/reader.ts',
  ],
  'src/hub': [
    'src/clock.ts',
    'src/command-words.ts',
    'src/games',
    'src/scheduling/fair-scheduler.ts',
    'src/config.ts',
    'src/drawing',
    'src/limits/bounded-map.ts',
    'src/limits/concurrency-limit.ts',
    'src/limits/token-bucket.ts',
    'src/arena',
    'src/matchmaking/matchmaking.ts',
    'src/matchmaking/party-tables.ts',
    'src/matchmaking/rooms.ts',
    'src/scheduling/text-stream.ts',
    'src/protocols/codes.ts',
    'src/protocols/connection.ts',
    'src/owner-log/entry-text.ts',
    'src/owner-log/read-log.ts',
    'src/record',
    'src/events',
    'src/text/event-lines.ts',
    'src/text/printable.ts',
    'src/text/table.ts',
    'src/threads/calls.ts',
    'src/wire/accounts.ts',
    'src/wire/hub-session.ts',
    'src/store',
    'src/queries',
  ],
  'src/local': [
    'src/clock.ts',
    'src/games/dice.ts',
    'src/games/game.ts',
    'src/arena',
    'src/bots/house.ts',
    'src/bots/move-worker.ts',
    'src/protocols/agentgames/index.ts',
    'src/protocols/connection.ts',
    'src/record/match-record.ts',
    'src/wire/lines.ts',
  ],
  'src/app.ts': [
    'src/outgoing/http-client.ts',
    'src/clock.ts',
    'src/scheduling/fair-scheduler.ts',
    'src/config.ts',
    'src/process/file-descriptors.ts',
    'src/http/site.ts',
    'src/limits/token-bucket.ts',
    'src/process/signing-keys.ts',
    'src/process/stall-watch.ts',
    'src/arena/account.ts',
    'src/arena/arena.ts',
    'src/arena/codes.ts',
    'src/arena/guests.ts',
    'src/arena/seat-ratings.ts',
    'src/arena/word-list.ts',
    'src/matchmaking/matchmaking.ts',
    'src/matchmaking/party-tables.ts',
    'src/matchmaking/rooms.ts',
    'src/events/director.ts',
    'src/strength',
    'src/scheduling/text-stream.ts',
    'src/bots/house.ts',
    'src/bots/levels.ts',
    'src/bots/move-worker.ts',
    'src/protocols/agentgames/http.ts',
    'src/protocols/codes.ts',
    'src/protocols/index.ts',
    'src/protocols/play/play.ts',
    'src/protocols/protocol.ts',
    'src/log/events.ts',
    'src/log/log.ts',
    'src/log/matches.ts',
    'src/metrics/metrics.ts',
    'src/outgoing/http-client.ts',
    'src/owner-log/start-owner-log.ts',
    'src/reader.ts',
    'src/text/package-file.ts',
    'src/threads',
    'src/wire',
    'src/store',
    'src/web/short-answers.ts',
    'src/web/sign-ins.ts',
    'src/web/web.ts',
    'src/hub',
  ],
  'src/doctor': [
    'src/clock.ts',
    'src/meter.ts',
    'src/process/program-name.ts',
    'src/config.ts',
    'src/outgoing',
    'src/owner-log',
    'src/record/count-text.ts',
    'src/wire/host-key.ts',
    'src/store',
    'src/hub/host-addresses.ts',
  ],
  'src/commands': [
    'src/strength',
    'src/clock.ts',
    'src/command-words.ts',
    'src/games/game.ts',
    'src/games/index.ts',
    'src/games/openings.ts',
    'src/nearest.ts',
    'src/process/program-name.ts',
    'src/process/signing-keys.ts',
    'src/process/stall-watch.ts',
    'src/config.ts',
    'src/arena',
    'src/scheduling/text-stream.ts',
    'src/bots/levels.ts',
    'src/bots/move-worker.ts',
    'src/log/log.ts',
    'src/owner-log',
    'src/protocols/league/message-log.ts',
    'src/record',
    'src/text/package-file.ts',
    'src/text/printable.ts',
    'src/text/table.ts',
    'src/text/words.ts',
    'src/wire/host-key.ts',
    'src/store',
    'src/queries/command.ts',
    'src/queries/known-game.ts',
    'src/queries/ladder.ts',
    'src/queries/season.ts',
    'src/queries/seasons.ts',
    'src/queries/known-user.ts',
    'src/queries/numbers.ts',
    'src/queries/since-time.ts',
    'src/queries/with-store.ts',
    'src/hub/host-addresses.ts',
    'src/local',
    'src/app.ts',
    'src/doctor/doctor.ts',
    'src/doctor/finding.ts',
    'src/events',
    'src/queries/event.ts',
    'src/queries/events.ts',
    'src/queries/known-event.ts',
    'src/protocols/league/message-log.ts',
  ],
  bench: [
    'src/clock.ts',
    'src/seal.ts',
    'src/games',
    'src/arena',
    'src/bots/best-move.ts',
    'src/bots/levels.ts',
    'src/bots/random-move.ts',
    'src/metrics/loop-delay.ts',
    'src/threads',
    'src/text/table.ts',
    'src/wire',
    'src/store/rating-recalculation.ts',
    'src/queries/command.ts',
    'src/queries/known-game.ts',
    'src/queries/numbers.ts',
    'src/web/feeds/stream.ts',
    'src/hub/terminal-session.ts',
  ],
  cmd: [
    'src/clock.ts',
    'src/process/program-name.ts',
    'src/text/package-file.ts',
    'src/text/printable.ts',
    'src/queries',
    'src/commands',
    'bench/command.ts',
  ],
}

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file))
    .map(file => `${folder}/${file.replaceAll('\\', '/')}`)

const sources = ['migrations', 'src', 'bench', 'cmd', 'client/src'].flatMap(filesIn)

/** The row that a file belongs to: its folder, or the file itself in the root of src. */
const rowOf = (file: string): string =>
  file.startsWith('client/') || file.startsWith('src/')
    ? file.split('/').slice(0, 2).join('/')
    : file.split('/')[0]!

/** All files of this repository that a file imports, in any syntax. */
const importsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/\b(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, resolve(root, dirname(file), path!)).replaceAll('\\', '/'),
  )

const arrows = sources.flatMap(from =>
  importsOf(from)
    .filter(to => rowOf(to) !== rowOf(from))
    .map(to => ({ row: rowOf(from), from, to })),
)
const covers = (entry: string, file: string) => file === entry || file.startsWith(`${entry}/`)

describe('the imports', () => {
  it('are found, however they are written', () => {
    expect(importsOf('cmd/agentbbs.ts')).toContain('cmd/node-version.ts')
    expect(importsOf('src/app.ts')).toContain('src/wire/ssh.ts')
    expect(importsOf('src/commands/serve.ts')).toContain('src/app.ts')
  })

  it('come from files with a row each, and every row has files', () => {
    expect([...new Set(sources.map(rowOf))].sort()).toEqual(Object.keys(mayImport).sort())
  })

  it.each(Object.entries(mayImport))('of %s are those of its row', (row, entries) => {
    const strays = arrows
      .filter(arrow => arrow.row === row && !entries.some(entry => covers(entry, arrow.to)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(strays).toEqual([])
    const unused = entries.filter(
      entry => !arrows.some(arrow => arrow.row === row && covers(entry, arrow.to)),
    )
    expect(unused).toEqual([])
  })

  it('lead from each row only to rows above it, so there is no cycle', () => {
    const order = Object.keys(mayImport)
    const back = arrows.filter(({ row, to }) => order.indexOf(rowOf(to)) >= order.indexOf(row))
    expect(back.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('of rules are neither of Node nor of any library', () => {
    const strays = sources
      .filter(file => file.startsWith('src/games/'))
      .flatMap(file =>
        [...read(file).matchAll(/^import .* from '([^.'][^']*)'/gm)].map(
          ([, module]) => `${file} imports ${module}`,
        ),
      )
    expect(strays).toEqual([])
  })

  it('of the client library are only its own files, Node and ws', () => {
    const imported = filesIn('client/src').flatMap(file =>
      [...read(file).matchAll(/from '([^']+)'/g)].map(([, path]) => path!),
    )
    expect(filesIn('client/src')).toContain('client/src/play.ts')
    expect(imported.filter(path => !/^(\.\/[\w-]+\.ts|node:.*|ws)$/.test(path))).toEqual([])
  })
})

it('only config.ts reads settings from the environment', () => {
  const readers = sources.filter(file => /process\.env/.test(read(file)))
  expect(readers).toContain('src/process/program-name.ts')
  expect(
    readers.filter(
      file => !/^(src\/config\.ts|src\/process\/program-name\.ts|cmd\/|bench\/)/.test(file),
    ),
  ).toEqual([])
})
