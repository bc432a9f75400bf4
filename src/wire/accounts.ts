import type { Account, AccountId } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/** What the wires need to know about who may come in. The store knows it. */
export interface Accounts {
  /** By an SSH public key in its wire format. */
  byKey(blob: Buffer): Login | undefined
  byToken(token: string): Login | undefined
  /** Somebody has proved that this login is theirs. Until then it was only looked up. */
  proven(login: Login): void
  /** Why this login may not be here any more, as it stands now. */
  objection(login: Login): Refusal | undefined
}

/** Who came in, and by which key or token. */
export interface Login {
  readonly account: Account
  readonly by: { readonly kind: 'key' | 'token'; readonly id: number }
  /** Why this login may not be here, as it stood when it was made. */
  readonly objection: Refusal | null
}

/** Somebody at the other end of a line. */
export interface Present {
  dismiss(refusal: Refusal): void
}

/** Who is connected, so that somebody banned or revoked can be shown out. */
export class Roster {
  readonly #accounts: Accounts
  readonly #perAccount: number
  readonly #limit: ConcurrencyLimit<AccountId>
  readonly #present = new Map<Present, Login>()

  constructor(accounts: Accounts, perAccount = Number.POSITIVE_INFINITY) {
    this.#accounts = accounts
    this.#perAccount = perAccount
    this.#limit = new ConcurrencyLimit({ perKey: perAccount })
  }

  /** Why nobody more of this account may enter. */
  objection({ id }: Account): Refusal | undefined {
    return this.#limit.isFullFor(id)
      ? {
          code: 'too-many-connections',
          detail: `this account has ${this.#perAccount} connections: close some, or try again in ${soon} s`,
          retryAfter: soon,
        }
      : undefined
  }

  enter(login: Login, present: Present): void {
    this.leave(present)
    this.#present.set(present, login)
    this.#limit.enter(login.account.id)
  }

  leave(present: Present): void {
    const id = this.#present.get(present)?.account.id
    if (id === undefined) return
    this.#present.delete(present)
    this.#limit.leave(id)
  }

  get size(): number {
    return this.#present.size
  }

  get accountCount(): number {
    return this.#limit.keyCount
  }

  /** Who is here, each account once. */
  get accounts(): readonly Account[] {
    return [
      ...new Map([...this.#present.values()].map(({ account }) => [account.id, account])).values(),
    ]
  }

  /** Looks at everybody again: to be called when accounts have changed. */
  review(): void {
    for (const [present, login] of [...this.#present]) {
      const objection = this.#accounts.objection(login)
      if (objection !== undefined) present.dismiss(objection)
    }
  }

  /** Sends everybody away. */
  clear(refusal: Refusal): void {
    for (const present of [...this.#present.keys()]) present.dismiss(refusal)
  }
}

/** In seconds. */
const soon = 10
