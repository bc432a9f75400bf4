import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Address, addressText, type Config, settings } from '../config.ts'
import { speaksAgentGames } from '../hub/host-addresses.ts'
import { CallFailure } from '../outgoing/call-failure.ts'
import type { Ask } from './ask.ts'
import { about, type Finding } from './finding.ts'

/**
 * The addresses that the host listens on: held by our own server, or free for it. `runs` is whether it runs; it may
 * have been started a moment ago.
 */
export const examineListeners = async (
  config: Config,
  runs: boolean,
  ask: Ask,
): Promise<readonly Finding[]> => [
  await examine('ssh', config.ssh, runs, speaksSsh),
  await examine('http', config.http, runs, speaksHttp(ask, speaksAgentGames(config))),
  ...(typeof config.metrics === 'object'
    ? [await examine('metrics', config.metrics, runs, speaksOfItself(ask))]
    : []),
]

const examine = async (
  which: 'ssh' | 'http' | 'metrics',
  address: Address,
  runs: boolean,
  speaks: Speaks,
): Promise<Finding> => {
  const { ok, warn, fail } = about(which)
  const { variable } = settings[which]
  const where = `${variable}=${addressText(address)}`
  if (address.port === 0) return ok(`${where}: any port that is free`)
  const isHeld = await answers(address, runs ? triesWhileStarting : 1)
  if (!isHeld && runs)
    return fail(
      `${where}: no process listens there, but a server runs in the data folder`,
      'run this with the settings that the server has, and again if it is just starting or stopping',
    )
  // Listening could block a server that is about to start, so only if no process answers.
  const trouble = isHeld ? 'EADDRINUSE' : await troubleListening(address)
  if (trouble === 'EADDRINUSE') {
    const otherwise = await speaks(nearest(address), address.port)
    if (otherwise !== null)
      return fail(
        `${where} is held by another program, which ${otherwise}`,
        `find it with ss -ltnp 'sport = :${address.port}', or choose another port`,
      )
    return runs
      ? ok(`${where}: our server answers`)
      : fail(
          `${where} is held by a server of another data folder`,
          'stop that server, or set AGENTBBS_DATA to its folder',
        )
  }
  if (trouble === null) return ok(`${where} is free`)
  return trouble === 'EACCES'
    ? warn(
        `${where}: this user may not listen on ports below 1024`,
        'give the server the capability CAP_NET_BIND_SERVICE; see deploy/port-22.conf',
      )
    : fail(`${where}: ${trouble}`, 'give an address of this machine, or none for all interfaces')
}

/** Null for a healthy AgentBBS; otherwise what it does instead. */
type Speaks = (host: string, port: number) => Promise<string | null>

/** The error when listening there; null if it works. */
const troubleListening = async ({ host, port }: Address): Promise<string | null> => {
  const server = createServer()
  try {
    server.listen(port, host || undefined)
    await once(server, 'listening')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}

/** Tries for a server that runs but does not listen yet, because it checks its database first. */
const triesWhileStarting = 30
const pause = 100

const answers = async (address: Address, tries: number): Promise<boolean> => {
  for (let left = tries; ; await setTimeout(pause)) {
    if (await connects(address)) return true
    if (--left <= 0) return false
  }
}

const connects = (address: Address) =>
  new Promise<boolean>(resolve => {
    const socket = connect(address.port, nearest(address))
    socket.setTimeout(3_000, () => socket.destroy())
    socket.on('connect', () => {
      resolve(true)
      socket.end().resume()
    })
    socket.on('error', () => {}).on('close', () => resolve(false))
  })

const speaksSsh: Speaks = async (host, port) => {
  const line = await firstLine(host, port)
  return line.startsWith('SSH-2.0-AgentBBS') ? null : `says "${line.slice(0, 60)}"`
}

const speaksHttp =
  (ask: Ask, plays: boolean): Speaks =>
  async (host, port) => {
    const origin = `http://${addressText({ host, port })}`
    if (plays) {
      const play = await ask(`${origin}/play`)
      if (play instanceof CallFailure) return `does not answer: ${play.says}`
      if (play.status !== 426) return `answers ${play.status} at /play`
    }
    const health = await ask(`${origin}/healthz`)
    return health instanceof CallFailure || health.status !== 200
      ? 'reports at /healthz that it is not healthy'
      : null
  }

/** At an address of their own, health endpoints answer every client. */
const speaksOfItself =
  (ask: Ask): Speaks =>
  async (host, port) => {
    const health = await ask(`http://${addressText({ host, port })}/healthz`)
    if (health instanceof CallFailure) return `does not answer: ${health.says}`
    return health.status === 200 && health.body === 'ok' ? null : 'does not answer "ok" at /healthz'
  }

const firstLine = (host: string, port: number) =>
  new Promise<string>(resolve => {
    const socket = connect(port, host)
    let said = ''
    const done = () => {
      socket.destroy()
      resolve(said.split(/\r?\n/)[0]!)
    }
    socket.setTimeout(3_000, done)
    socket.setEncoding('latin1')
    socket.on('data', text => {
      said += text
      if (said.includes('\n') || said.length > 255) done()
    })
    socket.on('error', done).on('end', done)
  })

/** From this machine, a server on all interfaces is reached by the loopback address. */
const nearest = ({ host }: Address) =>
  host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
