import type { Answers } from './question.ts'

export interface Memory {
  readonly rss: number
  readonly heap: number
}

/** What every server of a bench can say about what it uses. */
export const usage: Answers = {
  /** Processor time in seconds, of all threads. */
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  },
  memory: (): Memory => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { rss, heap: heapUsed + external }
  },
}
