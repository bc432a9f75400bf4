import { connect } from 'node:net'
import ssh2, { type ParsedKey, type PublicKeyAuthMethod } from 'ssh2'
import type { AgentConnection, AgentListener } from './agent.ts'

/** Connects an agent over SSH, with the game as its command. */
export const dialSsh = (
  port: number,
  key: ParsedKey,
  command: string,
  listener: AgentListener,
  /** The address to connect from, if not that of the server. */
  from = '127.0.0.1',
): AgentConnection => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  const client = new ssh2.Client()
  const method: PublicKeyAuthMethod = { type: 'publickey', username: 'game', key }
  let send: (text: string) => void = () => {}
  client.on('error', () => {})
  client.on('close', () => listener.closed())
  client.on('ready', () =>
    client.exec(command, (error, stream) => {
      if (error !== undefined) return client.end()
      send = text => stream.write(`${text}\n`)
      let rest = ''
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop()!
        for (const line of lines) listener.received(line)
      })
      stream.on('error', () => {})
      stream.on('close', () => client.end())
    }),
  )
  client.connect({
    sock: socket,
    username: 'game',
    authHandler: [method],
    // What OpenSSH chooses.
    algorithms: { kex: ['curve25519-sha256'], cipher: ['chacha20-poly1305@openssh.com'] },
  })
  return { send: text => send(text), close: () => socket.destroy() }
}
