// Runs in a worker thread of the benchmark: spectators of League of Agents, who all watch one match.

import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../src/threads/calls.ts'
import { handshakeOf, masked } from '../dial-websocket.ts'
import { leaguePath } from '../league-agent.ts'
import { forwardedFor } from '../load.ts'

class Spectators {
  readonly #port: number
  #sockets: Socket[] = []
  #bytes = 0
  /** Addresses that no agent has. */
  #address = 2_000_000

  constructor(port: number) {
    this.#port = port
  }

  /** Connects so many. Those that are stalled read nothing after the first bytes. */
  async start(count: number, areStalled: boolean): Promise<void> {
    this.#bytes = 0
    this.#sockets = await Promise.all(
      Array.from({ length: count }, () => this.#connect(areStalled)),
    )
  }

  watch(match: string): void {
    const frame = masked(0x81, `{"type":"subscribe_game","gameId":"g-${match}"}`)
    for (const socket of this.#sockets) if (socket.writable) socket.write(frame, 'latin1')
  }

  /** How many bytes they have read, and how many were still connected. */
  stop(): { readonly bytes: number; readonly connected: number } {
    const connected = this.#sockets.filter(({ writable }) => writable).length
    for (const socket of this.#sockets) socket.destroy()
    return { bytes: this.#bytes, connected }
  }

  #connect(isStalled: boolean): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const read = (bytes: number): boolean => {
        this.#bytes += bytes
        resolve(socket)
        return !isStalled
      }
      const socket = connect({
        ...{ port: this.#port, host: '127.0.0.1', noDelay: true },
        onread: { buffer, callback: read },
      })
      socket.on('error', reject)
      const from = forwardedFor(this.#address++)
      socket.write(handshakeOf(this.#port, leaguePath, null, from), 'latin1')
    })
  }
}

/** What was read is only counted. */
const buffer = Buffer.alloc(65_536)

export type LeagueSpectators = Pick<Spectators, 'start' | 'watch' | 'stop'>

serve(parentPort!, new Spectators(workerData.port))
