// A dialect translates between the messages of a client and the arena's vocabulary. It never rules: it may answer
// "I cannot read this", and what that costs is the referee's to say.

import type { Account } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Connection, Message, Session } from './connection.ts'

export interface Dialect {
  readonly id: string
  /** Opens a session for a client that has logged in as this account. */
  open(connection: Connection, account: Account, opening: Opening): Session<Message>
  /** The only message to a client that is refused. */
  refuse(refusal: Refusal): string
}

/** What a client asked for in the command or the address that it connected with. */
export type Opening =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'query'; readonly params: URLSearchParams }
