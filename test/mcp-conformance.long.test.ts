// The specification's own tests, as far as they do not ask for tools that only a host for tests has.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from './support/host.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const program = [
  ...['--import', path('support/conformance.mjs')],
  path('../node_modules/@modelcontextprotocol/conformance/dist/index.js'),
]

const lists = ['tools-list', 'resources-list', 'prompts-list']
const both = [...lists, 'dns-rebinding-protection', 'server-sse-multiple-streams']
const scenarios = [
  ['2025-06-18', ['server-initialize', 'ping', ...lists]],
  ['2025-11-25', ['server-initialize', 'ping', 'server-session-lifecycle', ...both]],
  [
    '2026-07-28',
    [
      'server-stateless',
      'caching',
      'http-header-validation',
      'sep-2164-resource-not-found',
      ...both,
    ],
  ],
] as const

/** Clawpoly has sessions and tools, and neither resources nor prompts. */
const withSessions = ['server-initialize', 'ping', 'tools-list', 'logging-set-level'] as const
const clawpoly = [
  ['2025-06-18', withSessions],
  [
    '2025-11-25',
    [
      ...[...withSessions, 'server-session-lifecycle'],
      ...['dns-rebinding-protection', 'server-sse-multiple-streams'],
    ],
  ],
] as const

let host: Host
beforeAll(async () => {
  host = await Host.start()
})
afterAll(() => host?.stop())

/** Runs a scenario, and resolves with what it says, without colours. */
const run = (version: string, scenario: string, prefix = '') =>
  new Promise<string>(resolve => {
    const url = `http://127.0.0.1:${host.http}${prefix}/mcp`
    const asked = ['server', '--url', url, '--spec-version', version, '--scenario', scenario]
    const env = { PATH: process.env.PATH, NO_COLOR: '1' }
    execFile(process.execPath, [...program, ...asked], { env, cwd: host.folder }, (_, stdout) =>
      resolve(stdout.replace(colours, '')),
    )
  })
const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g')

/** Whether it has passed. Some checks need a tool that fails, or that asks its client. */
const passes = (said: string): void => {
  expect(said).toMatch(/Passed: \d+\/\d+, \d+ failed/)
  const failures = [...said.matchAll(/^ +Error: (.*)$/gm)].map(([, error]) => error!)
  expect(failures.filter(error => !error.startsWith('Not testable:'))).toEqual([])
  const [, failed] = /, (\d+) failed/.exec(said)!
  expect(failures.length).toBe(Number(failed))
}

describe.runIf(process.env.CI === 'true')('the tests of the specification', () => {
  describe.each(scenarios)('of %s', (version, names) => {
    it.each(names)('%s', async name => passes(await run(version, name)))
  })

  describe.each(clawpoly)('of %s, for Clawpoly', (version, names) => {
    it.each(names)('%s', async name => passes(await run(version, name, '/clawpoly')))
  })
})
