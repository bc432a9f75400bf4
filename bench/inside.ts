import { queryObjects } from 'node:v8'
import { pino } from 'pino'
import { Table } from '../src/arena/table.ts'
import { systemClock } from '../src/clock.ts'
import { TerminalSession } from '../src/hub/terminal-session.ts'
import type { Log } from '../src/log/log.ts'
import { watchLoopDelay } from '../src/metrics/loop-delay.ts'
import { Stream } from '../src/web/feeds/stream.ts'
import { ConnectionEntry } from '../src/wire/connection-log.ts'
import { type Memory, memory, type Spread, spread } from './measure.ts'

/** What there is in a server, and has to be gone when everybody has left. */
export interface Standing {
  readonly timers: number
  readonly sockets: number
  /** Everything else that the event loop waits for. */
  readonly handles: number
  /** On the process itself. */
  readonly listeners: number
  readonly connections: number
  readonly tables: number
  readonly sessions: number
  readonly streams: number
}

/** Looks at a server of a bench from within. */
export class Inside {
  /** Lines of the log that should not be there. */
  readonly faults: string[] = []
  readonly log: Log
  #delays: number[] = []
  #collecting = false

  constructor() {
    // To nowhere.
    const out = pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 })
    const sieve = {
      write: (line: string) => {
        if (/^\{"level":[56]0/.test(line)) this.#found(line)
        out.write(line)
      },
    }
    this.log = {
      log: pino({ level: 'warn', base: null }, sieve),
      run: 'bench',
      dropped: () => 0,
      flush: () => {},
    }
    watchLoopDelay(systemClock, ms => {
      if (!this.#collecting) this.#delays.push(ms)
    })
  }

  /** By how many milliseconds the event loop was late since this was last asked. */
  delays(): Spread & { readonly most: number } {
    const delays = this.#delays
    this.#delays = []
    return { ...spread(delays), most: delays.reduce((most, ms) => Math.max(most, ms), 0) }
  }

  /** Once what is not needed any more has been collected; the halt for that is our own doing, and does not count. */
  memory(): Memory {
    this.#collect()
    return memory()
  }

  standing(): Standing {
    this.#collect()
    const resources = process.getActiveResourcesInfo()
    const count = (kind: string) => resources.filter(resource => resource === kind).length
    const [timers, sockets] = [count('Timeout'), count('TCPSocketWrap')]
    const objects = (kind: abstract new (...args: never[]) => unknown) =>
      queryObjects(kind, { format: 'count' })
    return {
      timers,
      sockets,
      handles: resources.length - timers - sockets,
      listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      connections: objects(ConnectionEntry),
      tables: objects(Table),
      sessions: objects(TerminalSession),
      streams: objects(Stream),
    }
  }

  #collect(): void {
    this.#collecting = true
    setTimeout(() => {
      this.#collecting = false
    }, 100)
  }

  #found(line: string): void {
    if (this.faults.length < 20) this.faults.push(line)
  }
}
