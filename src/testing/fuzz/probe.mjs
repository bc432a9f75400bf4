// Loaded into the server beside it (node --import): tells what it holds, when asked. Plain JavaScript, because the
// server runs as it was built, and what is for tests is not built.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Threads of the server load it too, and have nobody to answer.
if (process.channel !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('message', () => {
    collect()
    const { heapUsed, rss } = process.memoryUsage()
    const resources = {}
    for (const kind of process.getActiveResourcesInfo())
      resources[kind] = (resources[kind] ?? 0) + 1
    process.send({ heap: heapUsed, rss, resources })
  })
  process.channel.unref()
}
