import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from '../config.ts'
import { answer, answerUpgrade, type HttpAnswer } from './http-answer.ts'
import { type WebSocketOptions, WebSocketWire } from './websocket.ts'

export interface HttpOptions extends WebSocketOptions {
  readonly address: Address
  /** Whatever else is to be found here: everything but `/play` and `/healthz` is asked of it. */
  readonly pages?: RequestListener
}

export interface HttpWire {
  readonly port: number
  /** Takes nobody in any more at once; whoever is here stays. */
  stopAccepting(): void
  /** Stops accepting, and is done when everybody has left or been cut. */
  close(): Promise<void>
}

/** Opens the HTTP address: agents at `/play`, a sign of health, and the pages. */
export const listenHttp = async (options: HttpOptions): Promise<HttpWire> => {
  const { address, log, pages = nothingThere } = options
  const webSockets = new WebSocketWire(options)
  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      headersTimeout: 30_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      const [path] = splitUrl(request.url)
      if (path === '/play') answer(response, upgradeRequired)
      else if (path !== '/healthz') pages(request, response)
      else if (request.method === 'GET' || request.method === 'HEAD') answer(response, healthy)
      else answer(response, onlyGet)
    },
  )
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const [path, query] = splitUrl(request.url)
    try {
      if (path !== '/play') answerUpgrade(socket, notFound)
      else if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        answerUpgrade(socket, upgradeRequired)
      else webSockets.upgrade(request, socket, head, query)
    } catch (err) {
      log.error({ wire: 'websocket', err }, 'an upgrade failed')
      answerUpgrade(socket, ourFault)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host || undefined, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', err => log.error({ wire: 'http', err }, 'the HTTP listener failed'))
  const stopped = new Promise<void>(resolve => server.once('close', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stopAccepting: () => void server.close(),
    close: async () => {
      server.close()
      await webSockets.close()
      server.closeAllConnections()
      await stopped
    },
  }
}

const splitUrl = (url = ''): readonly [path: string, query: string] => {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

const healthy: HttpAnswer = { status: 200, body: 'ok' }
const notFound: HttpAnswer = { status: 404, body: 'There is nothing here.\n' }
const onlyGet: HttpAnswer = {
  status: 405,
  body: 'Only GET and HEAD.\n',
  headers: { Allow: 'GET, HEAD', Connection: 'close' },
}
const upgradeRequired: HttpAnswer = {
  status: 426,
  body: 'This address speaks WebSocket: connect to /play?game=ttt&token=TOKEN with a WebSocket client.\n',
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
}
const ourFault: HttpAnswer = { status: 500, body: 'A fault of ours.\n' }

const nothingThere: RequestListener = (_, response) => answer(response, notFound)
