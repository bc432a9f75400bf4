import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

/** Which rooms each room may know. Arrows point one way: this is docs/design.md as a test. */
const mayKnow: Record<string, readonly string[]> = {
  games: [],
  arena: ['games/dice.ts', 'games/game.ts', 'games/words.ts', 'clock.ts', 'meter.ts'],
  bots: ['arena', 'games', 'clock.ts'],
  dialects: ['arena', 'games', 'clock.ts', 'meter.ts', 'nearest.ts'],
  wire: [
    'dialects',
    'arena',
    'clock.ts',
    'config.ts',
    'meter.ts',
    'producer.ts',
    'turns.ts',
    'program-name.ts',
  ],
  store: [
    'arena',
    'games',
    'wire/accounts.ts',
    'clock.ts',
    'meter.ts',
    'program-name.ts',
    'nearest.ts',
    '../migrations',
  ],
  hub: [
    'arena',
    'games',
    'store',
    'commands',
    'wire/people.ts',
    'config.ts',
    'clock.ts',
    'meter.ts',
    'producer.ts',
    'turns.ts',
    'program-name.ts',
    'nearest.ts',
  ],
  metrics: ['arena', 'games', 'clock.ts', 'meter.ts'],
  log: ['arena', 'clock.ts'],
  web: ['arena', 'games', 'store', 'clock.ts', 'config.ts', 'producer.ts'],
  doctor: ['store', 'hub/place.ts', 'wire/host-key.ts', 'config.ts', 'clock.ts', 'program-name.ts'],
  bench: [
    'commands/verify.ts',
    'hub/session.ts',
    'arena',
    'games',
    'bots',
    'store',
    'wire',
    'dialects',
    'web',
    'metrics',
    'log',
    'app.ts',
    'config.ts',
    'clock.ts',
  ],
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(file => file.replaceAll('\\', '/'))

const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, path]) => relative(root, resolve(root, dirname(file), path!)).replaceAll('\\', '/'),
  )

describe('the rooms', () => {
  it.each(Object.keys(mayKnow))('%s knows only what it may', room => {
    const files = sources.filter(file => file.startsWith(`${room}/`))
    expect(files.length).toBeGreaterThan(0)
    const strays = files.flatMap(file =>
      importsOf(file)
        .filter(target => !target.startsWith(`${room}/`))
        .filter(
          target =>
            !mayKnow[room]!.some(known => target === known || target.startsWith(`${known}/`)),
        )
        .map(target => `${file} knows ${target}`),
    )
    expect(strays).toEqual([])
  })

  it('the rules import nothing of Node, nor of any library', () => {
    const strays = sources
      .filter(file => file.startsWith('games/'))
      .flatMap(file =>
        [
          ...readFileSync(join(root, file), 'utf8').matchAll(/^import .* from '([^.'][^']*)'/gm),
        ].map(([, module]) => `${file} imports ${module}`),
      )
    expect(strays).toEqual([])
  })

  it('only config.ts reads settings from the environment', () => {
    const readers = sources.filter(file =>
      /process\.env/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(
      readers.filter(
        file => !/^(config\.ts|program-name\.ts|testing\/|commands\/|bench\/)/.test(file),
      ),
    ).toEqual([])
  })

  it('the client library knows nothing of the server', () => {
    const client = join(root, '../client/src')
    const files = readdirSync(client).filter(file => !file.endsWith('.test.ts'))
    const imported = files.flatMap(file =>
      [...readFileSync(join(client, file), 'utf8').matchAll(/from '([^']+)'/g)].map(
        ([, path]) => path,
      ),
    )
    expect(files).toContain('play.ts')
    expect(imported.filter(path => !/^(\.\/[\w-]+\.ts|node:.*|ws)$/.test(path!))).toEqual([])
  })

  it('nothing but tests knows what is for tests', () => {
    const strays = sources
      .filter(file => !file.startsWith('testing/'))
      .filter(file => importsOf(file).some(target => target.startsWith('testing/')))
    expect(strays).toEqual([])
  })
})
