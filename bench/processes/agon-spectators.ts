// Runs in a worker thread of the benchmark: spectators in a room of AGON, who read all they are told.

import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../src/threads/calls.ts'
import type { AgentConnection } from '../agent.ts'
import { agonPath } from '../agon-agent.ts'
import { dialWebSocket } from '../dial-websocket.ts'

class Spectators {
  readonly #port: number
  #connections: AgentConnection[] = []
  #bytes = 0
  #open = 0

  constructor(port: number) {
    this.#port = port
  }

  /** Resolves once those of all these session tokens are in the room. */
  async start(tokens: readonly string[]): Promise<void> {
    this.#bytes = 0
    this.#connections = []
    await Promise.all(tokens.map(token => this.#connect(token)))
  }

  /** How many bytes they have read, and how many were still connected. */
  stop(): { readonly bytes: number; readonly connected: number } {
    const connected = this.#open
    for (const connection of this.#connections) connection.close()
    return { bytes: this.#bytes, connected }
  }

  #connect(token: string): Promise<void> {
    return new Promise(resolve => {
      const connection = dialWebSocket(this.#port, agonPath(token), null, {
        opened: () => {
          this.#open++
          connection.send('{"action":"enter_room","room":"go"}')
        },
        received: message => {
          this.#bytes += message.length
          if (message.startsWith('{"event":"room_state"')) resolve()
        },
        closed: () => {
          this.#open--
        },
      })
      this.#connections.push(connection)
    })
  }
}

export type AgonSpectators = Pick<Spectators, 'start' | 'stop'>

serve(parentPort!, new Spectators(workerData.port))
