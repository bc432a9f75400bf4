import ssh2 from 'ssh2'
import { WebSocket } from 'ws'
import type { Luck } from './luck.ts'
import type { Member } from './scene.ts'
import { byKey } from './ssh-client.ts'
import { Wire } from './wire.ts'

/** The outcome of one match of an honest agent. */
export interface Fate {
  /** What the host did wrong; null if nothing. */
  readonly fault: string | null
  /** Whether there was an opponent, and the match finished. */
  readonly played: boolean
  /** Milliseconds from connecting to `queued`. */
  readonly arrival: number
}

export interface Dial {
  readonly ports: { readonly ssh: number; readonly http: number }
  readonly member: Member
  readonly by: 'ssh' | 'websocket'
  readonly address: string
  readonly luck: Luck
  /** Milliseconds that it thinks about a move. */
  readonly thinks?: number
  /** Called when it sends a move; the function that it returns is called with the answer. */
  readonly moving?: () => () => void
}

/** Plays one rated match by the rules, against any opponent. */
export const playHonestly = (dial: Dial, game: string): Promise<Fate> =>
  new Promise(resolve => {
    const { member, luck } = dial
    const heard: string[] = []
    const dialled = performance.now()
    let arrival = Number.POSITIVE_INFINITY
    let settled = false
    let answered: (() => void) | undefined
    const settle = (fault: string | null, played = false) => {
      if (settled) return
      settled = true
      clearTimeout(patience)
      leave()
      resolve({ fault: fault && `${member.name} by ${dial.by}: ${fault}`, played, arrival })
    }
    const hear = (line: string) => {
      heard.push(line)
      const message = JSON.parse(line)
      answered?.()
      answered = undefined
      if (message.type === 'queued') arrival = performance.now() - dialled
      if (message.type === 'state' && message.yourTurn) {
        const { legal } = message.observation
        const move = legal === undefined ? { number: luck.from(1, 10) } : luck.pick(legal)
        const send = () => {
          if (settled) return
          if (legal === undefined || legal.length > 1) answered = dial.moving?.()
          say(JSON.stringify({ type: 'move', move }))
        }
        if (dial.thinks === undefined) send()
        else setTimeout(send, dial.thinks)
      }
      // A move may be sent while the opponent disconnects.
      if (message.type === 'error' && message.code !== 'not-your-turn')
        settle(message.code === 'no-opponent' ? null : line)
      if (message.type === 'result')
        if (message.outcome === 'loss' && message.reason !== undefined) settle(line)
        else settle(null, true)
    }
    const gone = () => settle(`the line was cut after ${heard.slice(-2).join(' ') || 'nothing'}`)
    const patience = setTimeout(
      () => settle(`no end in sight after ${heard.slice(-2).join(' ') || 'nothing'}`),
      longestMatch,
    )
    const { say, leave } =
      dial.by === 'ssh' ? bySsh(dial, game, hear, gone) : byWebSocket(dial, game, hear, gone)
  })

interface Way {
  say(line: string): void
  leave(): void
}

const bySsh = (
  { ports, member, address }: Dial,
  game: string,
  hear: (line: string) => void,
  gone: () => void,
): Way => {
  const { socket } = new Wire(ports.ssh, address)
  const client = new ssh2.Client()
  let say = (_: string) => {}
  client.on('error', () => {})
  client.on('close', gone)
  client.on('ready', () =>
    client.exec(game, (error, stream) => {
      if (error) return gone()
      say = line => stream.write(`${line}\n`)
      let rest = ''
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) hear(line)
      })
      stream.on('error', () => {})
      stream.on('close', gone)
    }),
  )
  client.connect({
    sock: socket,
    username: 'game',
    authHandler: [byKey('game', member.key)],
    readyTimeout: 0,
  })
  return { say: line => say(line), leave: () => client.end() }
}

const byWebSocket = (
  { ports, member, address }: Dial,
  game: string,
  hear: (line: string) => void,
  gone: () => void,
): Way => {
  const webSocket = new WebSocket(`ws://127.0.0.1:${ports.http}/play?game=${game}`, {
    headers: { Authorization: `Bearer ${member.token}` },
    localAddress: address,
  })
  webSocket.on('error', gone)
  webSocket.on('close', gone)
  webSocket.on('message', data => hear(String(data)))
  return { say: line => webSocket.send(line), leave: () => webSocket.close() }
}

/** An opponent may use all its time for every move. */
const longestMatch = 180_000
