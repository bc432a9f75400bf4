import type { Logger } from 'pino'
import type { Refusal } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../config.ts'
import type { Meter } from '../meter.ts'
import type { PageTime } from '../producer.ts'
import { type Arrival, type Destroyable, Lobby } from './lobby.ts'
import { Lockouts } from './lockouts.ts'
import { Ration } from './ration.ts'
import { TurnedAway } from './turned-away.ts'

export interface PorterOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly meter: Meter
  readonly log: Logger
}

/** Where somebody comes in. What HTTP has that is no agent's stays in the lobby as long as it is there. */
export type Entrance = 'ssh' | 'http'

/**
 * Stands at both ports and knows where everybody comes from. Only counts: who is turned away is sent off by the wire, as
 * cheaply as it can. A source is an address as source.ts has it, or undefined where nobody can be held to account, which
 * is somebody on this machine; that is counted with the whole house alone.
 */
export class Porter {
  readonly #limits: Limits
  readonly #meter: Meter
  readonly #lobbies: Readonly<Record<Entrance, Lobby>>
  readonly #lockouts: Lockouts
  readonly #arrivals: Ration
  readonly #pageTime: Ration
  readonly #turnedAway: TurnedAway
  /** Connections by source. */
  readonly #connections = new Map<string, number>()
  #total = 0
  /** What guests do, one for them all. */
  readonly #told: Told = {
    entered: guest => this.#lobbies[guest.entrance].leave(guest.source ?? unknown, guest),
    failed: ({ entrance, source }, weight) => {
      this.#meter.loginFailed(entrance === 'ssh' ? 'ssh' : 'websocket')
      if (source !== undefined) this.#lockouts.failed(source, weight)
    },
    turnedBack: ({ source }) => {
      if (source !== undefined) this.#lockouts.failed(source, small)
    },
    succeeded: ({ source }) => {
      if (source !== undefined) this.#lockouts.succeeded(source)
    },
    left: guest => {
      this.#lobbies[guest.entrance].leave(guest.source ?? unknown, guest)
      this.#count(guest.source, -1)
    },
  }

  constructor({ clock, limits, meter, log }: PorterOptions) {
    this.#limits = limits
    this.#meter = meter
    this.#lobbies = {
      ssh: new Lobby(limits.arriving, limits.arrivingPerAddress),
      http: new Lobby(limits.requests, limits.arrivingPerAddress),
    }
    this.#lockouts = new Lockouts(clock, limits)
    this.#arrivals = new Ration(clock, limits.arrivals)
    this.#pageTime = new Ration(clock, limits.pageTime)
    this.#turnedAway = new TurnedAway(clock, log)
  }

  /** Everybody who is here, in whatever way. */
  get connections(): number {
    return this.#total
  }

  /** Why nobody from there may log in at present. */
  lockout(entrance: Entrance, source: string | undefined): Refusal | undefined {
    const retryAfter = source === undefined ? 0 : this.#lockouts.left(source)
    return retryAfter === 0
      ? undefined
      : this.#turnAway(entrance, source, {
          code: 'locked-out',
          detail: `too many failed logins from your address: try again in ${retryAfter} s`,
          retryAfter,
        })
  }

  /** Takes somebody into the lobby, or says why not. The connection is destroyed when somebody else needs the place. */
  receive(
    entrance: Entrance,
    source: string | undefined,
    connection: Destroyable,
  ): Guest | Refusal {
    const { connections, connectionsPerAddress, loginTime } = this.#limits
    if (this.#total >= connections) return this.#turnAway(entrance, source, full)
    if (source !== undefined && (this.#connections.get(source) ?? 0) >= connectionsPerAddress)
      return this.#turnAway(entrance, source, tooMany)
    const isCounted = entrance === 'ssh' && source !== undefined
    const retryAfter = isCounted ? this.#arrivals.left(source) : 0
    if (retryAfter > 0) return this.#turnAway(entrance, source, { ...tooOften, retryAfter })
    const guest = new Guest(entrance, source, connection, this.#told)
    const no = this.#lobbies[entrance].enter(source ?? unknown, source !== undefined, guest)
    if (no === 'full') return this.#turnAway(entrance, source, full)
    if (no === 'crowd')
      return this.#turnAway(entrance, source, { ...crowd, retryAfter: Math.ceil(loginTime / 1000) })
    if (isCounted) this.#arrivals.use(source, 1)
    this.#count(source, 1)
    return guest
  }

  /** Why no page is made for that source at present. */
  noPage(entrance: Entrance, source: string | undefined): Refusal | undefined {
    const retryAfter = this.pageTime.left(source)
    return retryAfter === 0
      ? undefined
      : this.#turnAway(entrance, source, {
          code: 'too-fast',
          detail: `pages for your address have taken too long to be made: try again in ${retryAfter} s`,
          retryAfter,
        })
  }

  /** What is made for readers: pages, the API, what the hub answers to a command. */
  readonly pageTime: PageTime = {
    left: source => (source === undefined ? 0 : this.#pageTime.left(source)),
    use: (source, ms) => {
      if (source !== undefined) this.#pageTime.use(source, ms)
    },
  }

  /** Says what is left to say. */
  close(): void {
    this.#turnedAway.close()
  }

  #count(source: string | undefined, by: 1 | -1): void {
    this.#total += by
    if (source === undefined) return
    const count = (this.#connections.get(source) ?? 0) + by
    if (count === 0) this.#connections.delete(source)
    else this.#connections.set(source, count)
  }

  #turnAway(entrance: Entrance, source: string | undefined, refusal: Refusal): Refusal {
    this.#meter.refused(refusal.code)
    this.#turnedAway.note(entrance, source, refusal.code)
    return refusal
  }
}

interface Told {
  entered(guest: Guest): void
  failed(guest: Guest, weight: number): void
  turnedBack(guest: Guest): void
  succeeded(guest: Guest): void
  left(guest: Guest): void
}

/** One connection or request, from its coming to its going. */
export class Guest implements Arrival {
  readonly entrance: Entrance
  readonly source: string | undefined
  readonly connection: Destroyable
  readonly #told: Told
  #judged = false
  #gone = false

  constructor(entrance: Entrance, source: string | undefined, connection: Destroyable, told: Told) {
    this.entrance = entrance
    this.source = source
    this.connection = connection
    this.#told = told
  }

  /** Waits in the lobby no longer. */
  entered(): void {
    this.#told.entered(this)
  }

  /** Could not prove who it is, which counts once. */
  failed(weight = 1): void {
    if (this.#judged || this.#gone) return
    this.#judged = true
    this.#told.failed(this, weight)
  }

  /** Went without a try, which cost us a little all the same. */
  turnedBack(): void {
    if (this.#judged || this.#gone) return
    this.#judged = true
    this.#told.turnedBack(this)
  }

  /** Has proved who it is. */
  succeeded(): void {
    if (this.#judged) return
    this.#judged = true
    this.#told.succeeded(this)
  }

  left(): void {
    if (this.#gone) return
    this.#gone = true
    this.#told.left(this)
  }
}

/** What is hardly a failure: five of them are one. */
export const small = 0.2

/** All whose source is not known are one crowd. */
const unknown = ''

const full: Refusal = {
  code: 'full',
  detail: 'the host has as many connections as it takes: try again in 10 s',
  retryAfter: 10,
}
/** For whoever has to go before they have logged in or asked for anything, because others need the place. */
export const madeRoom: Refusal = {
  code: 'full',
  detail:
    'the host has as many connections as it takes, and yours was the oldest that had said nothing: try again in 10 s',
  retryAfter: 10,
}
const tooMany: Refusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address: close some, or try again in 10 s',
  retryAfter: 10,
}
const tooOften: Refusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address one after the other: try again in a moment',
}
const crowd: Refusal = {
  code: 'too-many-connections',
  detail: 'too many connections from your address at the same time: try again in a moment',
}
