import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The answer to a WebSocket handshake; undefined where the request is not a valid one. */
export const handshake = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers['sec-websocket-key']
  if (headers['sec-websocket-version'] !== '13') return undefined
  // 16 bytes in base64.
  if (key === undefined || !/^[+/0-9A-Za-z]{22}==$/.test(key)) return undefined
  const accept = hash('sha1', key + magic, 'base64')
  return (
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept}\r\n\r\n`
  )
}

// From RFC 6455, section 1.3.
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
