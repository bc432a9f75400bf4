// The checker in test/conformance/league, which was written from the text of league.v2 alone, against a real host.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Host, program } from './support/host.ts'

const checker = fileURLToPath(new URL('conformance/league/check.py', import.meta.url))

it.runIf(process.env.CI === 'true')(
  'the host keeps every promise of league.v2 that the checker knows of',
  { timeout: 600_000 },
  async () => {
    const host = await Host.start({
      AGENTBBS_REGISTRATION: 'open',
      AGENTBBS_CALL_OUT: 'loopback',
      AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '5000',
      AGENTBBS_PAUSE_AFTER: '0',
      LOG_LEVEL: 'error',
    })
    try {
      const address = `http://127.0.0.1:${host.http}/league`
      const agentbbs = [process.execPath, program]
      const python = promisify(execFile)('python3', [checker, address, ...agentbbs], {
        env: host.env,
        maxBuffer: 2 ** 26,
      })
      const { stdout } = await python.catch(failed => failed)
      expect(stdout.match(/^FAIL .*/gm) ?? []).toEqual([])
      const [, passed = 0] = /^(\d+) passed, 0 failed$/m.exec(stdout) ?? []
      expect(Number(passed)).toBeGreaterThan(15_000)
    } finally {
      await host.stop()
    }
  },
)
