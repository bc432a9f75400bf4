import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Address } from '../config.ts'
import { answer, type HttpAnswer } from './http-answer.ts'

/** What an operator's tools ask for: a sign of life, whether people are taken in, and numbers. */
export interface Health {
  ready(): boolean
  /** In Prometheus' text format; null where there are none. */
  readonly metrics: (() => Promise<string>) | null
}

export const noSigns: Health = { ready: () => true, metrics: null }

/** Answers a request for one of the health; false where it is for something else. */
export const answerSign = (
  health: Health,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const sign = paths.get(path)
  if (sign === undefined) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') answer(response, onlyGet)
  else
    sign(health).then(
      found => answer(response, found),
      () => answer(response, ourFault),
    )
  return true
}

/** Whether a request comes from this machine, and not from somebody elsewhere by way of the TLS edge. */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  forwarding.every(header => headers[header] === undefined)

/**
 * Whether a request was made to this machine by a name of ours. A page that somebody opens here may have its own name
 * lead here (DNS rebinding), and then it comes by that name; by an address none can.
 */
export const isOwnName = (asked: string | undefined, host: string): boolean => {
  if (asked === undefined) return true
  const name = asked
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  return name === 'localhost' || name === host.toLowerCase() || isIP(name) !== 0
}

/** Scrapers are few, and whoever else comes must not use up what the process may open. */
const mostConnections = 64

/** Opens an address of its own for the health: whoever reaches it may have them. */
export const listenHealth = async (
  { host, port }: Address,
  health: Health,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!
    if (!answerSign(health, path, request, response)) answer(response, nothingHere)
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
export const onlyGet: HttpAnswer = {
  status: 405,
  body: 'Only GET and HEAD.\n',
  headers: { Allow: 'GET, HEAD', Connection: 'close' },
}
export const nothingHere: HttpAnswer = { status: 404, body: 'There is nothing here.\n' }

const paths = new Map<string, (health: Health) => Promise<HttpAnswer>>([
  ['/healthz', async () => ({ status: 200, body: 'ok' })],
  [
    '/readyz',
    async health =>
      health.ready() ? { status: 200, body: 'ready' } : { status: 503, body: 'stopping' },
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

const ourFault: HttpAnswer = { status: 500, body: 'A fault of ours.\n' }
