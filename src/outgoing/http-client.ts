import type { Clock } from '../clock.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { Meter } from '../meter.ts'
import { CallFailure, type FailureCause, quoted } from './call-failure.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { type Network, refusalOfUrl } from './connect.ts'
import { Exchange } from './exchange.ts'
import type { CallAnswer, HttpRequest } from './http-request.ts'
import { resolveByDns } from './resolve.ts'

export interface HttpClientOptions
  extends Omit<Network, 'resolve'>,
    Partial<Pick<Network, 'resolve'>> {
  readonly clock: Clock
  readonly meter: Meter
}

const usualTime = 10_000
/** An endpoint that was forgotten only has its failures forgotten. */
const mostEndpoints = 1_000
/** Each takes a file descriptor, and 64 KiB of memory for its answer. */
const callsAtOnce = { perKey: 20, inAll: 500 }
/** The waits before retries, as league.v2 has them. */
export const retryWaits = [1_000, 2_000, 4_000] as const

/** With these the request did not arrive, or another try may find the server well. */
const retried: ReadonlySet<FailureCause> = new Set([
  'no-name',
  'unreachable',
  'broken',
  'status',
  'busy',
])

/**
 * Calls other servers over HTTP, and never throws for what they do. It follows no redirects, sends no cookies, uses no
 * proxy, and reads no more than it was told. An _endpoint_ is a whole URL, so the players of one server do not lose by each other's
 * failures; an _origin_ is scheme, host and port.
 */
export class HttpClient {
  readonly #clock: Clock
  readonly #meter: Meter
  readonly #network: Network
  readonly #breakers = new BoundedMap<string, CircuitBreaker>(mostEndpoints)
  readonly #underWay = new ConcurrencyLimit<string>(callsAtOnce)
  /** What `close` ends: exchanges, and the waits before retries. */
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor({ clock, meter, resolve = resolveByDns(), ...network }: HttpClientOptions) {
    this.#clock = clock
    this.#meter = meter
    this.#network = { ...network, resolve }
  }

  /**
   * What `read` makes of the answer, which may be a failure too: like all others it counts for the circuit breaker, and
   * one of a status of 500 or more may be retried.
   */
  async call<T>(
    request: HttpRequest,
    read: (answer: CallAnswer) => T | CallFailure,
  ): Promise<T | CallFailure> {
    const since = this.#clock.elapsed()
    const result = await this.#call(request, read)
    this.#meter.called(
      result instanceof CallFailure ? result.cause : 'ok',
      this.#clock.elapsed() - since,
    )
    return result
  }

  /** Why no call can be made to this URL, as far as that is known before it is made; null where one can. */
  async refusal(given: string): Promise<CallFailure | null> {
    const url = urlOf(given)
    return url instanceof CallFailure ? url : refusalOfUrl(url, this.#network)
  }

  /** Ends all calls. */
  close(): void {
    this.#isClosed = true
    for (const end of [...this.#ends]) end()
  }

  async #call<T>(request: HttpRequest, read: Read<T>): Promise<T | CallFailure> {
    const url = urlOf(request.url)
    if (url instanceof CallFailure) return url
    const until = this.#clock.now() + (request.within ?? usualTime)
    const { perTry = Number.POSITIVE_INFINITY } = request
    const mayRetry = ({ cause, status }: CallFailure) =>
      cause === 'timeout'
        ? request.perTry !== undefined
        : retried.has(cause) && (status === undefined || status >= 500)
    for (let tries = 0; ; tries++) {
      const result = await this.#try(
        url,
        request,
        read,
        Math.min(until, this.#clock.now() + perTry),
      )
      const wait = tries < (request.retries ?? 0) ? retryWaits[tries] : undefined
      if (!(result instanceof CallFailure) || wait === undefined || !mayRetry(result)) return result
      if (this.#clock.now() + wait >= until) return result
      await this.#pause(wait)
    }
  }

  async #try<T>(
    url: URL,
    request: HttpRequest,
    read: Read<T>,
    until: number,
  ): Promise<T | CallFailure> {
    const { origin } = url
    const endpoint = `${origin}${url.pathname}${url.search}`
    const breaker = this.#breakers.get(endpoint) ?? new CircuitBreaker(this.#clock, isFailure)
    this.#breakers.set(endpoint, breaker)
    if (this.#isClosed) return closed
    if (breaker.wait > 0)
      return new CallFailure(
        'circuit-open',
        `${origin} is not called for ${breaker.wait} s, because the last calls to it failed`,
        { retryAfter: breaker.wait },
      )
    if (this.#underWay.isFull() || this.#underWay.isFullFor(origin))
      return new CallFailure('busy', `${origin} is not called: too many calls are under way`, {
        retryAfter: 1,
      })
    this.#underWay.enter(origin)
    try {
      return await breaker.run(async () => {
        const answer = await this.#exchange(url, request, until)
        return answer instanceof CallFailure ? answer : read(answer)
      })
    } finally {
      this.#underWay.leave(origin)
    }
  }

  async #exchange(url: URL, request: HttpRequest, until: number) {
    const exchange = new Exchange({
      url,
      request,
      until,
      network: this.#network,
      clock: this.#clock,
    })
    const end = () => exchange.end(closed)
    this.#ends.add(end)
    try {
      return await exchange.answer
    } finally {
      this.#ends.delete(end)
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        timer.cancel()
        this.#ends.delete(end)
        resolve()
      }
      const timer = this.#clock.after(ms, end)
      this.#ends.add(end)
    })
  }
}

type Read<T> = (answer: CallAnswer) => T | CallFailure

const isFailure = (result: unknown) => result instanceof CallFailure

const closed = new CallFailure('closed', 'no calls are made any more: the host is stopping')

const longestUrl = 2_048

const urlOf = (text: string): URL | CallFailure => {
  // Only up to a user and password, which are secret.
  const shown = quoted(text.replace(/^.*@/, '…@').slice(0, 80))
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || text.length > longestUrl || !/^https?:$/.test(url.protocol))
    return new CallFailure(
      'bad-url',
      `${shown} is no URL that can be called: give http:// or https://, a host, and at most ${longestUrl} characters`,
    )
  return url.username + url.password === ''
    ? url
    : new CallFailure('bad-url', `${url.origin} was given with a user or password: leave them out`)
}
