// The package as its users get it: packed, installed into an empty folder, and used for a match.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from '../../test/support/host.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'agentbbs-client-'))
const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false', ...env },
  })

beforeAll(async () => {
  const packed = []
  // ws is packed here, because there is no registry.
  for (const name of ['client', 'node_modules/ws']) {
    const from = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await run('npm', [...from, join(root, name)])
    packed.push(join(folder, JSON.parse(stdout)[0].filename))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packed])
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true }))

it('depends on ws only, and is smaller than 1 MB', () => {
  const installed = join(folder, 'node_modules')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const packages = files.filter(file => /(^|\/)package\.json$/.test(file))
  expect(packages.sort()).toEqual(['@agentbbs/client/package.json', 'ws/package.json'])
  expect(files.filter(file => /\.test\./.test(file))).toEqual([])
  const size = files.map(file => statSync(join(installed, file))).filter(stat => stat.isFile())
  expect(size.reduce((sum, stat) => sum + stat.size, 0)).toBeLessThan(1_000_000)
})

const agent = `
import { play } from '@agentbbs/client'

const results = await play<'ttt'>({
  url: process.env.URL!,
  token: process.env.TOKEN!,
  game: 'ttt',
  practice: true,
  move: ({ board, legal }) => (board[4] === '.' ? '4' : legal[0]!),
})
console.log(results[0]!.detail, results[0]!.observation.board.length)
`

it('plays a match with a host', async () => {
  writeFileSync(
    join(folder, 'agent.mjs'),
    agent.replace(`<'ttt'>`, '').replace(/!(?=[,).[\]])/g, ''),
  )
  const host = await Host.start()
  try {
    const { token } = await host.account('agent-alice')
    const env = { URL: host.playUrl(''), TOKEN: token }
    const { stdout, stderr } = await run(process.execPath, ['agent.mjs'], env)
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^(three in a row|.*full) 9\n$/), ''])
  } finally {
    await host.stop()
  }
})

it('has types for each game', async () => {
  const tsc = [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
  ]
  const types = [
    '--module',
    'nodenext',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ]
  const check = (text: string) => {
    writeFileSync(join(folder, 'agent.ts'), text)
    return run(process.execPath, [...tsc, ...types, 'agent.ts']).catch(({ stdout }) => ({ stdout }))
  }
  expect((await check(agent)).stdout).toBe('')
  expect((await check(agent.replace(`'4'`, `'9'`))).stdout).toMatch(/'"9"' is not assignable/)
  expect((await check(agent.replace('{ board,', '{ bord,'))).stdout).toMatch(
    /'bord' does not exist/,
  )
})
