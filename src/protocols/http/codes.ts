import type { Code as ArenaCode } from '../../arena/codes.ts'
import type { WireCode } from '../codes.ts'

/** The codes of its own with which this protocol refuses a call, each with its meaning. docs/http.md lists them. */
export const ownCodes = {
  unreadable: 'the body is not what the operation takes; nothing is lost',
  'nothing-here': 'there is no such operation',
  'no-seat':
    'the account has no such seat: it never had, or its match ended more than 10 minutes ago',
  'no-match-yet': 'a move before the match has begun',
  'wrong-ply': 'the move answers a board that is not the present one; nothing is lost',
  'ply-played': 'another move has been made for this ply; nothing is lost',
  'no-such-match': 'there is no match of this number',
  'long-record': 'the record is too long for this operation',
  'match-live': 'the match has no record before its end',
} as const

export type Code = keyof typeof ownCodes | ArenaCode | WireCode

/** The status of a refusal. */
export const statusOf = (code: Code): number => statuses[code] ?? 409

const statuses: Partial<Record<Code, number>> = {
  unreadable: 400,
  'bad-message': 400,
  'bad-token': 401,
  banned: 403,
  revoked: 401,
  paused: 403,
  'nothing-here': 404,
  'no-seat': 404,
  'no-such-match': 404,
  'no-such-level': 404,
  'no-such-opponent': 404,
  'illegal-move': 422,
  'locked-out': 429,
  'too-fast': 429,
  'too-many-connections': 429,
  'too-many-matches': 429,
  internal: 500,
  full: 503,
  'shutting-down': 503,
}
