// Where people are received. The wire brings them in and carries bytes; what is shown to them is the hub's affair.

import type { Connection, Session, Size } from '../dialects/connection.ts'
import type { Login } from './accounts.ts'

export interface HubSessions {
  /** Opens a session for a client that has logged in, or came as a guest. */
  open(visit: SessionRequest, connection: Connection): HubSession
}

/** What the hub does with one client, who sends bytes. */
export type HubSession = Session<Buffer>

/** Who came, and for what. */
export interface SessionRequest {
  /** By what name the log knows the connection. */
  readonly connection: string
  /** The user name that was dialled: `join` for an account, any other to look around. */
  readonly user: string
  readonly address: string
  /** What that address counts as: itself, or the network of IPv6 that it is in. */
  readonly source: string
  /** Whose key it is; null for a guest. */
  readonly login: Login | null
  /** The public key that was proved to be the visitor's, in its wire format. */
  readonly key: Buffer | null
  /** The screen they sit at; null for a program, or a person who only wants an answer. */
  readonly screen: Screen | null
  /** The command that was given; empty for none. */
  readonly command: string
}

export interface Screen extends Size {
  /** What the client calls its terminal. */
  readonly term: string
  /** Such of its environment as says how it wants to be written to. */
  readonly variables: ReadonlyMap<string, string>
}
