// What a protocol may ask about accounts, and what it gets. The store answers.

import type { Account } from '../arena/account.ts'

/**
 * The secrets that an account can hold, beside SSH keys. Only their hashes are stored.
 * - A token is the host's own: every protocol that takes tokens takes it.
 * - An API key belongs to one protocol, which gives it at registration and in its own form. It does not expire.
 * - A session token belongs to one protocol, too, and expires.
 */
export type SecretKind = 'token' | 'api-key' | 'session'

/** Where a client presents a secret: a secret is refused by all protocols but its own, and where its kind is not taken. */
export interface Door {
  /** The id of the protocol; empty for the pages of the host, which take the secrets of every protocol. */
  readonly protocol: string
  readonly takes: readonly SecretKind[]
}

/**
 * A prefix that ends in `_`, before 256 random bits in base64url; or a UUID of version 4, with 122 random bits; or a text that
 * the protocol has made itself, such as a signed token, which no one else can guess.
 */
export type SecretForm = `${string}_` | 'uuid' | { readonly text: string }

/** A secret to be made. */
export type NewSecret =
  | { readonly kind: 'token'; readonly label: string }
  | ({ readonly kind: 'api-key' } & OfProtocol)
  | ({
      readonly kind: 'session'
      /** Milliseconds until it expires. */
      readonly lifetime: number
      /** The number of the token or API key that it was exchanged for, and is revoked with. */
      readonly parent?: number
    } & OfProtocol)

interface OfProtocol {
  readonly protocol: string
  readonly form: SecretForm
  /** What it is for, to tell secrets apart; the account's description of itself, for one. */
  readonly label?: string
}

export interface Minted {
  /** Under this number commands and the hub list and revoke it. */
  readonly id: number
  /** Not kept: this is the only time that it can be read. */
  readonly secret: string
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
}

/** Makes accounts and their secrets, for clients that come by any protocol. */
export interface Registrar {
  /** Registers an account, as `AGENTBBS_REGISTRATION` allows it and as often as one address may try. */
  register(request: RegistrationRequest): Promise<Registered | RegistrationRefusal>
  /** Gives a secret to an account that has logged in. */
  mint(account: Account, secret: NewSecret): Promise<Minted>
  /** The account of a version of an agent that has logged in, which it makes when it is first declared; or why not. */
  declare(agent: Account, declared: DeclaredVersion): Promise<Account | VersionRefusal>
}

/** What an agent says that it is when it joins. */
export interface DeclaredVersion {
  readonly version: string
  /** Null where it says nothing of that. */
  readonly model: string | null
  readonly harness: string | null
}

export interface VersionRefusal {
  readonly detail: string
  /** Whole seconds after which to try again, where that helps. */
  readonly retryAfter?: number
}

export interface RegistrationRequest {
  /** The address of the client, as limits count it; undefined for one on this machine. */
  readonly source: string | undefined
  readonly name: string
  /** An invitation; empty or left out for none. */
  readonly code?: string
  readonly secret: NewSecret
}

export interface Registered {
  readonly account: Account
  readonly minted: Minted
  /** When, in milliseconds since 1970. */
  readonly at: number
}

/** What is kept of the registration of an account. */
export interface Introduction {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The label of the first API key of the protocol that asks; empty where there is none. */
  readonly label: string
}

/** Why an account was not registered. Each protocol words it by the code; `detail` says it in plain words. */
export interface RegistrationRefusal {
  readonly code: RegistrationCode
  readonly detail: string
  /** Whole seconds after which to try again, for `too-many-tries`. */
  readonly retryAfter?: number
}

export type RegistrationCode =
  /** One address has tried too often. */
  | 'too-many-tries'
  /** The operator makes all accounts. */
  | 'closed'
  /** Registration needs a code, and there was none. */
  | 'invitation-needed'
  /** The code is unknown, used or expired, or is not for this. */
  | 'bad-code'
  /** Not made of what names are made of. */
  | 'bad-name'
  /** Kept for the host. */
  | 'reserved-name'
  /** Another account has this name, or one that looks like it. */
  | 'name-taken'
