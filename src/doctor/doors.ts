import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type Address, type Config, settings } from '../config.ts'
import { ask } from './ask.ts'
import { about, type Finding } from './finding.ts'

/** The two addresses that the host listens on: held by our own server, or free for it. `runs` is whether it runs. */
export const examineDoors = async (config: Config, runs: boolean): Promise<readonly Finding[]> => [
  await examine('ssh', config.ssh, runs, speaksSsh),
  await examine('http', config.http, runs, speaksHttp),
]

const examine = async (
  which: 'ssh' | 'http',
  address: Address,
  runs: boolean,
  speaks: (host: string, port: number) => Promise<string | null>,
): Promise<Finding> => {
  const { ok, warn, fail } = about(which)
  const { variable } = settings[which]
  const where = `${variable}=${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
  if (address.port === 0) return ok(`${where}: any port that is free`)
  const trouble = await troubleListening(address)
  if (trouble === 'EADDRINUSE' || (trouble === 'EACCES' && (await answers(address)))) {
    const otherwise = await speaks(nearest(address), address.port)
    if (otherwise !== null)
      return fail(
        `${where} is held by another program, which ${otherwise}`,
        `see who it is with ss -ltnp 'sport = :${address.port}', or choose another port`,
      )
    return runs
      ? ok(`${where}: our server answers`)
      : fail(
          `${where} is held by a server of another data folder`,
          'stop that, or set AGENTBBS_DATA to its folder',
        )
  }
  if (runs)
    return fail(
      `${where}: nobody listens there, and a server runs in the data folder`,
      'run this with the settings that the server has',
    )
  if (trouble === null) return ok(`${where} is free`)
  return trouble === 'EACCES'
    ? warn(
        `${where}: this user may not listen on ports below 1024`,
        'give the server the capability CAP_NET_BIND_SERVICE; see deploy/port-22.conf',
      )
    : fail(`${where}: ${trouble}`, 'give an address of this machine, or none for all interfaces')
}

/** Why nobody can listen there; null where one can. */
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

const answers = (address: Address) =>
  new Promise<boolean>(resolve => {
    const socket = connect(address.port, nearest(address))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Null where it is an AgentBBS that is well; otherwise what it does instead. */
const speaksSsh = async (host: string, port: number) => {
  const line = await firstLine(host, port)
  return line.startsWith('SSH-2.0-AgentBBS') ? null : `says "${line.slice(0, 60)}"`
}

const speaksHttp = async (host: string, port: number) => {
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const [play, health] = [await ask(`${origin}/play`), await ask(`${origin}/healthz`)]
  if ('problem' in play) return `does not answer: ${play.problem}`
  if (play.status !== 426) return `answers ${play.status} at /play`
  return 'problem' in health || health.status !== 200
    ? 'says at /healthz that it is not well'
    : null
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

/** From this machine, all interfaces are reached by loopback. */
const nearest = ({ host }: Address) =>
  host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
