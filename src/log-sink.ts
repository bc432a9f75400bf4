import { writeSync } from 'node:fs'

let torn = false

/**
 * Standard error, for log lines. What cannot be written there, because a disk is full or the terminal has gone, is
 * left out: no match ends for want of a log.
 */
export const logSink = {
  write: (line: string): void => {
    const bytes = Buffer.from(torn ? `\n${line}` : line)
    try {
      torn = writeSync(2, bytes) < bytes.length
    } catch {}
  },
}
