import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Address } from '../config.ts'
import { isRead } from '../http/site.ts'
import type { HttpAnswer } from '../protocols/protocol.ts'
import { answer } from './http-answer.ts'

/** What the health endpoints answer: /healthz, /readyz and /metrics. */
export interface Health {
  /** Whether new connections are welcome: false while the host is draining. */
  ready(): boolean
  /** In the text format of Prometheus; null where metrics are off. */
  readonly metrics: (() => Promise<string>) | null
}

export const withoutMetrics: Health = { ready: () => true, metrics: null }

/** Answers a request to a health endpoint; false where it is for something else. */
export const answerHealth = (
  health: Health,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const endpoint = endpoints.get(path)
  if (endpoint === undefined) return false
  if (!isRead(request)) answer(response, only([]))
  else
    endpoint(health).then(
      found => answer(response, found),
      () => answer(response, ourFault),
    )
  return true
}

/** Whether a request comes from this machine, and was not forwarded by the TLS edge. */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  forwarding.every(header => headers[header] === undefined)

/**
 * Whether the Host header names this host. A page in a browser on this machine may have its own name resolve to this
 * machine (DNS rebinding), and then its requests have that name; they cannot have an address.
 */
export const isOwnName = (asked: string | undefined, host: string): boolean => {
  if (asked === undefined) return true
  const name = asked
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  return name === 'localhost' || name === host.toLowerCase() || isIP(name) !== 0
}

/** Scrapers are few, and other clients must not use up the file descriptors of the process. */
const mostConnections = 64

/** Serves the health endpoints at an address of their own, to every client that can reach it. */
export const listenHealth = async (
  { host, port }: Address,
  health: Health,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!
    if (!answerHealth(health, path, request, response)) answer(response, nothingHere)
  })
  server.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host || undefined, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', err => log.error({ wire: 'http', err }, 'listener failed'))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

export const notOurName: HttpAnswer = {
  status: 421,
  body: 'This is told only to who asks for localhost, an address, or the name in AGENTBBS_HOST.\n',
}
/** Refuses a method; GET and HEAD are allowed also where nothing is. */
export const only = (methods: readonly string[]): HttpAnswer => {
  const allowed = methods.length > 0 ? methods : ['GET', 'HEAD']
  return {
    status: 405,
    body: `Only ${allowed.join(', ').replace(/, (?=\w+$)/, ' and ')}.\n`,
    headers: { Allow: allowed.join(', '), Connection: 'close' },
  }
}
export const nothingHere: HttpAnswer = { status: 404, body: 'There is nothing here.\n' }

const endpoints = new Map<string, (health: Health) => Promise<HttpAnswer>>([
  ['/healthz', async () => ({ status: 200, body: 'ok' })],
  [
    '/readyz',
    async ({ ready }) =>
      ready() ? { status: 200, body: 'ready' } : { status: 503, body: 'stopping' },
  ],
  [
    '/metrics',
    async ({ metrics }) =>
      metrics === null
        ? nothingHere
        : { status: 200, type: 'text/plain; version=0.0.4', body: await metrics() },
  ],
])

const forwarding = [
  ...['forwarded', 'via', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
]

const ourFault: HttpAnswer = { status: 500, body: 'Internal error.\n' }
