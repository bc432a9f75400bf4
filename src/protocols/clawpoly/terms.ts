import type { Speed } from '../../arena/pace.ts'
import type { Terms } from '../../arena/terms.ts'

/** In milliseconds, for any decision. */
export const decisionTime = 30_000
/** So many timeouts in a row are warned of, and so many lose. */
export const warnedAt = 3
export const mostTimeouts = 5

/** How long an agent may be away before it is out, and for how much of it a slow game waits for it. */
export const awayFor = 300_000
const pausedFor = 60_000

const common = {
  move: decisionTime,
  illegal: 'retry',
  late: { strikes: mostTimeouts, counted: 'in a row', next: 'fallback' },
  fullTimeAfterStop: true,
  fullTimeAfterHold: true,
} as const

const times = Number.POSITIVE_INFINITY

const waiting: Terms = {
  ...common,
  away: {
    stages: [
      { time: pausedFor, told: true, play: 'paused' },
      { time: awayFor - pausedFor, play: 'falls back', within: 0 },
    ],
    times,
  },
}

const goingOn: Terms = {
  ...common,
  away: { stages: [{ time: awayFor, told: true, play: 'falls back', within: 0 }], times },
}

/** Slow and normal games wait for an agent that is away; the others go on at once. */
export const termsOf = (speed: Speed): Terms =>
  speed === 'slow' || speed === 'normal' ? waiting : goingOn
