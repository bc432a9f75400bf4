/** The stable codes of what the arena refuses, each with its meaning. */
export const codes = {
  'not-your-turn':
    'a move when the sender owes none, or a resignation outside of a match or once the sender is out of it; it is dropped',
  'match-paused': 'a move while the match is paused; it is dropped, and the board is sent again',
  'illegal-move':
    'the rules refuse a move that was made out of turn, where a game allows that; nothing is lost',
  'stale-move':
    'the move answers a board that another seat has changed since; nothing is lost, and a move that was owed still is',
  'no-such-level': 'no house player of that level plays the game',
  'no-such-opponent': 'the named opponent cannot be met',
  paused: 'the account may play only practice until it is un-paused',
  'shutting-down': 'the host is stopping',
  'too-many-matches': 'the account has reached the limit on seats that it waits for and plays in',
  internal: 'an internal error',
} as const

export type Code = keyof typeof codes

/**
 * A refusal. It is answered in the client's protocol, and never thrown. Each layer has a closed list of codes: the arena
 * here, the wire in src/protocols/codes.ts, a protocol in its folder.
 */
export interface Refusal<C extends string = Code> {
  readonly code: C
  readonly detail: string
  /** Whole seconds after which the same request would be accepted; left out where waiting does not help. */
  readonly retryAfter?: number
}

export const stopping = {
  code: 'shutting-down',
  detail: 'the host is stopping; try again later',
} as const satisfies Refusal

export const internalError = {
  code: 'internal',
  detail: 'internal error; it has been logged',
} as const satisfies Refusal
