import type { Logger } from 'pino'
import type { Clock } from '../../src/clock.ts'
import { type Limits, readConfig } from '../../src/config.ts'
import { type Meter, unmetered } from '../../src/meter.ts'
import { ConnectionLimiter } from '../../src/wire/connection-limiter.ts'

/** The default limits, except for these. */
const limitsWith = (given: Partial<Limits> = {}): Limits => ({
  ...readConfig({}).limits,
  ...given,
})

/** The limits that a wire needs, for a server of a test. */
export const guardedWith = (
  clock: Clock,
  log: Logger,
  given: Partial<Limits> = {},
  meter: Meter = unmetered,
) => {
  const limits = limitsWith(given)
  return {
    limits,
    meter,
    log,
    connectionLimiter: new ConnectionLimiter({ clock, limits, meter, log }),
  }
}

export const loopback = readConfig({}).trustedProxies

/** For tests of other things, which may fail to log in without end. */
export const unguarded: Partial<Limits> = { lockoutAfter: 1_000_000 }
