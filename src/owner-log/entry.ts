/** What an entry of an owner's log says. */
export const entryKinds = [
  /** The agent has logged in on a connection, over this wire and in this protocol. */
  'opened',
  /** The connection has ended, and why. */
  'closed',
  /** A line that the agent has sent; or a call, with its verb. */
  'in',
  /** A line that it was sent, or the answer to a call; with the code if that refuses something. */
  'out',
  /** It was refused something, and no line says so. */
  'refused',
  /** A move of its own was recorded. */
  'move',
  /** So many lines are missing before this one, because the disk was too slow, full or failed. */
  'dropped',
  /** The log of this day has reached its limit. */
  'full',
] as const

export type EntryKind = (typeof entryKinds)[number]

/** One line of a file of the log. */
export interface Entry {
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The id of the connection, as the log of the host has it; the protocol where no connection belongs to a seat. */
  readonly connection: string
  readonly kind: EntryKind
  /** The match that was on. */
  readonly match?: number
  readonly text?: string
  /** How many characters the line had, where it was cut. */
  readonly length?: number
  /** The code of a refusal. */
  readonly code?: string
  readonly verb?: string
  /** The seat that moved, the number of the move in the match, and how many milliseconds it took. */
  readonly seat?: number
  readonly ply?: number
  readonly ms?: number
  /** The fault that the referee found instead of a move in time. */
  readonly fault?: string
  /** How many lines are missing. */
  readonly lines?: number
}

/** A line has at most so many characters in the log. */
export const longestText = 4096

/** No secret is longer. What is cut has so much more, until secrets have been removed from it. */
export const longestSecret = 128
