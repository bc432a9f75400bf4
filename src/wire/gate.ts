import { internalError } from '../arena/codes.ts'
import type { Timer } from '../clock.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Session } from '../protocols/connection.ts'
import type { SecretKind } from '../protocols/credentials.ts'
import { type Gate, type LoggedIn, unknownSecret } from '../protocols/gate.ts'
import type { Accounts, Login, Present, Roster } from './accounts.ts'
import { type ConnectionSlot, smallFailure } from './connection-limiter.ts'
import type { ConnectionEntry } from './connection-log.ts'

/** Whom a gate asks. */
export interface GateKeepers {
  readonly accounts: Accounts
  readonly roster: Roster
}

/**
 * Lets in one client: a WebSocket, from its handshake to its end, or one HTTP request. From the login until something has
 * been opened, the gate itself has the place of the client in the roster.
 */
export class ClientGate implements Gate, Present {
  readonly #keepers: GateKeepers
  readonly #protocol: string
  readonly #slot: ConnectionSlot
  /** Makes the entry when it is first needed, because most requests never log in. Null after that: it holds on to the request. */
  #openEntry: (() => ConnectionEntry) | null
  #entry: ConnectionEntry | null = null
  #login: Login | null = null
  #secret = ''
  #isLoggingIn = false
  #present: Present | null = null
  #hasLeft = false
  #dismissal: WireRefusal | null = null
  #timer: Timer | null = null

  constructor(
    keepers: GateKeepers,
    protocol: string,
    slot: ConnectionSlot,
    openEntry: () => ConnectionEntry,
  ) {
    this.#keepers = keepers
    this.#protocol = protocol
    this.#slot = slot
    this.#openEntry = openEntry
  }

  /** Why the client has to go, although nothing has been opened yet. */
  get dismissal(): WireRefusal | null {
    return this.#dismissal
  }

  /** Whether the client has logged in, and its end leaves nothing to do but to leave the roster. */
  get hasLetIn(): boolean {
    return this.#login !== null
  }

  get entry(): ConnectionEntry {
    this.#entry ??= this.#openEntry!()
    this.#openEntry = null
    return this.#entry
  }

  async login(secret: string, takes: readonly SecretKind[]): Promise<LoggedIn | WireRefusal> {
    if (this.#login !== null || this.#isLoggingIn)
      throw new Error('this client has logged in already')
    this.#isLoggingIn = true
    try {
      return await this.#slot.attempt(() => this.#attempt(secret, takes))
    } finally {
      this.#isLoggingIn = false
    }
  }

  async #attempt(secret: string, takes: readonly SecretKind[]): Promise<LoggedIn | WireRefusal> {
    const lockout = this.#slot.lockout()
    if (lockout !== undefined) return lockout
    const { accounts, roster } = this.#keepers
    let login: Login | undefined
    try {
      login = await accounts.bySecret(secret, { protocol: this.#protocol, takes })
    } catch (error) {
      this.failed(error)
      return this.#refused(internalError)
    }
    if (login === undefined) {
      this.#slot.secretRefused(secret === '' ? smallFailure : 1)
      return this.#refused(unknownSecret)
    }
    this.entry.account = login.account.name
    const objection = login.objection ?? roster.objection(login.account)
    if (objection !== undefined) return this.#refused(objection)
    this.#login = login
    this.#secret = secret
    if (this.#hasLeft) return login
    if (this.#present === null) roster.enter(login, this)
    else this.#enter(login, this.#present)
    return login
  }

  admitGuest(): void {
    this.#cancelTimer()
  }

  keep(session: Pick<Session<never>, 'dismiss'>): () => void {
    if (this.#login === null) throw new Error('this client has not logged in')
    const { roster } = this.#keepers
    const present: Present = {
      dismiss: refusal => {
        try {
          session.dismiss(refusal)
        } catch (error) {
          this.failed(error)
        }
      },
    }
    roster.keep(this.#login, present)
    return () => roster.leave(present)
  }

  refused(code: string): void {
    this.entry.refused(code)
  }

  failed(error: unknown): void {
    this.entry.failed(error)
  }

  dismiss(refusal: WireRefusal): void {
    this.#dismissal ??= refusal
  }

  /** There is something to end, should the login become invalid. A login before was only looked up: now it counts. */
  opened(present: Present): void {
    this.#present = present
    if (this.#login !== null) this.#enter(this.#login, present)
  }

  /** Limits the time until the client has logged in. */
  limit(timer: Timer): void {
    this.#timer = timer
  }

  /** The client has taken too long. */
  skipped(): void {
    this.#slot.loginSkipped()
  }

  left(): void {
    this.#hasLeft = true
    this.#cancelTimer()
    this.#keepers.roster.leave(this.#present ?? this)
  }

  #enter(login: Login, present: Present): void {
    this.#keepers.roster.leave(this)
    this.#keepers.accounts.proven(login)
    this.#slot.loginSucceeded()
    this.#slot.authenticated()
    this.#keepers.roster.enter(login, present)
    present.loggedIn?.(login.account, this.#secret)
    this.#secret = ''
    this.#cancelTimer()
  }

  #refused(refusal: WireRefusal): WireRefusal {
    this.entry.refused(refusal.code)
    return refusal
  }

  #cancelTimer(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
