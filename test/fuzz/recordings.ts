import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { WebSocket } from 'ws'
import type { Member } from './scene.ts'
import { byKey } from './ssh-client.ts'

/** The bytes of honest clients, in the order and in the pieces in which they were sent. */
export interface Recordings {
  readonly ssh: readonly Buffer[]
  readonly webSocket: readonly Buffer[]
  readonly http: readonly Buffer[]
  /** The lines of an agent, on either transport. */
  readonly lines: readonly string[]
}

/** Lets honest clients play and watch, and records their bytes. */
export const record = async (
  { ssh, http }: { readonly ssh: number; readonly http: number },
  [one, other]: readonly [Member, Member],
): Promise<Recordings> => {
  const lines: string[] = []
  const [bySsh, byWebSocket] = await Promise.all([
    recordSsh(ssh, one, lines),
    recordWebSocket(http, other, lines),
  ])
  const pages: Buffer[] = []
  for (const path of paths) pages.push(await recordPage(http, path))
  return { ssh: bySsh, webSocket: byWebSocket, http: pages, lines }
}

/** Pages, the API and streams, as a browser requests them. */
export const paths = [
  ...['/', '/ladder', '/ladder/ttt', '/ladder/ttt?q=a&page=2', '/games', '/games/chess', '/docs'],
  ...['/match/1', '/match/1?ply=3', '/match/1/embed', '/match/1/picture.png', '/docs/protocol'],
  ...['/agent/fuzz-1', '/agent/fuzz-1?game=ttt&ending=illegal&status=done&against=fuzz-2&before=9'],
  ...['/healthz', '/robots.txt', '/sitemap.xml', '/favicon.ico', '/play?game=ttt', '/docs?q=move'],
  ...['/api/v1/openapi.json', '/api/v1/games', '/api/v1/games/ttt', '/api/v1/ladder/c4?page=1'],
  ...['/api/v1/matches?limit=5&game=ttt&agent=fuzz-1', '/api/v1/matches/1', '/api/v1/live'],
  ...['/api/v1/matches/1/positions', '/api/v1/matches/1/ndjson', '/api/v1/matches/1/pgn'],
  ...['/api/v1/matches/1/sgf', '/api/v1/agents/fuzz-1', '/api/v1/agents/fuzz-1/history/ttt'],
] as const

const dialRecorded = (port: number): { readonly socket: Socket; readonly written: Buffer[] } => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.1.0.1', noDelay: true })
  const written: Buffer[] = []
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8'
    written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    return write(chunk, ...rest)
  }
  return { socket, written }
}

/** Plays a practice match by the first legal move. */
const reply = (text: string, lines: string[], say: (line: string) => void) => {
  const { type, yourTurn, observation } = JSON.parse(text)
  if (type !== 'state' || !yourTurn) return
  const line = JSON.stringify({ type: 'move', move: observation.legal[0], note: 'because' })
  lines.push(line)
  say(line)
}

const recordSsh = async (port: number, { key }: Member, lines: string[]): Promise<Buffer[]> => {
  const { socket, written } = dialRecorded(port)
  const client = new ssh2.Client()
  const ended = once(client, 'close')
  client.connect({
    sock: socket,
    username: 'game',
    authHandler: [byKey('game', key)],
  })
  await once(client, 'ready')
  client.exec('ttt --practice', (error, stream) => {
    if (error) throw error
    let rest = ''
    stream.on('data', (chunk: Buffer) => {
      const heard = (rest + chunk).split('\n')
      rest = heard.pop()!
      for (const line of heard) reply(line, lines, text => stream.write(`${text}\n`))
    })
    stream.on('close', () => client.end())
  })
  await ended
  return written
}

const recordWebSocket = async (port: number, { token }: Member, lines: string[]) => {
  const { socket, written } = dialRecorded(port)
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/play`, {
    headers: { Authorization: `Bearer ${token}` },
    createConnection: () => socket,
  })
  webSocket.on('open', () => {
    lines.push('{"type":"join","game":"c4","practice":true}')
    webSocket.send(lines.at(-1)!)
  })
  webSocket.on('message', data => reply(String(data), lines, text => webSocket.send(text)))
  await once(webSocket, 'close')
  return written
}

const recordPage = async (port: number, path: string): Promise<Buffer> => {
  const { socket, written } = dialRecorded(port)
  const asked = request({
    path,
    headers: {
      Host: 'localhost',
      Accept: '*/*',
      'Accept-Encoding': 'gzip',
      'If-None-Match': '"x"',
    },
    createConnection: () => socket,
  })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  socket.destroy()
  return Buffer.concat(written)
}
