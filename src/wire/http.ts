import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import type { Timer } from '../clock.ts'
import type { Address } from '../config.ts'
import { isRead, Waiting } from '../http/site.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { HttpAnswer } from '../protocols/protocol.ts'
import { type HttpClient, isBelow } from '../protocols/routes.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'
import { type ConnectionLimiter, type ConnectionSlot, madeRoom } from './connection-limiter.ts'
import { ConnectionLog } from './connection-log.ts'
import { ClientGate } from './gate.ts'
import {
  answerHealth,
  type Health,
  isLocal,
  isOwnName,
  nothingHere,
  notOurName,
  only,
  withoutMetrics,
} from './health-endpoints.ts'
import { answer, answerUpgrade, inFull } from './http-answer.ts'
import { Rejections } from './rejections.ts'
import { RequestBodies, tooSlow } from './request-bodies.ts'
import { behind, isTrusted } from './source.ts'
import { Unanswered } from './unanswered.ts'
import { UnreadBytes } from './unread-bytes.ts'
import { type WebSocketOptions, WebSocketWire } from './websocket.ts'
import { closeWithin, type WebSocketConnection } from './websocket-connection.ts'

export interface HttpOptions extends WebSocketOptions {
  readonly address: Address
  readonly connectionLimiter: ConnectionLimiter
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList
  /** The name of the host. */
  readonly host?: string
  /** The health endpoints, which only this machine may ask. */
  readonly health?: Health
  /** Words a refusal where no protocol owns the path, or none is known yet. */
  readonly refused: (refusal: WireRefusal) => HttpAnswer
  /** Answers every request but those to paths of WebSockets and the health endpoints. */
  readonly pages?: Pages
  /** The methods that have a route at a path. Without a route GET and HEAD are answered all the same, by 404. */
  readonly methods?: (path: string) => readonly string[]
}

/** Returns a promise while it works on the answer. It resolves with a `Waiting` if the answer has to wait for something. */
type Pages = (request: IncomingMessage, response: ServerResponse, client: HttpClient) => unknown

export interface HttpWire {
  readonly port: number
  /** How many agents are connected. */
  readonly agents: number
  /**
   * Refuses new WebSockets from now on, and all new connections; open ones stay. While sessions of clients that poll are kept, requests
   * are still answered, for the matches that go on.
   */
  stopAccepting(refusal: WireRefusal): void
  /** Dismisses all WebSockets, also those that have not logged in. */
  dismiss(refusal: WireRefusal): void
  /** Stops accepting. Resolves when all clients have left or been cut. */
  close(): Promise<void>
}

/** Serves HTTP: the WebSockets of protocols, the health endpoints, and the pages with all other routes. */
export const listenHttp = async (options: HttpOptions): Promise<HttpWire> => {
  const { address, clock, log, limits, connectionLimiter, trustedProxies } = options
  const { host = '', health = withoutMetrics, pages = nothingThere, refused } = options
  const { methods = () => [] } = options
  const webSockets = new WebSocketWire(options)
  const requestLog = new ConnectionLog('http', options)
  const callers = new Map<Socket, Caller>()
  /** The protocol that a path belongs to. */
  const protocolAt = (path: string) =>
    webSockets.at(path)?.protocol ??
    options.protocols.find(({ routes }) => routes !== undefined && isBelow(path, routes))
  const wordsAt = (path: string, refusal: WireRefusal) =>
    protocolAt(path)?.httpAnswer(refusal) ?? refused(refusal)
  const rejections = new Rejections(clock)
  let draining: WireRefusal | null = null
  // However much is asked for at once, a move waits for a part of one answer at most. Routes of protocols do not wait for pages.
  const [pageScheduler, scheduler] = [new FairScheduler(), new FairScheduler()]
  const unread = new UnreadBytes()
  const unanswered = new Unanswered()
  const bodies = new RequestBodies(clock, limits.loginTime)
  const stalled = () => clock.elapsed() - clock.now()
  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      // Node's own timeouts would also count the time in which this process stalls: see `expectRequest`.
      headersTimeout: 0,
      requestTimeout: 0,
      keepAliveTimeout: Math.min(5_000, limits.stallTime),
    },
    (request, response) => {
      // The client has been rejected.
      if (request.socket.writableEnded) return
      const caller = callers.get(request.socket)!
      caller.timer?.cancel()
      // For a page or an event stream that is not read.
      request.socket.setTimeout(limits.stallTime)
      if (++caller.requests > mostPipelined) {
        request.socket.destroy()
        return
      }
      const { source, slot } = sourceOfRequest(caller, request)
      unanswered.enter()
      response.on('close', () => {
        unanswered.leave()
        if (--caller.requests === 0 && callers.has(request.socket))
          expectRequest(request.socket, caller)
        if (slot !== caller.slot && !('code' in slot)) slot.left()
      })
      const [path] = splitUrl(request.url)
      if ('code' in slot) {
        answerLast(response, wordsAt(path, slot))
        return
      }
      const mounted = webSockets.at(path)
      const wrong = improper(request, path, methods)
      if (wrong !== undefined) refuse(caller, request, response, wrong)
      else if (mounted !== undefined) answer(response, mounted.at.plain)
      else if (path === '/metrics' && isLocal(request) && !isOwnName(request.headers.host, host))
        answer(response, notOurName)
      else if (isLocal(request) && answerHealth(health, path, request, response)) return
      else if (isRead(request)) {
        const isPage = protocolAt(path) === undefined
        const made = () => make(caller, request, response, source, slot)
        // The next page is made once this one is: the time that it takes counts for its source.
        if (isPage) pageScheduler.add(async () => (await made())?.until, source)
        else scheduler.add(made, source)
      } else
        bodies.read(request, response, source, wrong => {
          if (wrong !== undefined)
            refuse(caller, request, response, 'code' in wrong ? wordsAt(path, wrong) : wrong)
          else scheduler.add(() => make(caller, request, response, source, slot), source)
        })
    },
  )

  /** A client that is still sending a body is given time to read why it is refused. */
  const refuse = (
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    wrong: HttpAnswer,
  ): void => {
    // Answers to earlier requests, and to HEAD, are left to Node.
    if (!hasBody(request) || request.method === 'HEAD' || caller.requests > 1)
      answerLast(response, wrong)
    else {
      request.resume()
      rejections.send(request.socket, inFull(wrong))
    }
  }

  /** Checks the limits only now: of many requests at once the first may have used up the time for all. */
  const make = async (
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    source: string | undefined,
    slot: ConnectionSlot,
  ): Promise<Waiting | undefined> => {
    if (response.destroyed) return
    const [path] = splitUrl(request.url)
    if (unread.of(source) > mostUnread || unread.all > mostUnreadOfAll) {
      answerLast(response, wordsAt(path, notRead))
      return
    }
    unread.add(source, response)
    const refusal = connectionLimiter.pageRefusal('http', source)
    if (refusal !== undefined) {
      answerLast(response, wordsAt(path, refusal))
      return
    }
    const began = clock.elapsed()
    const gate = new ClientGate(options, protocolAt(path)?.id ?? '', slot, () =>
      requestLog.open(source ?? request.socket.remoteAddress ?? ''),
    )
    gate.opened({ dismiss: refusal => setImmediate(dismissed, response, path, refusal, gate) })
    response.on('close', () => gate.left())
    const outcome = await pages(request, response, { source, gate })
    connectionLimiter.pageTime.use(source, clock.elapsed() - began)
    if (!(outcome instanceof Waiting)) return
    caller.waiting++
    void outcome.until.then(() => caller.waiting--)
    return outcome
  }

  /**
   * Ends a request whose login is not valid any more. It is called a turn later: a session that was dismissed, too, or whose
   * match has just ended, may have an answer of its own.
   */
  const dismissed = (
    response: ServerResponse,
    path: string,
    refusal: WireRefusal,
    gate: ClientGate,
  ): void => {
    if (response.writableEnded) return
    try {
      if (response.headersSent) response.destroy()
      else answerLast(response, wordsAt(path, refusal))
    } catch (error) {
      gate.failed(error)
      response.destroy()
    }
  }

  // The limits come before the parser.
  const [parse] = server.listeners('connection') as [(socket: Socket) => void]
  server.off('connection', parse)
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress
    if (peer === undefined) {
      socket.on('error', () => {}).destroy()
      return
    }
    const slot = connectionLimiter.admit('http', behind(peer, undefined, trustedProxies), {
      destroy: () => makeRoom(caller, socket),
    })
    if ('code' in slot) {
      rejections.send(socket, inFull(refused(slot)))
      return
    }
    const caller: Caller = {
      slot,
      requests: 0,
      webSocket: null,
      waiting: 0,
      isTrusted: isTrusted(peer, trustedProxies),
      timer: null,
      stalled: stalled(),
    }
    callers.set(socket, caller)
    expectRequest(socket, caller)
    socket.on('close', gone)
    parse.call(server, socket)
  })

  /** Closes a connection whose place others need. */
  function makeRoom(caller: Caller, socket: Socket): void {
    if (caller.webSocket !== null) caller.webSocket.refuse(madeRoom)
    else if (caller.requests === 0) rejections.send(socket, inFull(refused(madeRoom)))
    else socket.destroy()
  }

  /** Rejects a connection on which no whole request comes in time. */
  function expectRequest(socket: Socket, caller: Caller): void {
    caller.timer?.cancel()
    caller.timer = clock.after(limits.loginTime, () => rejections.send(socket, inFull(tooSlow)))
  }

  /**
   * Nothing has moved for the stall time. It is given back to a client that has read everything while a route waits, and
   * for the time in which this process stalled, when nothing could move.
   */
  server.on('timeout', (socket: Socket) => {
    const caller = callers.get(socket)
    const isWaiting = caller !== undefined && caller.waiting > 0 && socket.writableLength === 0
    if (caller === undefined || (!isWaiting && stalled() - caller.stalled < ownStall))
      socket.destroy()
    else {
      caller.stalled = stalled()
      socket.setTimeout(socket.timeout!)
    }
  })

  function gone(this: Socket): void {
    const caller = callers.get(this)!
    caller.timer?.cancel()
    caller.slot.left()
    callers.delete(this)
  }

  /** The source of a request: the peer itself, or for each request the client behind a trusted proxy. */
  const sourceOfRequest = (caller: Caller, { socket, headers }: IncomingMessage): RequestSource => {
    const forwardedFor = headers['x-forwarded-for']?.toString()
    const source = behind(socket.remoteAddress ?? '', forwardedFor, trustedProxies)
    if (!caller.isTrusted || source === undefined) return { source, slot: caller.slot }
    caller.slot.left()
    const destroy = () => makeRoom(caller, socket)
    return { source, slot: connectionLimiter.admit('http', source, { destroy }) }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head) => {
    socket.on('error', () => socket.destroy())
    if (socket.writableEnded) return
    // Node has handed the connection over, and the answer to an earlier request has not left yet.
    if (callers.get(socket)?.requests !== 0) {
      socket.destroy()
      return
    }
    const [path, query] = splitUrl(request.url)
    // A client may ask for another protocol than we speak, as curl --http2 does: that is ignored (RFC 9110, section 7.8).
    if (!/^websocket$/i.test(request.headers.upgrade ?? '')) {
      socket.on('timeout', () => server.emit('timeout', socket))
      server.emit('request', request, responseTo(request, socket))
      return
    }
    upgrade(request, socket, head, path, query).catch(err => {
      log.error({ wire: 'websocket', err }, 'upgrade failed')
      answerUpgrade(socket, ourFault)
    })
  })

  const upgrade = async (
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    path: string,
    query: string,
  ): Promise<void> => {
    const caller = callers.get(socket)!
    caller.timer?.cancel()
    const { source, slot } = sourceOfRequest(caller, request)
    if (!('code' in slot)) caller.slot = slot
    const wrong = isRead(request) ? improper(request, path, methods) : only([])
    const mounted = webSockets.at(path)
    if ('code' in slot) answerUpgrade(socket, wordsAt(path, slot))
    else if (wrong !== undefined) answerUpgrade(socket, wrong)
    else if (mounted === undefined) answerUpgrade(socket, nothingHere)
    else if (draining !== null) answerUpgrade(socket, wordsAt(path, draining))
    else {
      const address = source ?? socket.remoteAddress ?? ''
      const client = { query, slot, mounted, address }
      caller.webSocket = (await webSockets.upgrade(request, socket, head, client)) ?? null
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host || undefined, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', err => log.error({ wire: 'http', err }, 'listener failed'))
  const within = (ms: number, done: Promise<void>): Promise<void> =>
    new Promise(resolve => {
      const timer = clock.after(ms, resolve)
      void done.then(() => {
        timer.cancel()
        resolve()
      })
    })
  const stopped = new Promise<void>(resolve => server.once('close', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get agents() {
      return webSockets.agents
    },
    stopAccepting: refusal => {
      draining = refusal
      // Clients that poll make new connections for their matches.
      void options.roster.noneKept().then(() => server.close())
    },
    dismiss: refusal => webSockets.dismiss(refusal),
    close: async () => {
      // Clients that poll come for their last news.
      await within(closeWithin, options.roster.noneKept())
      server.close()
      rejections.close()
      await webSockets.close()
      // For answers that are on their way, as to requests that have been dismissed just before.
      await within(closeWithin, unanswered.none())
      server.closeAllConnections()
      // Node does not know the connections that it has handed over for an upgrade.
      for (const socket of callers.keys()) socket.destroy()
      await stopped
    },
  }
}

/** A response on a connection that Node has handed over for an upgrade; the connection closes after it. */
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

/** One connection, and its requests that have not been answered yet. */
interface Caller {
  slot: ConnectionSlot
  readonly isTrusted: boolean
  requests: number
  /** What the connection has become. */
  webSocket: WebSocketConnection | null
  /** How many of them wait for something in a route. */
  waiting: number
  /** Runs while a request is awaited. */
  timer: Timer | null
  /** For how long this process had stalled in all when that was last looked at. */
  stalled: number
}

interface RequestSource {
  readonly source: string | undefined
  readonly slot: ConnectionSlot | WireRefusal
}

/** Milliseconds of our own stalls for which a quiet connection gets no more time. */
const ownStall = 1_000
/** More requests than any browser sends at once on one connection. */
const mostPipelined = 16
const longestUrl = 2_048

/** Why a request is refused: only short requests are taken, and bodies only where a route is there for them. */
const improper = (
  request: IncomingMessage,
  path: string,
  methods: (path: string) => readonly string[],
): HttpAnswer | undefined => {
  const { method = '', url = '', headers } = request
  if (!isRead(request)) {
    const allowed = methods(path)
    if (!allowed.includes(method)) return only(allowed)
    // What follows the head of an upgrade is not read as a body.
    if (headers.upgrade !== undefined) return noUpgrade
  }
  if (url.length > longestUrl) return tooLong
  return hasBody(request) && isRead(request) ? noBody : undefined
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Bytes of pages that were made and have not been read, for one source and in all: a page is made in milliseconds, and
 * stays in memory until it is read.
 */
const mostUnread = 8 * 1024 * 1024
const mostUnreadOfAll = 64 * 1024 * 1024

const notRead: WireRefusal = {
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

const tooLong: HttpAnswer = { status: 414, body: 'This address is too long.\n' }
const noBody: HttpAnswer = { status: 413, body: 'No body is taken here.\n' }
const noUpgrade: HttpAnswer = {
  status: 400,
  body: 'Only GET and HEAD may ask for another protocol: leave out the header Upgrade.\n',
}
const ourFault: HttpAnswer = { status: 500, body: 'Internal error.\n' }

const nothingThere: Pages = (_, response) => answer(response, nothingHere)
