import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpAnswer } from '../protocols/protocol.ts'

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

const headersOf = ({ body, type = 'text/plain', headers }: HttpAnswer) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Length': String(Buffer.byteLength(body)),
  'Cache-Control': 'no-store',
  ...headers,
})
