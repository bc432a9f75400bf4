import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type buildConnector, Client, type Dispatcher, errors } from 'undici'
import type { Clock, Timer } from '../clock.ts'
import { CallFailure, type FailureCause, quoted } from './call-failure.ts'
import { connectTo, type Network } from './connect.ts'
import type { CallAnswer, HttpRequest } from './http-request.ts'

/** A server that could not be connected to in this time is taken for unreachable. */
const connectTime = 3_000
const longestHead = 16 * 1024
const usualLongest = 64 * 1024
/** How many bytes may come in all for each that counts: what is around small chunks takes more than they do. */
const overhead = 4

export interface ExchangeOptions {
  readonly url: URL
  readonly request: HttpRequest
  readonly network: Network
  readonly clock: Clock
  /** When it has to be over, by `clock.now()`. */
  readonly until: number
}

/**
 * One request and its answer, over a connection of its own that is closed afterwards. To keep connections would save a
 * few round trips to players that are called every few seconds, and what is kept would have to be bounded and watched.
 */
export class Exchange {
  readonly answer: Promise<CallAnswer | CallFailure>
  readonly #url: URL
  readonly #network: Network
  readonly #longest: number
  readonly #client: Client
  readonly #timers: readonly Timer[]
  #resolve!: (result: CallAnswer | CallFailure) => void
  #reject!: (error: Error) => void
  #socket: Socket | null = null
  #phase: 'connecting' | 'tls' | 'open' = 'connecting'
  #validTo: string | undefined

  constructor({ url, request, network, clock, until }: ExchangeOptions) {
    this.#url = url
    this.#network = network
    this.#longest = request.longest ?? usualLongest
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#timers = [
      clock.after(until - clock.now(), () => this.#fail('timeout', 'did not answer in time')),
      clock.after(connectTime, () => {
        if (this.#phase !== 'open')
          this.#fail('unreachable', `could not be connected to within ${connectTime / 1000} s`)
      }),
    ]
    this.#client = new Client(url.origin, {
      connect: (_, connected) => this.#connect(connected),
      maxHeaderSize: longestHead,
      // The clock keeps all times.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const { method = 'GET', headers, body = null, upgrade = null } = request
    this.#client.dispatch(
      {
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': 'AgentBBS', 'accept-encoding': 'identity', ...headers },
        body,
        upgrade,
        reset: true,
      },
      this.#reader(),
    )
  }

  /** What comes later is ignored. */
  end(result: CallAnswer | CallFailure): void {
    this.#resolve(result)
    for (const timer of this.#timers) timer.cancel()
    void this.#client.destroy()
    this.#socket?.destroy()
  }

  #fail(cause: FailureCause, what: string, status?: number): void {
    const more = status === undefined ? {} : { status }
    this.end(new CallFailure(cause, `${this.#url.origin} ${what}`, more))
  }

  #connect(connected: buildConnector.Callback): void {
    const socket = connectTo(this.#url, this.#network, failure => this.end(failure))
    if (socket === null) return
    this.#socket = socket
    const open = () => {
      this.#phase = 'open'
      if (socket instanceof TLSSocket) this.#validTo = socket.getPeerCertificate().valid_to
      connected(null, socket)
      // Chunks may have extensions, and provisional answers may come before the answer: neither has an end by itself.
      const most = overhead * (longestHead + this.#longest)
      socket.on('readable', () => {
        if (socket.bytesRead > most) this.#fail('too-long', `sent more than ${most} bytes`)
      })
    }
    if (socket instanceof TLSSocket)
      socket
        .on('connect', () => {
          this.#phase = 'tls'
        })
        .on('secureConnect', open)
    else socket.on('connect', open)
    socket.on('error', error => this.#broken(error))
  }

  #broken(error: NodeJS.ErrnoException): void {
    // A request that cannot be sent, such as with a line break in a header, is an error of the caller.
    if (error instanceof errors.InvalidArgumentError) this.#reject(error)
    const why = error.code ?? error.message
    if (this.#phase === 'connecting') this.#fail('unreachable', `could not be connected to: ${why}`)
    else if (this.#phase === 'tls')
      this.#fail('tls', `does not speak TLS, or has no valid certificate: ${why}`)
    else if (/HEADERS?_OVERFLOW/.test(why))
      this.#fail('too-long', `answered with headers of more than ${longestHead} bytes`)
    else
      this.#fail(
        'broken',
        `ended the connection before its answer, or did not answer in HTTP: ${why}`,
      )
  }

  #reader(): Dispatcher.DispatchHandler {
    const chunks: Buffer[] = []
    let [length, status] = [0, 0]
    let headers: CallAnswer['headers'] = {}
    const done = () => {
      const body = Buffer.concat(chunks).toString()
      this.end({ status, headers, body, validTo: this.#validTo })
    }
    return {
      // undici takes a handler for one of its older kind without this.
      onRequestStart: () => {},
      onRequestUpgrade: (_, given, fields) => {
        status = given
        headers = fields
        done()
      },
      onResponseStart: (_, given, fields) => {
        status = given
        headers = fields
        const encoding = String(fields['content-encoding'] ?? 'identity')
        if (status < 200) return
        if (status >= 300 && status < 400)
          this.#fail(
            'redirect',
            `answered ${status} and leads to ${quoted(String(fields.location ?? ''))}, but redirects are not followed`,
            status,
          )
        else if (encoding.toLowerCase() !== 'identity')
          this.#fail(
            'compressed',
            `answered with content-encoding ${quoted(encoding)}, which was not asked for`,
            status,
          )
      },
      onResponseData: (_, chunk) => {
        length += chunk.length
        if (length <= this.#longest) chunks.push(chunk)
        else
          this.#fail('too-long', `answered ${status} with more than ${this.#longest} bytes`, status)
      },
      onResponseEnd: done,
      onResponseError: (_, error) => this.#broken(error),
    }
  }
}
