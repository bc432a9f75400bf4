import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Code, Refusal } from '../arena/codes.ts'

/** A short answer in plain HTTP. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly type?: 'text/plain' | 'text/plain; version=0.0.4' | 'application/json'
  readonly headers?: { readonly [name: string]: string }
}

export const answer = (response: ServerResponse, answer: HttpAnswer): void => {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body)
}

/** Refuses an upgrade: Node leaves it to us to write the HTTP response. */
export const answerUpgrade = (socket: Duplex, answer: HttpAnswer): void => {
  socket.on('finish', () => socket.destroy())
  socket.end(inFull(answer))
}

/** The whole response, on a connection that is then closed. */
export const inFull = (answer: HttpAnswer): string => {
  const { status, body } = answer
  const headers = Object.entries({ ...headersOf(answer), Connection: 'close' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** A refusal as an HTTP response, with the same JSON as an error message. */
export const refused = ({ code, detail, retryAfter }: Refusal): HttpAnswer => {
  const status = statuses[code] ?? 401
  return {
    status,
    type: 'application/json',
    body: JSON.stringify({ type: 'error', error: detail, code, retryAfter }),
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
  }
}

const statuses: Partial<Record<Code, number>> = {
  banned: 403,
  'locked-out': 429,
  'too-many-connections': 429,
  'too-fast': 429,
  full: 503,
}

const headersOf = ({ body, type = 'text/plain', headers }: HttpAnswer) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Length': String(Buffer.byteLength(body)),
  'Cache-Control': 'no-store',
  ...headers,
})
