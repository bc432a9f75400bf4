import type { Account, AccountId } from '../arena/account.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Door } from '../protocols/credentials.ts'
import type { LoggedIn } from '../protocols/gate.ts'

/** What the wire asks about credentials. The store answers. */
export interface Accounts {
  /** By an SSH public key in its wire format. */
  byKey(blob: Buffer): Promise<Login | undefined>
  /** By a token, API key or session token. One that has expired, or is for another door, is known but objected to. */
  bySecret(secret: string, door: Door): Promise<Login | undefined>
  /** The client has proved that this login is its own. Until then it was only looked up. */
  proven(login: Login): void
  /**
   * Why some of these logins are not valid any more, such as a ban, as it stands now: by their places in the list. A session
   * outlives the expiry of its token.
   */
  objections(logins: readonly Login[]): Promise<ReadonlyMap<number, WireRefusal>>
}

/** An account, and the credential that a client logged in with. */
export interface Login extends LoggedIn {
  /** Why this login was not valid when it was made. */
  readonly objection: WireRefusal | null
}

/** What a login has opened, and loses: a connection, a session in the hub, a request. */
export interface Present {
  dismiss(refusal: WireRefusal): void
  /** It belongs to this account now, which has logged in with this secret. */
  loggedIn?(account: Account, secret: string): void
}

/** The sessions of accounts that are connected, limited for each account. A ban or a revoked credential ends them. */
export class Roster {
  readonly #accounts: Accounts
  readonly #perAccount: number
  readonly #limit: ConcurrencyLimit<AccountId>
  readonly #present = new Map<Present, Login>()
  /** Those that are sessions without a connection, of clients that poll. */
  readonly #kept = new Set<Present>()
  readonly #onNoneKept: (() => void)[] = []
  /** The review that goes on. */
  #review: Promise<void> | null = null
  /** Whether all accounts have to be reviewed, and else the names of those that have. */
  #isReviewDue = false
  readonly #toReview = new Set<string>()

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
    if (this.#kept.delete(session) && this.#kept.size === 0)
      for (const resolve of this.#onNoneKept.splice(0)) resolve()
  }

  /** Resolves once no session without a connection is left. */
  async noneKept(): Promise<void> {
    if (this.#kept.size > 0) await new Promise<void>(resolve => this.#onNoneKept.push(resolve))
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
   * accounts have changed; a change during a review is followed by another review. Rejects if the accounts cannot be asked.
   */
  review(name?: string): Promise<void> {
    if (name === undefined) this.#isReviewDue = true
    else this.#toReview.add(name)
    this.#review ??= Promise.resolve().then(() => this.#reviewAll())
    return this.#review
  }

  async #reviewAll(): Promise<void> {
    try {
      while (this.#isReviewDue || this.#toReview.size > 0) {
        const present = this.#dueForReview()
        for (let from = 0; from < present.length; from += askedAtOnce)
          await this.#reviewSome(present.slice(from, from + askedAtOnce))
      }
    } finally {
      this.#review = null
    }
  }

  #dueForReview(): readonly (readonly [Present, Login])[] {
    const due = [...this.#present].filter(
      ([, { account }]) => this.#isReviewDue || this.#toReview.has(account.name),
    )
    this.#isReviewDue = false
    this.#toReview.clear()
    return due
  }

  async #reviewSome(present: readonly (readonly [Present, Login])[]): Promise<void> {
    const objections = await this.#accounts.objections(present.map(([, login]) => login))
    for (const [place, objection] of objections) {
      const [session, login] = present[place]!
      // It may have left meanwhile.
      if (this.#present.get(session) === login) session.dismiss(objection)
    }
  }

  /** Dismisses all sessions. */
  clear(refusal: WireRefusal): void {
    for (const session of [...this.#present.keys()]) session.dismiss(refusal)
  }
}

/** In seconds. */
const soon = 10
/** Logins of one question: to copy more of them for another thread would delay moves. */
const askedAtOnce = 500
