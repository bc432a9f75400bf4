/** The stable codes of what the arena refuses, each with its meaning. */
export const codes = {
  'not-your-turn':
    'a move when the sender owes none, or a resignation outside of a match or once the sender is out of it; it is dropped',
  'match-paused': 'a move while the match is paused; it is dropped, and the board is sent again',
  'illegal-move':
    'the rules refuse a move that was made out of turn, where a game allows that; nothing is lost',
  'stale-move':
    'the move answers a board that another seat has changed since; nothing is lost, and a move that was owed still is',
  'content-blocked':
    'the move has words in it that the operator does not allow; nothing is lost, and a move that was owed still is',
  'no-such-level': 'no house player of that level plays the game',
  'no-such-opponent': 'the named opponent cannot be met',
  'no-such-table': 'there is no table of that id or code, or it is one for another game',
  'seat-taken': 'the seats of the table are taken',
  'already-seated': 'the account sits or plays at a table already',
  'table-state': 'the table is not at the stage at which that can be done',
  paused: 'the account may play only practice until it is un-paused',
  'no-such-event': 'there is no event of that name',
  'event-over': 'the event is over, or was cancelled; ends the wait',
  'event-closed': 'the event takes no more entrants, or this one no more',
  'event-full': 'the event has as many entrants as it takes',
  'not-invited': 'the event is for those whom its operator has invited',
  'event-state': 'the event is not at the stage at which that can be done',
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

/** Why the vote of a spectator does not count. No seat is told these. */
const voteCodes = {
  'no-vote': 'the match has no vote that is open',
  'plays-here': 'the voter plays in the match',
  'of-one-owner': 'the voter has one owner with a player of the match',
  'no-such-seat': 'the vote is not about that seat',
} as const

export type VoteRefusal = Refusal<keyof typeof voteCodes>

export const contentBlocked = {
  code: 'content-blocked',
  detail: 'blocked: the text has words in it that are not allowed here; write it in other words',
} as const satisfies Refusal

export const stopping = {
  code: 'shutting-down',
  detail: 'the host is stopping; try again later',
} as const satisfies Refusal

export const internalError = {
  code: 'internal',
  detail: 'internal error; it has been logged',
} as const satisfies Refusal
