// Where people are received. The wire brings them in and carries bytes; what is shown to them is the hub's affair.

import type { Code, Refusal } from '../arena/codes.ts'
import type { Login } from './accounts.ts'

export interface People {
  /** Somebody is there. */
  open(visit: Visit, way: Way): Presence
}

/** Who came, and for what. */
export interface Visit {
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

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The way to one visitor. */
export interface Way {
  write(text: string): void
  /** Beside what is asked for: standard error. */
  note(text: string): void
  /** To be told of every refusal, for the log and for the count of them; sends nothing. */
  refused(code: Code): void
  /** Bytes that wait for the visitor to read; `drained` is told when there are none any more. */
  readonly unsent: number
  /** Closes once all that was written is out. Also to be said when the visitor is gone: nothing follows on this way. */
  end(status: number): void
  /** Closes at once, for somebody who does not read. */
  cut(): void
  /** A fault of ours, to be logged. */
  failed(error: unknown): void
}

/** The way from one visitor. */
export interface Presence {
  data(bytes: Buffer): void
  resized(size: Size): void
  drained(): void
  /** Nothing more will be typed. */
  ended(): void
  /** The house sends this visitor away. */
  dismiss(refusal: Refusal): void
  /** The visitor is gone; nothing follows. Also told after `end`. */
  closed(): void
}
