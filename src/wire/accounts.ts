import type { Account } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Listener } from '../dialects/dialect.ts'

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

/** Who is connected, so that somebody banned or revoked can be shown out. */
export class Roster {
  readonly #accounts: Accounts
  readonly #present = new Map<Listener, Login>()

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  enter(login: Login, listener: Listener): void {
    this.#present.set(listener, login)
  }

  leave(listener: Listener): void {
    this.#present.delete(listener)
  }

  get size(): number {
    return this.#present.size
  }

  /** Looks at everybody again: to be called when accounts have changed. */
  review(): void {
    for (const [listener, login] of [...this.#present]) {
      const objection = this.#accounts.objection(login)
      if (objection !== undefined) listener.dismiss(objection)
    }
  }

  /** Sends everybody away. */
  clear(refusal: Refusal): void {
    for (const listener of [...this.#present.keys()]) listener.dismiss(refusal)
  }
}
