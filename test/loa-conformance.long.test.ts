// The checker in test/conformance/loa, which was written from the reference of League of Agents alone, against a real host.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Host } from './support/host.ts'

const checker = fileURLToPath(new URL('conformance/loa/check.py', import.meta.url))

it.runIf(process.env.CI === 'true')(
  'the host keeps every promise that the checker knows of',
  { timeout: 600_000 },
  async () => {
    const host = await Host.start({
      AGENTBBS_REGISTRATION: 'open',
      AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '5000',
      AGENTBBS_LOA_FIRST_MOVE_TIMEOUT: '6',
      AGENTBBS_LOA_MOVE_TIMEOUT: '4',
      AGENTBBS_PAIR_CAP: '0',
      AGENTBBS_PAUSE_AFTER: '0',
    })
    try {
      const address = `http://127.0.0.1:${host.http}/loa`
      const clocks = ['--first', '6', '--move', '4', '--slow']
      const python = promisify(execFile)('python3', [checker, address, ...clocks], {
        maxBuffer: 2 ** 26,
      })
      const { stdout } = await python.catch(failed => failed)
      // A failure is told in a line, and what came below it.
      expect(stdout.match(/^FAIL .*(\n {6}.*)*/gm) ?? []).toEqual([])
      const [, passed = 0] = /^(\d+) passed, 0 failed$/m.exec(stdout) ?? []
      expect(Number(passed)).toBeGreaterThan(900)
    } finally {
      await host.stop()
    }
  },
)
