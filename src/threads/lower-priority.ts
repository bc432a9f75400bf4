import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Has the thread that calls this give way to the others where processors are scarce, so that moves go first. Only Linux has
 * priorities of threads.
 */
export const lowerPriority = (): void => {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness)
  } catch {
    // Another system, or a container without /proc: then all threads are equal.
  }
}

/** A thread with it gets a tenth of a processor that another one wants, too. */
const niceness = 10
