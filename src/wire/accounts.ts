import type { Account, AccountId } from '../arena/account.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Door } from '../protocols/credentials.ts'
import type { LoggedIn } from '../protocols/gate.ts'

/** What the wire asks about credentials. The store answers. */
export interface Accounts {
  /** By an SSH public key in its wire format. */
  byKey(blob: Buffer): Login | undefined
  /** By a token, API key or session token. One that has expired, or is for another door, is known but objected to. */
  bySecret(secret: string, door: Door): Login | undefined
  /** The client has proved that this login is its own. Until then it was only looked up. */
  proven(login: Login): void
  /** Why this login is not valid any more, such as a ban, as it stands now. A session outlives the expiry of its token. */
  objection(login: Login): WireRefusal | undefined
}

/** An account, and the credential that a client logged in with. */
export interface Login extends LoggedIn {
  /** Why this login was not valid when it was made. */
  readonly objection: WireRefusal | null
}

/** What a login has opened, and loses: a connection, a session in the hub, a request. */
export interface Present {
  dismiss(refusal: WireRefusal): void
}

/** The sessions of accounts that are connected, limited for each account. A ban or a revoked credential ends them. */
export class Roster {
  readonly #accounts: Accounts
  readonly #perAccount: number
  readonly #limit: ConcurrencyLimit<AccountId>
  readonly #present = new Map<Present, Login>()
  /** Those that are sessions without a connection, of clients that poll. */
  readonly #kept = new Set<Present>()
  #onNoneKept = () => {}

  constructor(accounts: Accounts, perAccount = Number.POSITIVE_INFINITY) {
    this.#accounts = accounts
    this.#perAccount = perAccount
    this.#limit = new ConcurrencyLimit({ perKey: perAccount })
  }

  /** Why this account may open no further session. */
  objection({ id }: Account): WireRefusal | undefined {
    return this.#limit.isFullFor(id)
      ? {
          code: 'too-many-connections',
          detail: `this account has ${this.#perAccount} connections: close some, or try again in ${soon} s`,
          retryAfter: soon,
        }
      : undefined
  }

  enter(login: Login, session: Present): void {
    this.leave(session)
    this.#present.set(session, login)
    this.#limit.enter(login.account.id)
  }

  /** Enters a session without a connection. */
  keep(login: Login, session: Present): void {
    this.enter(login, session)
    this.#kept.add(session)
  }

  leave(session: Present): void {
    const id = this.#present.get(session)?.account.id
    if (id === undefined) return
    this.#present.delete(session)
    this.#limit.leave(id)
    if (this.#kept.delete(session) && this.#kept.size === 0) this.#onNoneKept()
  }

  /** Resolves once no session without a connection is left. */
  async noneKept(): Promise<void> {
    if (this.#kept.size > 0)
      await new Promise<void>(resolve => {
        this.#onNoneKept = resolve
      })
  }

  get size(): number {
    return this.#present.size
  }

  get accountCount(): number {
    return this.#limit.keyCount
  }

  /** The accounts that are connected, each once. */
  get accounts(): readonly Account[] {
    return [
      ...new Map([...this.#present.values()].map(({ account }) => [account.id, account])).values(),
    ]
  }

  /**
   * Dismisses the sessions whose login is not valid any more: those of the account of this name, or all. To be called when
   * accounts have changed.
   */
  review(name?: string): void {
    for (const [session, login] of [...this.#present]) {
      if (name !== undefined && login.account.name !== name) continue
      const objection = this.#accounts.objection(login)
      if (objection !== undefined) session.dismiss(objection)
    }
  }

  /** Dismisses all sessions. */
  clear(refusal: WireRefusal): void {
    for (const session of [...this.#present.keys()]) session.dismiss(refusal)
  }
}

/** In seconds. */
const soon = 10
