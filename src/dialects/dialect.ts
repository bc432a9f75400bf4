// A dialect translates between the lines of a client and the arena's vocabulary. It never rules: it may answer
// "I cannot read this", and what that costs is the referee's to say.

import type { Account } from '../arena/account.ts'
import type { Code, Refusal } from '../arena/codes.ts'

export interface Dialect {
  readonly id: string
  /** A client is there and is known to be this account. */
  open(line: Line, account: Account, opening: Opening): Listener
  /** How somebody is turned away who may not come in: one message, the only one. */
  refuse(refusal: Refusal): string
}

/** What a client asked for in the address it dialled. */
export type Opening =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'query'; readonly params: URLSearchParams }

/** The way to one client, whatever carries it. */
export interface Line {
  /** By what name the log knows the connection. */
  readonly connection: string
  /**
   * One message, without a line break. What is sent in one go leaves in one packet; a message that nobody waits for
   * may be held for a moment, to leave with the next one.
   */
  send(text: string, patient?: boolean): void
  /** Words for a person who may be looking on, where the wire has a place for them. */
  note(text: string): void
  /** To be told of every refusal, for the log and for the count of them; sends nothing. */
  refused(code: Code): void
  /** Closes once all that was sent is out: exit status 0 or 1, close code 1000 or 1008. */
  end(ok: boolean): void
}

/** The way from one client. */
export interface Listener {
  line(text: string): void
  /** What came is no line of text: too long, not UTF-8, not a text frame. */
  unreadable(refusal: Refusal): void
  /** The house sends this client away. */
  dismiss(refusal: Refusal): void
  /** The line is gone; nothing follows. Also told after `end`. */
  closed(): void
}
