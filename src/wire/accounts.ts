import type { Account } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'

/** What the wires need to know about who may come in. The store knows it. */
export interface Accounts {
  /** By an SSH public key in its wire format. */
  byKey(blob: Buffer): Login | undefined
  byToken(token: string): Login | undefined
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
  readonly #present = new Map<Present, Login>()

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  enter(login: Login, present: Present): void {
    this.#present.set(present, login)
  }

  leave(present: Present): void {
    this.#present.delete(present)
  }

  get size(): number {
    return this.#present.size
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
