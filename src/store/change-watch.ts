import type { Clock, Timer } from '../clock.ts'
import type { Database } from './database.ts'

const lookEvery = 1_000

/** Calls back soon after another connection has changed the database, until the returned function is called. */
export const watchChanges = (
  { file }: Pick<Database, 'file'>,
  clock: Clock,
  changed: () => void,
): (() => void) => {
  const version = () => file.pragma('data_version', { simple: true })
  let seen = version()
  let timer: Timer
  const look = () => {
    timer = clock.after(lookEvery, look)
    const before = seen
    seen = version()
    if (seen !== before) changed()
  }
  timer = clock.after(lookEvery, look)
  return () => timer.cancel()
}
