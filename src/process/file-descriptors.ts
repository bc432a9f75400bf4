import { closeSync, openSync } from 'node:fs'
import type { Clock, Timer } from '../clock.ts'

const checkEvery = 1_000

/**
 * Checks once a second whether the process has a free file descriptor, and calls `changed` when that changes. Node
 * silently drops connections for which there is none. Returns a function that stops the checks.
 */
export const watchDescriptors = (clock: Clock, changed: (exhausted: boolean) => void) => {
  let exhausted = false
  let timer: Timer
  const check = () => {
    timer = clock.after(checkEvery, check)
    if (exhausted === noneLeft()) return
    exhausted = !exhausted
    changed(exhausted)
  }
  timer = clock.after(checkEvery, check)
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
