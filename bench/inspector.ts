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

/** What a server holds, and has to release when all clients have disconnected. */
export interface Counts {
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

/** Looks into the process of a measured host. */
export class Inspector {
  /** The first errors in the log. */
  readonly faults: string[] = []
  readonly log: Log
  #delays: number[] = []
  #collecting = false

  constructor(level: string) {
    const out = pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 })
    const write = (line: string) => {
      if (/^\{"level":[56]0/.test(line) && this.faults.length < 20) this.faults.push(line)
      out.write(line)
    }
    const log = pino({ level, base: null }, { write })
    this.log = { log, run: 'bench', dropped: () => 0, flush: () => {} }
    watchLoopDelay(systemClock, ms => {
      if (!this.#collecting) this.#delays.push(ms)
    })
  }

  /** Delays of the event loop in milliseconds, since this was last asked. */
  delays(): Spread & { readonly most: number } {
    const delays = this.#delays
    this.#delays = []
    return { ...spread(delays), most: delays.reduce((most, ms) => Math.max(most, ms), 0) }
  }

  memory(): Memory {
    this.#pauseDelays()
    return memory()
  }

  counts(): Counts {
    this.#pauseDelays()
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

  /** The benchmark causes this garbage collection, so its delay does not count. */
  #pauseDelays(): void {
    this.#collecting = true
    setTimeout(() => {
      this.#collecting = false
    }, 100)
  }
}
