import type { Clock, Timer } from '../clock.ts'

/** How often the delay is measured, in milliseconds. */
const interval = 20
/** The most samples of one delay, so that a machine that slept for an hour does not add thousands. */
const maxSamples = 250

/**
 * Reports the delay of the event loop in milliseconds, once for every 20 ms of time. A halt of one second counts as fifty
 * samples; Node's own histogram counts it as one.
 */
export const watchLoopDelay = (clock: Clock, report: (ms: number) => void): (() => void) => {
  let timer: Timer
  const next = () => {
    const due = clock.elapsed() + interval
    timer = clock.after(interval, () => {
      let late = Math.max(0, clock.elapsed() - due)
      for (let samples = 0; samples < maxSamples && late >= 0; samples++, late -= interval)
        report(late)
      next()
    })
  }
  next()
  return () => timer.cancel()
}
