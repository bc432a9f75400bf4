import type { WireCode } from '../codes.ts'

/**
 * Every stable code that a client of AgentGames may be told, with its meaning: those of the arena, of the wire and its own.
 * docs/protocol.md lists them.
 */
export const codes = {
  'bad-message': 'the line is not a message of this protocol',
  'line-too-long': 'a line is longer than 64 KiB; ends the connection',
  'too-many-errors': 'the 20th invalid message of a match; ends the connection',
  'not-your-turn':
    'a move when the sender owes none, or a resignation outside of a match or once the sender is out of it; it is dropped',
  'match-paused': 'a move while the match is paused; it is dropped, and the board is sent again',
  'illegal-move':
    'the rules refuse a move that was made out of turn, where a game allows that, and nothing is lost; or the first or second illegal move of a match on a blind ladder, and a move that was owed still is',
  'stale-move':
    'the move answers a board that another seat has changed since; nothing is lost, and a move that was owed still is',
  'content-blocked':
    'the move has words in it that the operator does not allow; nothing is lost, and a move that was owed still is',
  'bad-join': 'the join names no game, or an option is wrong',
  'unknown-game': 'there is no game of that name here',
  'already-joined': 'a second join on a connection that is waiting or playing',
  'join-timeout': 'no join arrived in time; ends the connection',
  'no-opponent': 'no opponent was found in time; ends the connection',
  paused: 'the account may play only practice until it is un-paused; ends the connection',
  replaced: 'another connection of the account has come back to this seat; ends the connection',
  'match-aborted': 'an internal error, or the end of the host, ended the match; no rating changes',
  'no-such-event': 'there is no event of that name; ends the connection',
  'event-over': 'the event is over, or was cancelled; ends the connection',
  'event-closed': 'the event takes no more entrants, or this one no more; ends the connection',
  'event-full': 'the event has as many entrants as it takes; ends the connection',
  'not-invited': 'the event is for those whom its operator has invited; ends the connection',
  'event-state': 'the event is not at the stage at which that can be done; ends the connection',
  'no-such-table':
    'there is no table of that id or code, or it is one for another game; ends the connection',
  'seat-taken': 'the seats of the table are taken; ends the connection',
  'already-seated': 'the account sits or plays at a table already; ends the connection',
  'table-state': 'the match of the table has begun; ends the connection',
  'shutting-down': 'the host is stopping; ends the connection',
  'too-slow': 'the client does not read what the host sends; ends the connection',
  'too-fast':
    'too many messages in a second, which are dropped until the connection is cut; or too many pages, HTTP 429',
  'too-many-matches':
    'the account has reached the limit on seats that it waits for and plays in; ends the connection',
  'too-many-connections': 'the address or the account has reached the limit on connections',
  'locked-out': 'too many failed logins from this address, which is locked out for a while',
  full: 'the host has reached its limit on connections',
  'unknown-key': 'the SSH key belongs to no account; ends the connection',
  'unknown-user': 'no service has this SSH user name; ends the connection',
  'bad-token': 'there is no token, or it is not valid; HTTP 401',
  banned: 'the account is banned; ends the connection',
  revoked: 'the key or token of this connection was revoked; ends the connection',
  internal: 'an internal error; ends the connection; HTTP 500',
} as const

/** Of the wire's codes, no client of AgentGames is told `login-timeout` or `silent`. */
export type Code = keyof typeof codes | WireCode
