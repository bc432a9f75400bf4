// A protocol translates between the messages of a client and those of the arena. It may refuse a message that it cannot
// read; only the referee decides what that costs.

import type { Account } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Connection, Message, Session } from './connection.ts'

export interface Protocol {
  readonly id: string
  /** Opens a session for a client that has logged in as this account. */
  open(connection: Connection, account: Account, opening: Opening): Session<Message>
  /** The one message that a refused client gets. */
  refuse(refusal: Refusal): string
}

/** What a client asked for in the command or the address that it connected with. */
export type Opening =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'query'; readonly params: URLSearchParams }
