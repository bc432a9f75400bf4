// People who watch by SSH, in a process of their own.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { answerParent } from './question.ts'

interface Watcher {
  readonly socket: Socket
  readonly stream: ssh2.ClientChannel
}

const watchers: Watcher[] = []
let since = 0
let bytes = 0

answerParent({
  /** Takes so many more to the menu of the hub, where they stay. */
  sit: async ({ port, count }: { port: number; count: number }) => {
    for (let i = 0; i < count; i++) watchers.push(await sit(port))
  },
  /** Has all of them open the first match there is, and every other one then freeze. */
  watch: async () => {
    await Promise.all(
      watchers.map(async ({ stream }) => {
        const opened = once(stream, 'data')
        stream.write('n\r')
        await opened
      }),
    )
    for (const { socket } of watchers.filter((_, i) => i % 2 === 1)) socket.pause()
    since = performance.now()
    bytes = 0
  },
  bytesPerSecond: () =>
    bytes / Math.ceil(watchers.length / 2) / ((performance.now() - since) / 1000),
})

const sit = async (port: number): Promise<Watcher> => {
  const socket = connect(port, '127.0.0.1')
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ sock: socket, username: 'guest' })
  await once(client, 'ready')
  const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
    client.shell({ term: 'xterm-256color', cols: 80, rows: 24 }, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  return { socket, stream }
}
