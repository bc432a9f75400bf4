import type { Account, AccountId } from '../../src/arena/account.ts'
import type { WireRefusal } from '../../src/protocols/codes.ts'
import type { Accounts, Login } from '../../src/wire/accounts.ts'

/** Accounts, keys and tokens in memory. Its answers can be held back. */
export class MemoryAccounts implements Accounts {
  /** Accounts that have logged in, in order. */
  readonly used: string[] = []
  readonly #byKey = new Map<string, Login>()
  readonly #bySecret = new Map<string, Login>()
  readonly #banned = new Set<AccountId>()
  readonly #revoked = new Set<number>()
  #held: { resolve(): void; reject(why: Error): void }[] | null = null
  #lastAccount = 0
  #lastId = 0

  add(name: string): Account {
    return { id: ++this.#lastAccount, name, kind: 'player' }
  }

  addKey(account: Account, blob: Buffer): Login {
    const login: Login = { account, by: { kind: 'key', id: ++this.#lastId }, objection: null }
    this.#byKey.set(blob.toString('base64'), login)
    return login
  }

  addToken(account: Account, token: string): Login {
    const login: Login = { account, by: { kind: 'token', id: ++this.#lastId }, objection: null }
    this.#bySecret.set(token, login)
    return login
  }

  ban(account: Account): void {
    this.#banned.add(account.id)
  }

  revoke(login: Login): void {
    this.#revoked.add(login.by.id)
  }

  /** From now on all answers wait for `release`. */
  hold(): void {
    this.#held = []
  }

  /** How many answers wait. */
  get waiting(): number {
    return this.#held?.length ?? 0
  }

  /** Gives the answers that wait, or rejects them. */
  release(why?: Error): void {
    const held = this.#held ?? []
    this.#held = null
    for (const { resolve, reject } of held)
      if (why === undefined) resolve()
      else reject(why)
  }

  async byKey(blob: Buffer): Promise<Login | undefined> {
    await this.#answered()
    return this.#valid(this.#byKey.get(blob.toString('base64')))
  }

  async bySecret(token: string): Promise<Login | undefined> {
    await this.#answered()
    return this.#valid(this.#bySecret.get(token))
  }

  proven(login: Login): void {
    this.used.push(login.account.name)
  }

  async objections(logins: readonly Login[]): Promise<ReadonlyMap<number, WireRefusal>> {
    await this.#answered()
    const objections = new Map<number, WireRefusal>()
    for (const [place, login] of logins.entries()) {
      const objection = this.#objection(login)
      if (objection !== null) objections.set(place, objection)
    }
    return objections
  }

  #answered(): Promise<void> | undefined {
    return this.#held === null
      ? undefined
      : new Promise((resolve, reject) => this.#held?.push({ resolve, reject }))
  }

  #objection({ account, by }: Login): WireRefusal | null {
    if (this.#banned.has(account.id)) return { code: 'banned', detail: 'this account is banned' }
    if (this.#revoked.has(by.id))
      return { code: 'revoked', detail: `this ${by.kind} has been revoked` }
    return null
  }

  #valid(login: Login | undefined): Login | undefined {
    if (login === undefined || this.#revoked.has(login.by.id)) return undefined
    return { ...login, objection: this.#objection(login) }
  }
}
