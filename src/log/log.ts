import { randomInt } from 'node:crypto'
import { type Logger, pino } from 'pino'
import { pretty } from './pretty.ts'
import { LogSink } from './sink.ts'

/** Where everything is written down that an operator may want to know later. */
export interface Log {
  readonly log: Logger
  /** Tells this run of the program from all others; begins the names of its connections. */
  readonly run: string
  /** Lines that were given up because nobody read them. */
  readonly dropped: () => number
  /** Writes what still waits, before this process ends. */
  readonly flush: () => void
}

/**
 * Opens the log on standard error: for a person where that is a terminal, and JSON lines elsewhere, which are written
 * beside the event loop. Whatever becomes of the reader, the house goes on.
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
 * Has the log say everything that this process has to say, its last words too: where it fails, live matches are left as
 * they are, and aborted by the next start.
 */
export const logToTheEnd = ({ log, flush }: Log): void => {
  // Node's own warnings go there too.
  process.stderr.on('error', ignore)
  process.on('exit', flush)
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'host failed')
    process.exit(1)
  })
}

/** In the order of time, but for those of one second. */
const newRun = () =>
  Math.floor(Date.now() / 1000).toString(36) +
  randomInt(36 ** 3)
    .toString(36)
    .padStart(3, '0')

const ignore = () => {}
