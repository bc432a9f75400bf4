import type { IncomingHttpHeaders } from 'node:http'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Account, AccountId } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { newCode, normalCode } from '../store/new-code.ts'
import type { Accounts, Login } from '../wire/accounts.ts'

/** Milliseconds in which a link can be used. */
const linkLifetime = 10 * 60_000
/** Milliseconds after which a person signs in again. */
const cookieLifetime = 12 * 3_600_000
const mostLinks = 10_000

interface Context {
  readonly clock: Clock
  /** What cookies are signed with. */
  readonly key: Uint8Array
  readonly accounts: Pick<Accounts, 'objections'>
  /** The URL of the pages, without a slash at the end. */
  readonly addresses: { readonly site: string }
}

/** By which credential a person has logged in to the hub. A ban, or its revocation, ends what it has signed in to. */
type Proof = Pick<Login, 'account' | 'by'>

interface Link {
  readonly proof: Proof
  /** Where it leads to. */
  readonly path: string
  readonly until: number
}

/**
 * People who have signed in to the pages: by a link that the hub gives them, which works once. It is exchanged for a signed
 * cookie, so nothing is kept of those who are signed in.
 */
export class SignIns {
  readonly #context: Context
  readonly #links = new BoundedMap<string, Link>(mostLinks)
  /** The code of each account's newest link: an older one ends with it. */
  readonly #codes = new BoundedMap<AccountId, string>(mostLinks)

  constructor(context: Context) {
    this.#context = context
  }

  /** The address that signs this person in, and leads to a path of the pages. */
  linkFor(proof: Proof, path: string): string {
    const { clock, addresses } = this.#context
    const { id } = proof.account
    this.#links.delete(this.#codes.get(id) ?? '')
    const code = newCode()
    this.#codes.set(id, code)
    this.#links.set(code, { proof, path, until: clock.date() + linkLifetime })
    return `${addresses.site}/sign-in/${code}`
  }

  /** Whom the link with this code signs in; null if it is not valid any more. */
  find(code: string): Account | null {
    return this.#link(code)?.proof.account ?? null
  }

  /** Uses up a link: the header that sets the cookie, and where the link leads to; null if it is not valid any more. */
  async use(code: string): Promise<{ readonly cookie: string; readonly path: string } | null> {
    const link = this.#link(code)
    this.#links.delete(normalCode(code))
    if (link === undefined || (await this.#isRefused(link.proof))) return null
    const { account, by } = link.proof
    const now = this.#context.clock.date()
    const token = await new SignJWT({ name: account.name, by: by.kind, id: by.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(account.id))
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor((now + cookieLifetime) / 1000))
      .sign(this.#context.key)
    return { cookie: this.#cookie(token, cookieLifetime / 1000), path: link.path }
  }

  /** The account that has signed in, by the cookie of a request; null for all others. */
  async reader({ cookie = '' }: IncomingHttpHeaders): Promise<Account | null> {
    const token = cookie
      .split(/; */)
      .find(part => part.startsWith(`${this.#name}=`))
      ?.slice(this.#name.length + 1)
    const proof = token === undefined ? null : await this.#proofIn(token)
    return proof === null || (await this.#isRefused(proof)) ? null : proof.account
  }

  /** The header that takes the cookie back. */
  get signOut(): string {
    return this.#cookie('', 0)
  }

  #link(code: string): Link | undefined {
    const link = this.#links.get(normalCode(code))
    return link !== undefined && this.#context.clock.date() < link.until ? link : undefined
  }

  async #proofIn(token: string): Promise<Proof | null> {
    const { clock, key } = this.#context
    try {
      const { payload } = await jwtVerify<Signed>(token, key, {
        algorithms: ['HS256'],
        currentDate: new Date(clock.date()),
        requiredClaims: ['sub', 'exp'],
      })
      return {
        account: { id: Number(payload.sub), name: payload.name, kind: 'player' },
        by: { kind: payload.by, id: payload.id },
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  async #isRefused(proof: Proof): Promise<boolean> {
    const objections = await this.#context.accounts.objections([{ ...proof, objection: null }])
    return objections.size > 0
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.#isSecure ? '; Secure' : ''
    return `${this.#name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  }

  /** With this prefix a browser takes the cookie from this host alone, and over https. */
  get #name(): string {
    return this.#isSecure ? '__Host-agentbbs' : 'agentbbs'
  }

  get #isSecure(): boolean {
    return this.#context.addresses.site.startsWith('https:')
  }
}

interface Signed {
  readonly name: string
  readonly by: Login['by']['kind']
  readonly id: number
}
