import { connect } from 'node:net'
import ssh2, { type ParsedKey } from 'ssh2'
import type { Dialled, Ear } from './load-agent.ts'

/** An agent's connection by SSH, with the game as its command. */
export const dialSsh = (port: number, key: ParsedKey, command: string, ear: Ear): Dialled => {
  const client = logIn(port, key, () => ear.closed())
  let send: (text: string) => void = () => {}
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
  return { send: text => send(text), leave: () => client.end() }
}

/** Logs in, and leaves it at that. */
export const logIn = (port: number, key: ParsedKey, closed: () => void): ssh2.Client => {
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.on('close', closed)
  client.connect({
    sock: connect({ port, host: '127.0.0.1', noDelay: true }),
    username: 'game',
    // A key that has been read already is taken too, which the types do not know.
    privateKey: key as unknown as Buffer,
    // As OpenSSH has it, whoever serves.
    algorithms: { kex: ['curve25519-sha256'], cipher: ['chacha20-poly1305@openssh.com'] },
  })
  return client
}
