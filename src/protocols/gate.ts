import type { Account } from '../arena/account.ts'
import type { WireRefusal } from './codes.ts'
import type { Session } from './connection.ts'
import type { SecretKind } from './credentials.ts'

/**
 * Lets one client in, before its session or inside it. Limits, lockouts, bans and revoked credentials are the wire's: what
 * it answers stands, and it ends a session whose login is not valid any more. Until a client has logged in, or is a
 * guest, it counts as unauthenticated, and has 15 s.
 */
export interface Gate {
  /**
   * Logs in with a secret of one of these kinds. A refusal has been logged and counted, a wrong secret as a failed login;
   * how the client is answered, and whether it may try again, is the protocol's to say. An empty secret counts as hardly
   * a failure: such a client has more likely come by mistake than to guess. A client makes one login at a time. It may have
   * left when this resolves, which never rejects for a fault of the host: that is refused as `internal`.
   */
  login(secret: string, takes: readonly SecretKind[]): Promise<LoggedIn | WireRefusal>
  /**
   * Lets the client stay without an account: a spectator, or a seat that only the protocol knows. It has no time limit
   * any more, and may still log in. Like an open event stream it keeps its place among those who have not logged in, and
   * is cut when others need that place more.
   */
  admitGuest(): void
  /**
   * Keeps a session that outlives its request, as that of a client that polls. The client has logged in. Until the returned
   * function is called the session counts as a connection of the account, and it is dismissed with the reason by a ban, when the
   * secret is revoked, and when the host stops, whether a poll is open or not. A host that stops waits for 3 s for kept sessions to
   * end: so end it when its client has heard the last news.
   */
  keep(session: Pick<Session<never>, 'dismiss'>): () => void
  /** Logs and counts a refusal of the protocol's own by its code, where there is no `Connection` to do so. */
  refused(code: string): void
  /** Logs an internal error, likewise. */
  failed(error: unknown): void
}

export interface LoggedIn {
  readonly account: Account
  /** What the client has logged in with. SSH keys have numbers of their own; all secrets share theirs. */
  readonly by: { readonly kind: 'key' | SecretKind; readonly id: number }
}

/** The answer to a secret that no account has. A protocol may word it better. */
export const unknownSecret: WireRefusal = {
  code: 'bad-token',
  detail: 'there is no such token or key here: give a valid one',
}
