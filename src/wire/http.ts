import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import type { Refusal } from '../arena/codes.ts'
import type { Timer } from '../clock.ts'
import type { Address } from '../config.ts'
import { Turns } from '../turns.ts'
import { type ConnectionLimiter, type ConnectionSlot, madeRoom } from './connection-limiter.ts'
import {
  answerSign,
  type Health,
  isLocal,
  isOwnName,
  noSigns,
  nothingHere,
  notOurName,
  onlyGet,
} from './health-endpoints.ts'
import { answer, answerUpgrade, type HttpAnswer, inFull, refused } from './http-answer.ts'
import { Rejections } from './rejections.ts'
import { behind, isTrusted } from './source.ts'
import { UnreadBytes } from './unread-bytes.ts'
import { type WebSocketOptions, WebSocketWire } from './websocket.ts'

export interface HttpOptions extends WebSocketOptions {
  readonly address: Address
  readonly connectionLimiter: ConnectionLimiter
  /** Those who are believed when they say whom they speak for. */
  readonly trustedProxies: BlockList
  /** The name of the house. */
  readonly host?: string
  /** What is told to this machine alone. */
  readonly health?: Health
  /** Whatever else is to be found here: everything but `/play` and the health is asked of it. */
  readonly pages?: Pages
}

/** Where making the answer takes a while it gives a promise of that. */
type Pages = (
  request: IncomingMessage,
  response: ServerResponse,
  source: string | undefined,
) => unknown

export interface HttpWire {
  readonly port: number
  /** How many agents are connected. */
  readonly agents: number
  /** Takes nobody in any more at once; whoever is here stays. */
  stopAccepting(): void
  /** Stops accepting, and is done when everybody has left or been cut. */
  close(): Promise<void>
}

/** Opens the HTTP address: agents at `/play`, a sign of health, and the pages. Nothing here is changed by a request. */
export const listenHttp = async (options: HttpOptions): Promise<HttpWire> => {
  const { address, clock, log, limits, connectionLimiter, trustedProxies } = options
  const { host = '', health = noSigns, pages = nothingThere } = options
  const webSockets = new WebSocketWire(options)
  const callers = new Map<Socket, Caller>()
  const farewells = new Rejections(clock)
  // However many ask for a page at once, a move waits for no more than a part of one of them.
  const turns = new Turns()
  const unread = new UnreadBytes()
  const stalled = () => clock.elapsed() - clock.now()
  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      // Node would go by the clock of the machine, and cut for our own stalls: see `expectRequest`.
      headersTimeout: 0,
      requestTimeout: 0,
      keepAliveTimeout: Math.min(5_000, limits.stallTime),
    },
    (request, response) => {
      // It has been told why it has to go.
      if (request.socket.writableEnded) return
      const caller = callers.get(request.socket)!
      caller.timer?.cancel()
      // A page that nobody takes, and an event stream that nobody reads.
      request.socket.setTimeout(limits.stallTime)
      if (++caller.requests > mostPipelined) {
        request.socket.destroy()
        return
      }
      const { source, guest } = asking(caller, request)
      response.on('close', () => {
        if (--caller.requests === 0 && callers.has(request.socket))
          expectRequest(request.socket, caller)
        if (guest !== caller.guest && !('code' in guest)) guest.left()
      })
      const [path] = splitUrl(request.url)
      const wrong = 'code' in guest ? refused(guest) : improper(request)
      if (wrong !== undefined) answerLast(response, wrong)
      else if (path === '/play') answer(response, upgradeRequired)
      else if (path === '/metrics' && isLocal(request) && !isOwnName(request.headers.host, host))
        answer(response, notOurName)
      else if (!isLocal(request) || !answerSign(health, path, request, response))
        turns.add(() => make(request, response, source), source)
    },
  )

  /** Looked at only now: of many requests at once the first may have used up the time for all. */
  const make = async (
    request: IncomingMessage,
    response: ServerResponse,
    source: string | undefined,
  ): Promise<void> => {
    if (response.destroyed) return
    if (unread.of(source) > mostUnread || unread.all > mostUnreadOfAll) {
      answerLast(response, refused(notRead))
      return
    }
    unread.add(source, response)
    const refusal = connectionLimiter.pageRefusal('http', source)
    if (refusal !== undefined) {
      answerLast(response, refused(refusal))
      return
    }
    const began = clock.elapsed()
    await pages(request, response, source)
    connectionLimiter.pageTime.use(source, clock.elapsed() - began)
  }

  // Before the parser has a connection it has to get past the connectionLimiter.
  const [parse] = server.listeners('connection') as [(socket: Socket) => void]
  server.off('connection', parse)
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress
    if (peer === undefined) {
      socket.on('error', () => {}).destroy()
      return
    }
    const guest = connectionLimiter.admit('http', behind(peer, undefined, trustedProxies), {
      destroy: () => {
        if (caller.requests === 0) farewells.tell(socket, inFull(refused(madeRoom)))
        else socket.destroy()
      },
    })
    if ('code' in guest) {
      farewells.tell(socket, inFull(refused(guest)))
      return
    }
    const caller: Caller = {
      guest,
      requests: 0,
      isTrusted: isTrusted(peer, trustedProxies),
      timer: null,
      stalled: stalled(),
    }
    callers.set(socket, caller)
    expectRequest(socket, caller)
    socket.on('close', gone)
    parse.call(server, socket)
  })

  /** A connection on which no whole request comes in time is told so, and closed. */
  function expectRequest(socket: Socket, caller: Caller): void {
    caller.timer?.cancel()
    caller.timer = clock.after(limits.loginTime, () => farewells.tell(socket, inFull(tooSlow)))
  }

  /** Nothing has moved for the stall time by the clock of the machine; while we stood still, nothing could. */
  server.on('timeout', (socket: Socket) => {
    const caller = callers.get(socket)
    if (caller === undefined || stalled() - caller.stalled < ownStall) socket.destroy()
    else {
      caller.stalled = stalled()
      socket.setTimeout(socket.timeout!)
    }
  })

  function gone(this: Socket): void {
    const caller = callers.get(this)!
    caller.timer?.cancel()
    caller.guest.left()
    callers.delete(this)
  }

  /** Who asks: the peer itself, or, request by request, whom a trusted one speaks for. */
  const asking = (caller: Caller, { socket, headers }: IncomingMessage): Asking => {
    const forwardedFor = headers['x-forwarded-for']?.toString()
    const source = behind(socket.remoteAddress ?? '', forwardedFor, trustedProxies)
    if (!caller.isTrusted || source === undefined) return { source, guest: caller.guest }
    caller.guest.left()
    return { source, guest: connectionLimiter.admit('http', source, socket) }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head) => {
    socket.on('error', () => socket.destroy())
    if (socket.writableEnded) return
    const [path, query] = splitUrl(request.url)
    // A client may ask for another protocol than we speak, as curl --http2 does: that is ignored (RFC 9110, section 7.8).
    if (!/^websocket$/i.test(request.headers.upgrade ?? '')) {
      socket.on('timeout', () => server.emit('timeout', socket))
      server.emit('request', request, responseTo(request, socket))
      return
    }
    try {
      const caller = callers.get(socket)!
      caller.timer?.cancel()
      const { source, guest } = asking(caller, request)
      if (!('code' in guest)) caller.guest = guest
      const wrong = improper(request)
      if ('code' in guest) answerUpgrade(socket, refused(guest))
      else if (wrong !== undefined) answerUpgrade(socket, wrong)
      else if (path !== '/play') answerUpgrade(socket, nothingHere)
      else {
        const lockout = connectionLimiter.lockout('http', source)
        if (lockout !== undefined) answerUpgrade(socket, refused(lockout))
        else
          webSockets.upgrade(request, socket, head, {
            query,
            guest,
            address: source ?? socket.remoteAddress ?? '',
          })
      }
    } catch (err) {
      log.error({ wire: 'websocket', err }, 'upgrade failed')
      answerUpgrade(socket, ourFault)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host || undefined, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', err => log.error({ wire: 'http', err }, 'listener failed'))
  const stopped = new Promise<void>(resolve => server.once('close', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get agents() {
      return webSockets.agents
    },
    stopAccepting: () => void server.close(),
    close: async () => {
      server.close()
      farewells.close()
      await webSockets.close()
      server.closeAllConnections()
      // Those that node has let go of for an upgrade that never was.
      for (const socket of callers.keys()) socket.destroy()
      await stopped
    },
  }
}

/** On a connection that node has let go of for an upgrade; it ends with this response. */
const responseTo = (request: IncomingMessage, socket: Socket): ServerResponse => {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  socket.on('drain', () => response.emit('drain'))
  socket.resume()
  response.on('finish', () => {
    response.detachSocket(socket)
    socket.end()
  })
  return response
}

/** One connection: who is at its other end, and what of it is not answered yet. */
interface Caller {
  guest: ConnectionSlot
  readonly isTrusted: boolean
  requests: number
  /** Runs while a request is waited for. */
  timer: Timer | null
  /** For how long we had stood still by when this was last looked at. */
  stalled: number
}

interface Asking {
  readonly source: string | undefined
  readonly guest: ConnectionSlot | Refusal
}

/** Milliseconds that we may stand still while a connection is quiet, without its being given more time. */
const ownStall = 1_000
/** More than any browser asks at once on one connection. */
const mostPipelined = 16
const longestUrl = 2_048

/** What is wrong with any request but to look at something. */
const improper = ({ method, url = '', headers }: IncomingMessage): HttpAnswer | undefined => {
  if (method !== 'GET' && method !== 'HEAD') return onlyGet
  if (url.length > longestUrl) return tooLong
  const length = headers['content-length']
  const hasBody = headers['transfer-encoding'] !== undefined || (length ?? '0') !== '0'
  return hasBody ? noBody : undefined
}

/**
 * Bytes of pages, made and not read yet, that one source may have, and all together: a page is made in milliseconds, and
 * kept until it is read.
 */
const mostUnread = 8 * 1024 * 1024
const mostUnreadOfAll = 64 * 1024 * 1024

const notRead: Refusal = {
  code: 'too-fast',
  detail: 'read what you have asked for before you ask for more: try again in 10 s',
  retryAfter: 10,
}

const splitUrl = (url = ''): readonly [path: string, query: string] => {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

const answerLast = (response: ServerResponse, last: HttpAnswer): void =>
  answer(response, { ...last, headers: { ...last.headers, Connection: 'close' } })

const tooSlow: HttpAnswer = { status: 408, body: 'No whole request came in time.\n' }
const tooLong: HttpAnswer = { status: 414, body: 'This address is too long.\n' }
const noBody: HttpAnswer = { status: 413, body: 'No body is taken here.\n' }
const upgradeRequired: HttpAnswer = {
  status: 426,
  body: 'This address speaks WebSocket: connect to /play?game=ttt&token=TOKEN with a WebSocket client.\n',
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
}
const ourFault: HttpAnswer = { status: 500, body: 'A fault of ours.\n' }

const nothingThere: Pages = (_, response) => answer(response, nothingHere)
