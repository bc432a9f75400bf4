import { randomInt } from 'node:crypto'
import { type Logger, pino } from 'pino'
import { pretty } from './pretty.ts'
import { LogSink } from './sink.ts'

/** The log of this process, for the operator. */
export interface Log {
  readonly log: Logger
  /** The id of this run of the program. Connection ids begin with it. */
  readonly run: string
  /** The number of lines that were dropped because the reader did not take them. */
  readonly dropped: () => number
  /** Writes all buffered lines, before this process ends. */
  readonly flush: () => void
}

/**
 * Opens the log on standard error: readable text on a terminal, JSON lines elsewhere. JSON lines are written off the
 * event loop, so a slow or closed reader does not stop the host.
 */
export const openLog = (level: string, terminal = process.stderr.isTTY === true): Log => {
  const run = newRun()
  const sink = new LogSink(2)
  const colours = process.stderr.hasColors?.() ?? false
  return {
    log: terminal
      ? pino({ level, base: null }, { write: line => sink.write(pretty(line, colours)) })
      : pino({ level, base: { run } }, sink),
    run,
    dropped: () => sink.dropped,
    flush: () => sink.flush(),
  }
}

/**
 * Logs an uncaught exception and flushes the log when this process exits. Live matches stay as they are on disk; the
 * next start aborts them.
 */
export const logUntilExit = ({ log, flush }: Log): void => {
  // Node writes its own warnings to standard error too.
  process.stderr.on('error', ignore)
  process.on('exit', flush)
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'host failed')
    process.exit(1)
  })
}

/** Run ids sort by their start in seconds. */
const newRun = () =>
  Math.floor(Date.now() / 1000).toString(36) +
  randomInt(36 ** 3)
    .toString(36)
    .padStart(3, '0')

const ignore = () => {}
