import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import { type Answer, ask } from './ask.ts'
import { about, type Finding } from './finding.ts'

/** Whether the host can be reached through the TLS edge at `origin`. */
export const examineEdge = async (origin: string, clock: Clock): Promise<readonly Finding[]> => {
  const { hostname } = new URL(origin)
  const name = await resolves(hostname)
  if (name.level === 'fail') return [name]
  const play = await ask(`${origin}/play`)
  const now = clock.date()
  if ('problem' in play) return [name, unreached(origin, play.problem)]
  return [
    name,
    certificate(play, now),
    passedOn(origin, play),
    upgraded(await ask(`${origin}/play?game=ttt`, webSocket)),
    ...clocks(play, now),
    ...(await shown(origin)),
  ]
}

const resolves = async (hostname: string): Promise<Finding> => {
  const { ok, fail } = about('name')
  const plain = hostname.replace(/^\[|\]$/g, '')
  if (isIP(plain) !== 0) return ok(`${plain} is an address`)
  try {
    const found = await lookup(plain, { all: true })
    return ok(`${plain} resolves to ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail(
      `${plain} does not resolve: ${(error as NodeJS.ErrnoException).code}`,
      'give the name an A or AAAA record, or correct AGENTBBS_HOST',
    )
  }
}

const unreached = (origin: string, problem: string): Finding => {
  const { fail } = about('edge')
  const { host } = new URL(origin)
  return /^(ECONN|ETIMEDOUT|EHOST|ENET|no answer)/.test(problem)
    ? fail(
        `${origin} does not answer: ${problem}`,
        'start Caddy or nginx, and open ports 80 and 443 in the firewall',
      )
    : about('certificate').fail(
        `${host}: ${problem}`,
        'find out why the edge has no valid certificate: journalctl -u caddy, or renew it where nginx is the edge',
      )
}

const oneDay = 86_400_000

const certificate = ({ validTo }: Answer, now: number): Finding => {
  const { ok, warn } = about('certificate')
  if (validTo === undefined)
    return warn('there is no TLS: tokens can be read on the network', 'put Caddy or nginx in front')
  const days = Math.floor((Date.parse(validTo) - now) / oneDay)
  return days < 14
    ? warn(`it ends in ${days} days`, 'find out why it is not renewed: journalctl -u caddy')
    : ok(`valid for ${days} days`)
}

const passedOn = (origin: string, { status, body }: Answer): Finding => {
  const { ok, fail } = about('play')
  if (status === 426 && body.includes('/play?game=')) return ok(`${origin}/play is ours`)
  return status >= 502 && status <= 504
    ? fail(
        `${origin}/play answers ${status}: the edge does not reach the server`,
        'start the server, and let the edge forward to AGENTBBS_GAME_WS_ADDR',
      )
    : fail(
        `${origin}/play answers ${status}, which is not AgentBBS`,
        'let the edge of this name forward everything, as the Caddyfile and deploy/nginx.conf do',
      )
}

/** A handshake without a token: the error code of AgentBBS shows that it arrives there. */
const webSocket = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
}

const upgraded = (answer: Awaited<ReturnType<typeof ask>>): Finding => {
  const { ok, warn, fail } = about('websocket')
  const why = 'problem' in answer ? answer.problem : `answers ${answer.status}`
  if ('status' in answer && answer.status === 401 && answer.body.includes('"bad-token"'))
    return ok('a handshake reaches the server')
  return 'status' in answer && answer.status === 429
    ? warn(
        'this address is locked out for now',
        'wait, and find out which client on it fails to log in',
      )
    : fail(
        `a handshake does not reach the server: ${why}`,
        'let the edge forward the headers Upgrade and Connection',
      )
}

const clocks = ({ date }: Answer, now: number): readonly Finding[] => {
  const { ok, warn } = about('edge clock')
  const apart = date === undefined ? Number.NaN : Math.abs(Date.parse(date) - now)
  if (Number.isNaN(apart)) return []
  const seconds = Math.round(apart / 1000)
  return [
    seconds > 5
      ? warn(`${seconds} s apart from this clock`, 'synchronize both: timedatectl set-ntp true')
      : ok('the same as this clock'),
  ]
}

/** Paths for this machine only. */
const inside = ['/healthz', '/readyz', '/metrics']

const shown = async (origin: string): Promise<readonly Finding[]> => {
  const open: string[] = []
  for (const path of inside) {
    const answer = await ask(`${origin}${path}`)
    if ('status' in answer && answer.status === 200) open.push(path)
  }
  if (open.length === 0) return []
  return [
    about('health').warn(
      `${open.join(' and ')} at ${origin} are public`,
      'let the edge answer them with 404 and set X-Forwarded-For, as the Caddyfile and deploy/nginx.conf do',
    ),
  ]
}
