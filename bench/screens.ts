import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { start } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { median } from './median.ts'
import { unlimited } from './unlimited.ts'

export interface ScreenTimes {
  readonly screen: string
  /** In milliseconds, from the last key to the screen. */
  readonly median: number
  readonly worst: number
}

const rounds = 10

/** How quickly the hub of this data folder opens its screens, as a guest by SSH over the loopback sees it. */
export const benchScreens = async (config: Config): Promise<readonly ScreenTimes[]> => {
  const host = await start(unlimited(config))
  const client = new ssh2.Client()
  try {
    client.connect({ host: '127.0.0.1', port: host.ssh, username: 'guest' })
    await once(client, 'ready')
    const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.shell({ term: 'xterm-256color', cols: 132, rows: 43 }, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    stream.on('data', () => {})
    const press = async (key: string): Promise<number> => {
      // A frame follows another only after a while.
      await pause(150)
      const before = performance.now()
      stream.write(key)
      await once(stream, 'data')
      return performance.now() - before
    }
    const times: ScreenTimes[] = []
    for (const [screen, keys, last] of screens) {
      const taken: number[] = []
      for (let round = 0; round < rounds; round++) {
        for (const key of keys) await press(key)
        taken.push(await press(last))
        for (let i = 0; i < keys.length + 2; i++) {
          await pause(100)
          stream.write('\x1b')
        }
      }
      times.push({ screen, median: median(taken), worst: Math.max(...taken) })
    }
    return times
  } finally {
    client.end()
    await host.stop()
  }
}

/** What is typed first, and the key that is measured. */
const screens: readonly (readonly [screen: string, keys: readonly string[], last: string])[] = [
  ['all ladders', [], 'l'],
  ['a ladder', ['l'], '\r'],
  ['a search in it', ['l', '\r', '/', '9'], '\r'],
  ['the first on it', ['l', '\r'], '\r'],
  ['the newest matches', [], 'r'],
  ['those of a game', ['r'], '\t'],
  ['those of the busiest', ['r', '/', 'agent-1'], '\r'],
  ['those of two', ['r', '/', 'agent-1 agent-2'], '\r'],
  ['a replay', ['r'], '\r'],
  ['agents by name', ['f'], '9'],
]
