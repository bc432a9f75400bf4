import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** What one socket of a server has read and written, since it was last forgotten. */
interface Traffic {
  reads: number
  /** Each is what left in one system call, a character for each byte. */
  writes: string[]
}

/** Follows the sockets of all servers of this process, in the order in which clients connect, until it is stopped. */
export const followSockets = () => {
  const sockets: Traffic[] = []
  const follow = (message: unknown) => {
    const { socket } = message as { socket: Followed }
    const traffic: Traffic = { reads: 0, writes: [] }
    sockets.push(traffic)
    const { push, _write, _writev } = socket
    socket.push = (chunk, encoding) => {
      if (chunk !== null) traffic.reads++
      return push.call(socket, chunk, encoding)
    }
    socket._write = (chunk, encoding, done) => {
      traffic.writes.push(bytes(chunk, encoding))
      _write.call(socket, chunk, encoding, done)
    }
    socket._writev = (chunks, done) => {
      traffic.writes.push(chunks.map(({ chunk, encoding }) => bytes(chunk, encoding)).join(''))
      _writev.call(socket, chunks, done)
    }
  }
  subscribe('net.server.socket', follow)
  return { sockets, stop: () => unsubscribe('net.server.socket', follow) }
}

type Followed = Socket & Required<Pick<Socket, '_writev'>>

const bytes = (chunk: Buffer | string, encoding: BufferEncoding): string =>
  (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk).toString('latin1')
