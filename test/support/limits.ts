import type { Logger } from 'pino'
import type { Clock } from '../../src/clock.ts'
import { type Limits, readConfig } from '../../src/config.ts'
import { type Meter, unmetered } from '../../src/meter.ts'
import { ConnectionLimiter } from '../../src/wire/connection-limiter.ts'

/** The limits of the house, but for these. */
const limitsWith = (given: Partial<Limits> = {}): Limits => ({
  ...readConfig({}).limits,
  ...given,
})

/** What a wire needs to hold its ground, for a house of its own. */
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

/** For tests that are about something else, and fail to log in as often as they like. */
export const unguarded: Partial<Limits> = { lockoutAfter: 1_000_000 }
