import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { openShell } from './dial-ssh.ts'

type Read = (chunk: Buffer) => void

/** Follows an event stream; `read` is given what comes. */
export const followEvents = (port: number, path: string, read: Read): Socket => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.on('data', read)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n`)
  return socket
}

/** Opens the hub as a guest, over a socket that is connected to its port. */
export const openHub = async (socket: Socket, read: Read): Promise<ssh2.ClientChannel> => {
  const client = new ssh2.Client()
  const failed = once(client, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  client.on('error', () => {})
  client.connect({ sock: socket, username: 'guest' })
  await Promise.race([once(client, 'ready'), failed])
  const stream = await openShell(client, 80, 24)
  stream.on('data', read)
  return stream
}
