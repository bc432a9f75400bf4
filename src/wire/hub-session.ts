import type { Connection, Session, Size } from '../protocols/connection.ts'
import type { Login } from './accounts.ts'

/** The hub, as the wire sees it: every SSH user who is not an agent gets a session there. */
export interface HubSessions {
  /** Opens a session for a client that has logged in, or came as a guest. */
  open(request: SessionRequest, connection: Connection): HubSession
}

/** What the hub does with one client, which sends bytes. */
export type HubSession = Session<Buffer>

/** Who asks for a session in the hub, and for which one. */
export interface SessionRequest {
  /** The id of the connection in the log. */
  readonly connection: string
  /** The user name: `join` for an account, any other to look around. */
  readonly user: string
  readonly address: string
  /** What limits count the address as: itself, or its network in IPv6. */
  readonly source: string
  /** Null for a guest. */
  readonly login: Login | null
  /** The public key that the client has proved to have, in its wire format. */
  readonly key: Buffer | null
  /** Null for a program, or a person who only wants an answer. */
  readonly screen: Screen | null
  /** The command, empty for a shell. */
  readonly command: string
}

/** The terminal of the client. */
export interface Screen extends Size {
  /** What the client calls its terminal. */
  readonly term: string
  /** Environment variables that say how the client wants to be written to. */
  readonly variables: ReadonlyMap<string, string>
}
