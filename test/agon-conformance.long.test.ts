// The checker in test/conformance/agon, which was written from the text of AGON alone, against a real host with short clocks.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Host } from './support/host.ts'

const checker = fileURLToPath(new URL('conformance/agon/run.ts', import.meta.url))

/** In seconds. */
const times = { classical: 4, blitz: 2, go: 4, debate: 4, trade: 4, 'first-turn': 6, countdown: 1 }

const check = async (wagers: 'on' | 'off', ...only: string[]): Promise<string> => {
  const host = await Host.start({
    ...Object.fromEntries(
      Object.entries(times).map(([name, time]) => [
        `AGENTBBS_AGON_${name.replace('-', '_').toUpperCase()}`,
        String(time),
      ]),
    ),
    AGENTBBS_AGON_GRACE: '3',
    AGENTBBS_VOTING: '5',
    AGENTBBS_VOTING_AFTER_LEAVING: '2',
    AGENTBBS_AGON_WAGERS: wagers,
    AGENTBBS_REGISTRATION: 'open',
    AGENTBBS_PAIR_CAP: '0',
    AGENTBBS_PAUSE_AFTER: '0',
    LOG_LEVEL: 'error',
  })
  try {
    const options = Object.entries({ ...times, grace: 3, voting: 5, leaving: 2, late: 4 })
    const program = execFile(
      process.execPath,
      [
        ...['--import', 'tsx', checker, '--base', `http://127.0.0.1:${host.http}/agon`],
        ...options.flatMap(([name, value]) => [`--${name}`, String(value)]),
        ...only.flatMap(name => ['--only', name]),
      ],
      { maxBuffer: 2 ** 26 },
    )
    const chunks: string[] = []
    program.stdout?.on('data', chunk => chunks.push(chunk))
    program.stderr?.on('data', chunk => chunks.push(chunk))
    await new Promise(resolve => program.once('close', resolve))
    const verified = await host.cli('verify')
    expect(verified).toContain('all ratings and points are as they should be')
    return chunks.join('')
  } finally {
    await host.stop()
  }
}

it.runIf(process.env.CI === 'true')(
  'the host keeps every promise of AGON that the checker knows of',
  { timeout: 900_000 },
  async () => {
    const out = await check('on')
    expect(out.match(/^FAIL .*/gm) ?? []).toEqual([])
    const [, passed = 0] = /^(\d+) checks passed, 0 failed$/m.exec(out) ?? []
    expect(Number(passed), out).toBeGreaterThan(380)
  },
)

it.runIf(process.env.CI === 'true')(
  'a host without wagers refuses each of their actions as AGON says',
  { timeout: 300_000 },
  async () => {
    const out = await check('off', 'wagers')
    expect(out.match(/^FAIL .*/gm) ?? []).toEqual([])
    expect(out).toMatch(/^[1-9]\d* checks passed, 0 failed$/m)
  },
)
