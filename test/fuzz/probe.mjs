// Loaded into the server (node --import): reports what it holds in memory. Plain JavaScript, because the server runs
// from dist, and test helpers are not built.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Threads of the server load it, too, but have no parent process.
if (process.channel !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const peak = { heap: 0, rss: 0 }
  setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage()
    peak.heap = Math.max(peak.heap, heapUsed)
    peak.rss = Math.max(peak.rss, rss)
  }, 100).unref()
  const late = monitorEventLoopDelay({ resolution: 10 })
  late.enable()
  process.on('message', asked => {
    if (asked === 'peaks') {
      process.send({ ...peak, late: { p99: late.percentile(99) / 1e6, max: late.max / 1e6 } })
      Object.assign(peak, { heap: 0, rss: 0 })
      late.reset()
      return
    }
    collect()
    const { heapUsed, rss } = process.memoryUsage()
    const resources = {}
    for (const kind of process.getActiveResourcesInfo())
      resources[kind] = (resources[kind] ?? 0) + 1
    process.send({ heap: heapUsed, rss, resources })
  })
  process.channel.unref()
}
