// The contract between the wire and what runs on a connection: a protocol for agents, or the hub for people. The wire
// implements `Connection`; a protocol or the hub implements `Session`.

import type { Refusal } from '../arena/codes.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { WireRefusal } from './codes.ts'

/** The way to one client, over WebSocket or in a channel of SSH. */
export interface Connection {
  /** The id of the connection in the log. */
  readonly id: string
  /**
   * Sends one message of a protocol, without a line break, or text for a terminal as it is. All messages of one tick leave
   * in one write; one that `canWait` may be held for 5 ms, to leave with the next one.
   */
  send(text: string, canWait?: boolean): void
  /** Shows a person words beside the messages, on standard error. WebSocket has no place for them. */
  note(text: string): void
  /** Says of which match the messages that follow are, for the log of the owner; null once it is over. */
  plays?(match: MatchId | null): void
  /** Logs and counts a refusal by its code, of whatever layer; sends nothing. */
  refused(code: string): void
  /** Logs an internal error. */
  failed(error: unknown): void
  /** How many bytes wait for the client to read them. The session is told (`drained`) when there are none. */
  readonly unsent: number
  /**
   * Closes once all that was sent has left. SSH gets the exit status. A WebSocket gets `close`, or without it code 1000 for
   * status 0 and 1008 for any other. May also be called when the connection is closed already.
   */
  end(status: number, close?: Close): void
  /** Closes at once, because the client does not read. */
  cut(): void
}

/** How a WebSocket closes: a code from 1000 on, and words for the log of the client, of which 123 bytes are sent. */
export interface Close {
  readonly code: number
  readonly reason?: string
}

/** What a protocol or the hub does with one client: all that the wire tells of it. */
export interface Session<Input> {
  /** The client has sent this. If the answer is a promise, what the client sends next waits until it resolves. */
  receive(input: Input): unknown
  /** The host ends this session. One of a protocol that does not end its connection now is ended by the wire. */
  dismiss(refusal: WireRefusal): void
  /** The connection is closed; nothing follows. Also called after `end`. */
  closed(): void
  /** The client will send nothing more, but may still read. */
  inputEnded?(): void
  /** The client has read all that was sent. */
  drained?(): void
  /** A keep-alive has just been sent: what a protocol has of its own may follow. */
  pinged?(): void
  /** The client has answered a keep-alive, or has sent one of its own. */
  alive?(): void
  /** The client's terminal has another size. */
  resized?(size: Size): void
}

/**
 * A message of an agent: a line of text, or why what came is not one (too long, not UTF-8, a binary frame). After one that
 * is too long the wire ends the connection, if the session does not.
 */
export type Message = string | Refusal<'bad-message' | 'line-too-long'>

export interface Size {
  readonly columns: number
  readonly rows: number
}
