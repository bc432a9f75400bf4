import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Limits } from '../config.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { Meter } from '../meter.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { PageTime } from '../scheduling/text-stream.ts'
import { Lockouts } from './lockouts.ts'
import { RefusalLog } from './refusal-log.ts'
import {
  type Destroyable,
  type Unauthenticated,
  UnauthenticatedConnections,
} from './unauthenticated-connections.ts'

export interface ConnectionLimiterOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly meter: Meter
  readonly log: Logger
}

/** How a client connects. An HTTP request that is not an agent's counts as unauthenticated until it is over. */
export type Transport = 'ssh' | 'http'

/** What a rate brings in so many seconds may be used at once. */
const burstSeconds = 50

/**
 * The limits of connections on both ports: how many there are, at what rate they come, how many have not logged in, and
 * how many logins fail. It only counts; the wire tells the client about a refusal, as cheaply as it can. A source is an
 * address or network as source.ts has it, or undefined for a client on this machine, which counts in all alone.
 */
export class ConnectionLimiter {
  readonly #loginSeconds: number
  readonly #meter: Meter
  readonly #connections: ConcurrencyLimit<string>
  readonly #unauthenticated: Readonly<Record<Transport, UnauthenticatedConnections>>
  readonly #sshRate: TokenBuckets
  readonly #pageTime: TokenBuckets
  readonly #lockouts: Lockouts
  readonly #refusals: RefusalLog

  constructor({ clock, limits, meter, log }: ConnectionLimiterOptions) {
    const perSource = (perSecond: number) =>
      new TokenBuckets(clock, { perSecond, burst: burstSeconds * perSecond })
    this.#loginSeconds = Math.ceil(limits.loginTime / 1000)
    this.#meter = meter
    this.#connections = new ConcurrencyLimit({
      inAll: limits.connections,
      perKey: limits.connectionsPerAddress,
    })
    this.#unauthenticated = {
      ssh: new UnauthenticatedConnections(limits.unauthenticated, limits.unauthenticatedPerAddress),
      http: new UnauthenticatedConnections(limits.requests, limits.unauthenticatedPerAddress),
    }
    this.#sshRate = perSource(limits.sshConnectionRate)
    this.#pageTime = perSource(limits.pageTime)
    this.#lockouts = new Lockouts(clock, limits)
    this.#refusals = new RefusalLog(clock, log)
  }

  /** How many connections of every kind there are. */
  get connections(): number {
    return this.#connections.total
  }

  /** Why the source may not log in at present. */
  lockout(transport: Transport, source: string | undefined): WireRefusal | undefined {
    const retryAfter = source === undefined ? 0 : this.#lockouts.left(source)
    return retryAfter === 0
      ? undefined
      : this.#refuse(transport, source, {
          code: 'locked-out',
          detail: `too many failed logins from your address: try again in ${retryAfter} s`,
          retryAfter,
        })
  }

  /** Admits a connection that has not logged in, or refuses it. It is destroyed when another one needs its place. */
  admit(
    transport: Transport,
    source: string | undefined,
    connection: Destroyable,
  ): ConnectionSlot | WireRefusal {
    if (this.#connections.isFull()) return this.#refuse(transport, source, full)
    if (this.#connections.isFullFor(source)) return this.#refuse(transport, source, tooMany)
    const isRated = transport === 'ssh' && source !== undefined
    const retryAfter = isRated ? this.#sshRate.wait(source) : 0
    if (retryAfter > 0) return this.#refuse(transport, source, { ...tooOften, retryAfter })
    const slot = new ConnectionSlot(this, transport, source, connection)
    const exceeded = this.#unauthenticated[transport].add(slot)
    if (exceeded === 'in all') return this.#refuse(transport, source, full)
    if (exceeded === 'per source')
      return this.#refuse(transport, source, { ...tooManyAtOnce, retryAfter: this.#loginSeconds })
    if (isRated) this.#sshRate.spend(source, 1)
    this.#connections.enter(source)
    return slot
  }

  /** Why no page is made for the source at present. */
  pageRefusal(transport: Transport, source: string | undefined): WireRefusal | undefined {
    const retryAfter = this.pageTime.left(source)
    return retryAfter === 0
      ? undefined
      : this.#refuse(transport, source, {
          code: 'too-fast',
          detail: `pages for your address have taken too long to be made: try again in ${retryAfter} s`,
          retryAfter,
        })
  }

  /** The rate of what is made for readers: pages, the API, answers to commands in the hub. */
  readonly pageTime: PageTime = {
    left: source => (source === undefined ? 0 : this.#pageTime.wait(source)),
    use: (source, ms) => {
      if (source !== undefined) this.#pageTime.spend(source, ms)
    },
  }

  /** Logs the refusals that have not been logged yet. */
  close(): void {
    this.#refusals.close()
  }

  // What a connection tells of itself.

  authenticated(slot: ConnectionSlot): void {
    this.#unauthenticated[slot.transport].remove(slot)
  }

  attempt<T>({ source }: ConnectionSlot, login: () => Promise<T>): Promise<T> {
    return source === undefined ? login() : this.#lockouts.attempt(source, login)
  }

  loginFailed({ transport, source }: ConnectionSlot, weight: number): void {
    this.#meter.loginFailed(transport === 'ssh' ? 'ssh' : 'websocket')
    if (source !== undefined) this.#lockouts.failed(source, weight)
  }

  loginSkipped({ source }: ConnectionSlot): void {
    if (source !== undefined) this.#lockouts.failed(source, smallFailure)
  }

  loginSucceeded({ source }: ConnectionSlot): void {
    if (source !== undefined) this.#lockouts.succeeded(source)
  }

  left(slot: ConnectionSlot): void {
    this.authenticated(slot)
    this.#connections.leave(slot.source)
  }

  #refuse(transport: Transport, source: string | undefined, refusal: WireRefusal): WireRefusal {
    this.#meter.refused(refusal.code)
    this.#refusals.add(transport, source, refusal.code)
    return refusal
  }
}

/** One connection or request that was admitted, until it is over. Its login has one outcome, which counts once. */
export class ConnectionSlot implements Unauthenticated {
  readonly transport: Transport
  readonly source: string | undefined
  readonly connection: Destroyable
  readonly #limiter: ConnectionLimiter
  #hasOutcome = false
  #isOver = false

  constructor(
    limiter: ConnectionLimiter,
    transport: Transport,
    source: string | undefined,
    connection: Destroyable,
  ) {
    this.#limiter = limiter
    this.transport = transport
    this.source = source
    this.connection = connection
  }

  /** Does not count as unauthenticated any more. */
  authenticated(): void {
    this.#limiter.authenticated(this)
  }

  loginFailed(weight = 1): void {
    if (this.#isOutcome()) this.#limiter.loginFailed(this, weight)
  }

  /** Each of these counts: inside its session, a client may try one secret after another. */
  secretRefused(weight: number): void {
    this.#limiter.loginFailed(this, weight)
    this.#hasOutcome = true
  }

  /** Runs a login, which asks for a lockout first, when other logins of its source leave it a try. */
  attempt<T>(login: () => Promise<T>): Promise<T> {
    return this.#limiter.attempt(this, login)
  }

  /** Why the client may not log in at present. */
  lockout(): WireRefusal | undefined {
    return this.#limiter.lockout(this.transport, this.source)
  }

  /** The client left without trying to log in, which has cost the host a handshake. */
  loginSkipped(): void {
    if (this.#isOutcome()) this.#limiter.loginSkipped(this)
  }

  loginSucceeded(): void {
    if (this.#isOutcome()) this.#limiter.loginSucceeded(this)
  }

  left(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#limiter.left(this)
  }

  #isOutcome(): boolean {
    const isOutcome = !this.#hasOutcome && !this.#isOver
    this.#hasOutcome = true
    return isOutcome
  }
}

/** The weight of what is hardly a failed login: five of them count as one. */
export const smallFailure = 0.2

const full: WireRefusal = {
  code: 'full',
  detail: 'the host has as many connections as it takes: try again in 10 s',
  retryAfter: 10,
}
/** For a connection that is closed before its client has logged in or asked for anything, to make room for another. */
export const madeRoom: WireRefusal = {
  code: 'full',
  detail:
    'the host has as many connections as it takes, and yours was the oldest that had said nothing: try again in 10 s',
  retryAfter: 10,
}
const tooMany: WireRefusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address: close some, or try again in 10 s',
  retryAfter: 10,
}
const tooOften: WireRefusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address one after the other: try again in a moment',
}
const tooManyAtOnce: WireRefusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address at the same time: try again in a moment',
}
