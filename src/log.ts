import { randomInt } from 'node:crypto'
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

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

/** How much may wait for a reader of standard error that does not read. */
const mostWaiting = 8 * 1024 * 1024
/** What is not enough for a write of its own waits as long as this for more. */
const patience = 100

/**
 * Opens the log on standard error: for a person where that is a terminal, and JSON lines elsewhere, which are written
 * beside the event loop. Whatever becomes of the reader, the house goes on.
 */
export const openLog = (level: string, terminal = process.stderr.isTTY === true): Log => {
  const run = newRun()
  if (terminal) {
    const log = pino(
      { level, base: null, hooks: { streamWrite: harmless } },
      pretty({ destination: 2, sync: true }),
    )
    return { log, run, dropped: () => 0, flush: ignore }
  }
  const base = { run }
  let dropped = 0
  let triesLeft = Number.POSITIVE_INFINITY
  const out = pino.destination({
    dest: 2,
    sync: false,
    minLength: 4096,
    maxLength: mostWaiting,
    periodicFlush: patience,
    retryEAGAIN: () => triesLeft-- > 0,
  })
  out.on('error', ignore)
  out.on('drop', () => {
    dropped++
  })
  const flush = () => {
    // A write that is under way ends on another thread; what follows must not overtake it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    // A tenth of a second each.
    triesLeft = 10
    try {
      out.flushSync()
    } catch {
      // Nobody is there to read it.
    }
  }
  return { log: pino({ level, base }, out), run, dropped: () => dropped, flush }
}

/**
 * Has the log say everything that this process has to say, its last words too: where it fails, live matches are left as
 * they are, and aborted by the next start.
 */
export const logToTheEnd = ({ log, flush }: Log): void => {
  // Node's own warnings go there too.
  process.stderr.on('error', ignore)
  // Before pino's own, which would overtake what is under way.
  process.prependListener('exit', flush)
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'host failed')
    process.exit(1)
  })
}

/** Without characters that act on a terminal, of which JSON escapes only some. */
const harmless = (json: string) =>
  json.replace(/[\u007f-\u009f]|(?<=(?<!\\)(?:\\\\)*)\\u00[01][0-9a-f]/g, '?')

/** In the order of time, but for those of one second. */
const newRun = () =>
  Math.floor(Date.now() / 1000).toString(36) +
  randomInt(36 ** 3)
    .toString(36)
    .padStart(3, '0')

const ignore = () => {}
