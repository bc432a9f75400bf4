// A relay in front of a host that cuts connections at bytes that a seed decides.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import { Dice } from '../../src/games/dice.ts'

interface Cuts {
  readonly seed: number
  readonly cuts: number
  readonly bytes: number
}

interface CuttingRelay {
  readonly port: number
  /** So many connections were cut. */
  readonly cuts: number
  readonly close: () => void
}

/**
 * Cuts the first `cuts` connections, each after fewer than `bytes` bytes in both directions together; the others are left alone.
 * Each comes from an address of its own, as an edge would say, because a connection that is cut before its login counts as a failed one.
 */
const startCuttingRelay = async (
  port: number,
  { seed, cuts, bytes }: Cuts,
): Promise<CuttingRelay> => {
  const dice = Dice.fromSeed(seed)
  const sockets = new Set<Socket>()
  let made = 0
  const server = createServer({ noDelay: true }, client => {
    const host = connect({ port, host: '127.0.0.1', noDelay: true })
    let left = made < cuts ? dice.roll(bytes) : Number.POSITIVE_INFINITY
    if (made < cuts) made++
    const address = `198.18.${seed % 256}.${dice.roll(256)}`
    const relay = (from: Socket, to: Socket, first = (head: Buffer) => head) => {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      let isFirst = true
      from.on('data', chunk => {
        const data = isFirst ? first(chunk) : chunk
        isFirst = false
        to.write(data.subarray(0, left))
        left -= data.length
        if (left > 0) return
        // What came before the cut arrives.
        to.end()
        from.destroy()
      })
    }
    relay(client, host, head => {
      const end = head.indexOf('\r\n') + 2
      const field = Buffer.from(`X-Forwarded-For: ${address}\r\n`)
      return Buffer.concat([head.subarray(0, end), field, head.subarray(end)])
    })
    relay(host, client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return made
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Opens relays, and closes all of them after the tests of a file: tests that run at once have no end of their own to hook on. */
export const cuttingRelays = () => {
  const relays: CuttingRelay[] = []
  afterAll(() => {
    for (const relay of relays) relay.close()
  })
  return async (port: number, cuts: Cuts): Promise<CuttingRelay> => {
    const relay = await startCuttingRelay(port, cuts)
    relays.push(relay)
    return relay
  }
}
