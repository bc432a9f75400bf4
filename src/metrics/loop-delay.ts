import type { Clock, Timer } from '../clock.ts'

/** How often is looked. */
const every = 20
/** A machine that slept for an hour is no reason to count for as long. */
const mostAtOnce = 250

/**
 * Tells by how many milliseconds the event loop is late, for every 20 ms of time: a halt of a second is not one late
 * moment among many, but fifty of them. Node's own measure counts it once.
 */
export const watchLoopDelay = (clock: Clock, tell: (ms: number) => void): (() => void) => {
  let timer: Timer
  const next = () => {
    const due = clock.elapsed() + every
    timer = clock.after(every, () => {
      let late = Math.max(0, clock.elapsed() - due)
      for (let told = 0; told < mostAtOnce && late >= 0; told++, late -= every) tell(late)
      next()
    })
  }
  next()
  return () => timer.cancel()
}
