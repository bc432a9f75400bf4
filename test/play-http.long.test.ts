// What takes the real time of a wait.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Host } from './support/host.ts'

it.runIf(process.env.CI === 'true')(
  'a client that cuts what is silent for 20 s hears the end of a wait of 45 s',
  async () => {
    const host = await Host.start()
    onTestFinished(() => host.stop())
    const { token } = await host.account('ada')
    const body = '{"game":"ttt"}'
    const socket = connect(host.http, '127.0.0.1')
    socket.write(
      [
        ...['POST /api/v1/play/join HTTP/1.1', 'Host: localhost', 'Connection: close'],
        ...[`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
        ...[`Content-Length: ${body.length}`, '', body],
      ].join('\r\n'),
    )
    let [heard, isCut] = ['', false]
    socket.setTimeout(20_000, () => {
      isCut = true
      socket.destroy()
    })
    socket.on('data', data => {
      heard += data
    })
    const began = performance.now()
    await once(socket, 'close')
    expect(isCut).toBe(false)
    expect(performance.now() - began).toBeLessThan(47_000)
    expect(heard).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    // Chunks of a space each; the third is due when the wait is over.
    expect(heard).toMatch(/\r\n\r\n(1\r\n \r\n){2,3}[0-9a-f]+\r\n\{"status":"waiting",/)
  },
  60_000,
)
