import { connect, type Socket } from 'node:net'
import ssh2, { type ParsedKey, type PublicKeyAuthMethod } from 'ssh2'
import type { Dialled, Ear } from './load-agent.ts'

/** An agent's connection by SSH, with the game as its command. */
export const dialSsh = (port: number, key: ParsedKey, command: string, ear: Ear): Dialled => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const client = logIn(socket, key)
  let send: (text: string) => void = () => {}
  client.on('close', () => ear.closed())
  client.on('ready', () =>
    client.exec(command, (error, stream) => {
      if (error !== undefined) {
        client.end()
        return
      }
      send = text => stream.write(`${text}\n`)
      let rest = ''
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop()!
        for (const line of lines) ear.heard(line)
      })
      stream.on('error', () => {})
      stream.on('close', () => client.end())
    }),
  )
  return { send: text => send(text), leave: () => socket.destroy() }
}

/** Comes, is let in, and leaves. */
export const visitSsh = (port: number, key: ParsedKey): void => {
  const client = logIn(connect({ port, host: '127.0.0.1', noDelay: true }), key)
  client.on('ready', () => client.end())
}

/** A terminal of so many columns and rows, as people have one. */
export const openShell = (client: ssh2.Client, cols: number, rows: number) =>
  new Promise<ssh2.ClientChannel>((resolve, reject) =>
    client.shell({ term: 'xterm-256color', cols, rows }, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )

const logIn = (socket: Socket, key: ParsedKey): ssh2.Client => {
  const client = new ssh2.Client()
  const method: PublicKeyAuthMethod = { type: 'publickey', username: 'game', key }
  client.on('error', () => {})
  client.connect({
    sock: socket,
    username: 'game',
    authHandler: [method],
    // What OpenSSH would choose, whoever serves.
    algorithms: { kex: ['curve25519-sha256'], cipher: ['chacha20-poly1305@openssh.com'] },
  })
  return client
}
