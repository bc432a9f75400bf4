// Loaded into the server beside it (node --import): tells what it holds, when asked.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Holdings {
  /** Bytes of the heap after all that can be let go has been. */
  readonly heap: number
  readonly rss: number
  /** How many of each kind of what keeps a process alive, such as sockets and timers. */
  readonly resources: Readonly<Record<string, number>>
}

if (process.send !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  process.on('message', () => {
    collect()
    const { heapUsed, rss } = process.memoryUsage()
    const resources: Record<string, number> = {}
    for (const kind of process.getActiveResourcesInfo())
      resources[kind] = (resources[kind] ?? 0) + 1
    process.send!({ heap: heapUsed, rss, resources } satisfies Holdings)
  })
  process.channel?.unref()
}
