import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import { CallFailure } from '../outgoing/call-failure.ts'
import type { CallAnswer } from '../outgoing/http-request.ts'
import { readJson } from '../outgoing/read-json.ts'
import { type Ask, addressesOf } from './ask.ts'
import { about, type Finding } from './finding.ts'

/** Whether the host can be reached through the TLS edge at `origin`, and its agents at /play if `plays`. */
export const examineEdge = async (
  origin: string,
  clock: Clock,
  ask: Ask,
  plays: boolean,
): Promise<readonly Finding[]> => {
  const { hostname } = new URL(origin)
  const name = await resolves(hostname)
  if (name.level === 'fail') return [name]
  // Again once: an edge that loads a new certificate may drop a connection.
  const page = await ask(plays ? `${origin}/play` : `${origin}/games`, { retries: 1 })
  const now = clock.date()
  if (page instanceof CallFailure) return [name, unreached(page)]
  const agents = plays
    ? [passedOn(origin, page), upgraded(await ask(`${origin}/play?game=ttt`, webSocket))]
    : [passedOnPages(origin, page)]
  return [
    name,
    certificate(page, now),
    ...agents,
    ...clocks(page, now),
    ...(await shown(origin, ask)),
  ]
}

const resolves = async (hostname: string): Promise<Finding> => {
  const { ok, fail } = about('name')
  const plain = hostname.replace(/^\[|\]$/g, '')
  if (isIP(plain) !== 0) return ok(`${plain} is an address`)
  try {
    return ok(`${plain} resolves to ${(await addressesOf(plain)).join(', ')}`)
  } catch (error) {
    return fail(
      `${plain} does not resolve: ${(error as NodeJS.ErrnoException).code}`,
      'give the name an A or AAAA record, or correct AGENTBBS_HOST',
    )
  }
}

const unreached = ({ cause, says }: CallFailure): Finding => {
  if (cause === 'tls')
    return about('certificate').fail(
      says,
      'find out why the edge has no valid certificate: journalctl -u caddy, or renew it where nginx is the edge',
    )
  if (cause === 'redirect')
    return about('play').fail(says, 'give the URL that it leads to, with --edge')
  return about('edge').fail(says, 'start Caddy or nginx, and open ports 80 and 443 in the firewall')
}

const oneDay = 86_400_000

const certificate = ({ validTo }: CallAnswer, now: number): Finding => {
  const { ok, warn } = about('certificate')
  if (validTo === undefined)
    return warn('there is no TLS: tokens can be read on the network', 'put Caddy or nginx in front')
  const days = Math.floor((Date.parse(validTo) - now) / oneDay)
  return days < 14
    ? warn(`it ends in ${days} days`, 'find out why it is not renewed: journalctl -u caddy')
    : ok(`valid for ${days} days`)
}

const passedOn = (origin: string, { status, body }: CallAnswer): Finding =>
  status === 426 && body.includes('/play?game=')
    ? about('play').ok(`${origin}/play is ours`)
    : astray('play', `${origin}/play`, status)

const passedOnPages = (origin: string, { status, body }: CallAnswer): Finding =>
  status === 200 && body.includes('AgentBBS')
    ? about('pages').ok(`${origin}/games is ours`)
    : astray('pages', `${origin}/games`, status)

const astray = (check: string, url: string, status: number): Finding => {
  const { fail } = about(check)
  return status >= 502 && status <= 504
    ? fail(
        `${url} answers ${status}: the edge does not reach the server`,
        'start the server, and let the edge forward to AGENTBBS_GAME_WS_ADDR',
      )
    : fail(
        `${url} answers ${status}, which is not AgentBBS`,
        'let the edge of this name forward everything, as the Caddyfile and deploy/nginx.conf do',
      )
}

/** A handshake without a token: the error code of AgentBBS shows that it arrives there. */
const webSocket = {
  upgrade: 'websocket',
  headers: {
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  },
}

const upgraded = (answer: CallAnswer | CallFailure): Finding => {
  const { ok, warn, fail } = about('websocket')
  const isFailure = answer instanceof CallFailure
  const why = isFailure ? answer.says : `answers ${answer.status}`
  if (!isFailure && isBadToken(answer)) return ok('a handshake reaches the server')
  return answer.status === 429
    ? warn(
        'this address is locked out for now',
        'wait, and find out which client on it fails to log in',
      )
    : fail(
        `a handshake does not reach the server: ${why}`,
        'let the edge forward the headers Upgrade and Connection',
      )
}

const isBadToken = (answer: CallAnswer) => {
  const told = readJson(answer)
  return told instanceof Object && 'code' in told && told.code === 'bad-token'
}

const clocks = ({ headers: { date } }: CallAnswer, now: number): readonly Finding[] => {
  const { ok, warn } = about('edge clock')
  const apart = Math.abs(Date.parse(String(date)) - now)
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

const shown = async (origin: string, ask: Ask): Promise<readonly Finding[]> => {
  const open: string[] = []
  for (const path of inside) {
    const answer = await ask(`${origin}${path}`)
    if (answer.status === 200) open.push(path)
  }
  if (open.length === 0) return []
  return [
    about('health').warn(
      `${open.join(' and ')} at ${origin} are public`,
      'let the edge answer them with 404 and set X-Forwarded-For, as the Caddyfile and deploy/nginx.conf do',
    ),
  ]
}
