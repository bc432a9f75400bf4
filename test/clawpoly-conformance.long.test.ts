// The checker in test/conformance/clawpoly, which was written from the text of Clawpoly alone, against a real host.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Host } from './support/host.ts'

const checker = fileURLToPath(new URL('conformance/clawpoly/check.py', import.meta.url))

it.runIf(process.env.CI === 'true')(
  'the host keeps every promise of Clawpoly that the checker knows of',
  { timeout: 600_000 },
  async () => {
    const host = await Host.start({
      AGENTBBS_REGISTRATION: 'open',
      AGENTBBS_PAIR_CAP: '0',
      AGENTBBS_PAUSE_AFTER: '0',
      AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '5000',
      AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS: '5000',
      AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS: '5000',
      LOG_LEVEL: 'error',
    })
    try {
      const address = `http://127.0.0.1:${host.http}/clawpoly`
      const python = promisify(execFile)('python3', [checker, address], { maxBuffer: 2 ** 26 })
      const { stdout } = await python.catch(failed => failed)
      expect(stdout.match(/^FAIL .*/gm) ?? []).toEqual([])
      const [, passed = 0] = /^(\d+) passed, 0 failed$/m.exec(stdout) ?? []
      expect(Number(passed), stdout).toBeGreaterThan(100_000)
      expect(await host.cli('verify')).toContain('all ratings and points are as they should be')
    } finally {
      await host.stop()
    }
  },
)
