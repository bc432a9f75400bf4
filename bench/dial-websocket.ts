import { connect } from 'node:net'
import type { AgentConnection, AgentListener } from './agent.ts'

/**
 * Connects an agent by just enough WebSocket to play, so that the load costs less than the server: it reads text frames
 * of less than 64 KiB, and masks short ones.
 */
export const dialWebSocket = (
  port: number,
  target: string,
  /** Null where it comes in a message. */
  token: string | null,
  listener: AgentListener,
  /** The address of the agent, as the TLS edge would tell it. */
  forwardedFor?: string,
): AgentConnection => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(handshakeOf(port, target, token, forwardedFor), 'latin1')
  let unread = ''
  let upgraded = false
  socket.on('data', chunk => {
    unread += chunk.toString('latin1')
    if (!upgraded) {
      const end = unread.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!unread.includes(accept)) listener.received(unread)
      unread = unread.slice(end + 4)
      upgraded = true
      listener.opened?.()
    }
    let at = 0
    for (;;) {
      const start = at + (unread.charCodeAt(at + 1) === 126 ? 4 : 2)
      if (unread.length < start) break
      const length =
        start === at + 2
          ? unread.charCodeAt(at + 1)
          : unread.charCodeAt(at + 2) * 256 + unread.charCodeAt(at + 3)
      if (unread.length < start + length) break
      const opcode = unread.charCodeAt(at) & 15
      const payload = unread.slice(start, start + length)
      at = start + length
      if (opcode === 1) listener.received(payload)
      else if (opcode === 8) socket.end(masked(0x88, payload))
      else if (opcode === 9) socket.write(masked(0x8a, payload))
    }
    if (at > 0) unread = unread.slice(at)
  })
  socket.on('error', () => {})
  socket.on('close', () => listener.closed())
  return {
    send: text => socket.write(masked(0x81, text)),
    close: () => socket.write(masked(0x88, '\x03\xe8')),
  }
}

export const handshakeOf = (
  port: number,
  target: string,
  token: string | null,
  forwardedFor?: string,
): string => {
  const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`
  return (
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `${authorization}${forwarded}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`
  )
}

// The pair that RFC 6455 gives as its example.
const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='

const mask = [0x37, 0xfa, 0x21, 0x3d] as const

/** A frame of less than 126 bytes. */
export const masked = (first: number, payload: string): Buffer => {
  const frame = Buffer.allocUnsafe(6 + payload.length)
  frame[0] = first
  frame[1] = 0x80 | payload.length
  frame.set(mask, 2)
  for (let i = 0; i < payload.length; i++) frame[6 + i] = payload.charCodeAt(i) ^ mask[i % 4]!
  return frame
}
