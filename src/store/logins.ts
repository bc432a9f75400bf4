import type { Clock, Timer } from '../clock.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Door, SecretKind } from '../protocols/credentials.ts'
import { agoText } from '../record/time-text.ts'
import type { Remote } from '../threads/calls.ts'
import type { Accounts, Login } from '../wire/accounts.ts'
import type { CredentialLookup, KnownSecret, Objections } from './credential-lookup.ts'
import type { CredentialUse } from './credential-uses.ts'
import { hashOf } from './secret-hash.ts'
import { kindText } from './secret-kinds.ts'

const noteUsesEvery = 1_000
/** Agents come back for match after match. Each takes up about 300 bytes. */
const mostKept = 32_768
const keptFor = 10 * 60_000

/** Writes down when credentials were last used. */
type NoteUses = (uses: readonly CredentialUse[]) => Promise<void>

/**
 * Checks credentials at the start of every connection. Another thread looks them up, and what is known is kept for a
 * while. What is unknown is not kept: a token may be used as soon as it has been minted, by whatever process.
 */
export class Logins implements Accounts {
  readonly #lookup: Remote<CredentialLookup>
  readonly #noteUses: NoteUses
  readonly #clock: Clock
  readonly #keys = new BoundedMap<string, Kept<Login>>(mostKept)
  readonly #secrets = new BoundedMap<string, Kept<KnownSecret>>(mostKept)
  /** How often `changed` has been called. */
  #changes = 0
  /** By kind and number. */
  readonly #uses = new Map<string, CredentialUse>()
  #usesTimer: Timer | null = null

  constructor(lookup: Remote<CredentialLookup>, noteUses: NoteUses, clock: Clock) {
    this.#lookup = lookup
    this.#noteUses = noteUses
    this.#clock = clock
  }

  byKey(blob: Buffer): Promise<Login | undefined> {
    return this.#find(this.#keys, blob.toString('latin1'), () => this.#lookup.byKey(blob))
  }

  // Found by its hash, so that the time this takes tells nothing about any secret.
  async bySecret(secret: string, door: Door): Promise<Login | undefined> {
    const hash = hashOf(secret)
    const known = await this.#find(this.#secrets, hash.toString('latin1'), () =>
      this.#lookup.byHash(hash),
    )
    if (known === undefined) return undefined
    const { account, by, objection: ban } = known
    const objection = misplaced(known, door) ?? ban ?? expiryOf(known, this.#clock.date())
    return { account, by, objection }
  }

  proven({ by }: Login): void {
    this.#uses.set(`${by.kind} ${by.id}`, { by, at: this.#clock.date() })
    this.#usesTimer ??= this.#clock.after(noteUsesEvery, () => void this.#writeUses())
  }

  objections(logins: readonly Login[]): Promise<Objections> {
    const asked = logins.map(({ account, by }) => ({ account, by }))
    return this.#asAfterChanges(() => this.#lookup.objections(asked))
  }

  /** To be called when credentials or bans have changed: nothing that was known before counts any more. */
  changed(): void {
    this.#changes++
    this.#keys.clear()
    this.#secrets.clear()
  }

  /** Resolves once the last uses are written. */
  close(): Promise<void> {
    return this.#writeUses()
  }

  async #find<T>(
    kept: BoundedMap<string, Kept<T>>,
    name: string,
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = kept.get(name)
    if (known !== undefined && this.#clock.elapsed() < known.until) return known.value
    return this.#asAfterChanges(ask, value => {
      if (value === undefined) kept.delete(name)
      else kept.set(name, { value, until: this.#clock.elapsed() + keptFor })
    })
  }

  /** An answer that was on its way at a change may be from before it: then it is asked for again. */
  async #asAfterChanges<T>(ask: () => Promise<T>, keep?: (answer: T) => void): Promise<T> {
    for (;;) {
      const changes = this.#changes
      const answer = await ask()
      if (changes !== this.#changes) continue
      keep?.(answer)
      return answer
    }
  }

  async #writeUses(): Promise<void> {
    this.#usesTimer?.cancel()
    this.#usesTimer = null
    if (this.#uses.size === 0) return
    const uses = [...this.#uses.values()]
    this.#uses.clear()
    // Only a date for people to read: losing one is harmless.
    await this.#noteUses(uses).catch(() => {})
  }
}

interface Kept<T> {
  readonly value: T
  readonly until: number
}

/** Why this door does not take this secret. */
const misplaced = ({ by: { kind }, protocol }: KnownSecret, door: Door): WireRefusal | null => {
  if (protocol !== null && door.protocol !== '' && protocol !== door.protocol)
    return {
      code: 'bad-token',
      detail: `this ${kindText[kind]} is for ${protocol}, and not for ${door.protocol}`,
    }
  if (door.takes.includes(kind)) return null
  const taken = door.takes.map(withArticle).join(' or ')
  return { code: 'bad-token', detail: `this is ${withArticle(kind)}: give ${taken}` }
}

const withArticle = (kind: SecretKind) => `${kind === 'api-key' ? 'an' : 'a'} ${kindText[kind]}`

const expiryOf = ({ by, expiresAt }: KnownSecret, now: number): WireRefusal | null =>
  expiresAt === null || now < expiresAt
    ? null
    : {
        code: 'bad-token',
        detail: `this ${kindText[by.kind]} expired ${agoText(now - expiresAt)}: ask for a new one`,
      }
