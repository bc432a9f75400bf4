import { closeSync, openSync } from 'node:fs'
import type { Clock, Timer } from './clock.ts'

const lookEvery = 1_000

/**
 * Looks whether the process may open another file or connection, and tells when that changes: Node drops connections
 * that it cannot take without a word. Until told to stop.
 */
export const watchDescriptors = (clock: Clock, changed: (exhausted: boolean) => void) => {
  let exhausted = false
  let timer: Timer
  const look = () => {
    timer = clock.after(lookEvery, look)
    if (exhausted === noneLeft()) return
    exhausted = !exhausted
    changed(exhausted)
  }
  timer = clock.after(lookEvery, look)
  return () => timer.cancel()
}

const noneLeft = (): boolean => {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return false
  } catch (error) {
    return /^E[MN]FILE$/.test((error as NodeJS.ErrnoException).code!)
  }
}
