import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { ScriptedAgent } from './scripted-agent.ts'

export type { Heard } from './scripted-agent.ts'

export class WebSocketAgent extends ScriptedAgent {
  readonly webSocket: WebSocket
  readonly closed: Promise<number>

  constructor(url: string, options: ClientOptions = {}) {
    super()
    this.webSocket = new WebSocket(url, options)
    this.webSocket.on('error', () => {})
    this.webSocket.on('message', data => this.hear(String(data)))
    // Also after a refused handshake, so that a test that waits for a message goes on.
    this.closed = new Promise(resolve =>
      this.webSocket.on('close', code => {
        this.over()
        resolve(code)
      }),
    )
  }

  async opened(): Promise<this> {
    if (this.webSocket.readyState === WebSocket.CONNECTING) await once(this.webSocket, 'open')
    return this
  }

  write(text: string): void {
    this.webSocket.send(text)
  }
}
