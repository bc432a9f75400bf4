import type { Clock } from '../clock.ts'

/** Runs the work once a second, until the function that it returns is called. */
export const everySecond = (clock: Clock, run: () => void): (() => void) => {
  const tick = () => {
    timer = clock.after(1000, tick)
    run()
  }
  let timer = clock.after(1000, tick)
  return () => timer.cancel()
}
