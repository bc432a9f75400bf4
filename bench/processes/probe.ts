// Loaded into the process of a measured server before its own code: tells the benchmark what only that process knows.

import { queryObjects } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { type Memory, spread } from '../measure.ts'

/** Memory in use, after garbage collection. */
const memory = (): Memory => {
  collectedAt = performance.now()
  globalThis.gc!()
  globalThis.gc!()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}

/** The benchmark causes garbage collections, whose delays do not count. */
let collectedAt = Number.NEGATIVE_INFINITY
let delays: number[] | null = null

/** Delays of the event loop in milliseconds, since this was last asked. */
const takeDelays = async () => {
  if (delays === null) {
    const { watchLoopDelay } = await import('../../src/metrics/loop-delay.ts')
    const { systemClock } = await import('../../src/clock.ts')
    watchLoopDelay(systemClock, ms => {
      if (performance.now() - collectedAt > 100) delays!.push(ms)
    })
  }
  const taken = delays ?? []
  delays = []
  return { ...spread(taken), most: taken.reduce((most, ms) => Math.max(most, ms), 0) }
}

/** What a host holds, and has to release when all clients have disconnected. */
const counts = async () => {
  collectedAt = performance.now()
  const { ConnectionEntry } = await import('../../src/wire/connection-log.ts')
  const { Table } = await import('../../src/arena/table.ts')
  const { TerminalSession } = await import('../../src/hub/terminal-session.ts')
  const { Stream } = await import('../../src/web/feeds/stream.ts')
  const resources = process.getActiveResourcesInfo()
  const count = (kind: string) => resources.filter(resource => resource === kind).length
  const [timers, sockets] = [count('Timeout'), count('TCPSocketWrap')]
  const objects = (kind: abstract new (...args: never[]) => unknown) =>
    queryObjects(kind, { format: 'count' })
  return {
    ...{ timers, sockets },
    /** Everything else that the event loop waits for. */
    handles: resources.length - timers - sockets,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    connections: objects(ConnectionEntry),
    tables: objects(Table),
    sessions: objects(TerminalSession),
    streams: objects(Stream),
  }
}

export type Counts = Awaited<ReturnType<typeof counts>>

/** Processor time of all threads, in seconds. */
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const answers: Readonly<Record<string, () => unknown>> = { cpu, memory, counts, delays: takeDelays }

// The threads of a host load this file, too.
if (isMainThread) {
  process.on('message', async (question: string) => {
    process.send!(await answers[question]!())
  })
  // The benchmark has died, perhaps before this was loaded.
  process.on('disconnect', () => process.exit())
  if (!process.connected) process.exit()
}
