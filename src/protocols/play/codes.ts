import type { Code as ArenaCode } from '../../arena/codes.ts'
import type { WireCode } from '../codes.ts'

/** The codes with which the operations refuse a call, besides those of the host, each with its meaning. docs/http.md lists them. */
export const ownCodes = {
  unreadable: 'the body is not what the operation takes; nothing is lost',
  'nothing-here': 'there is no such operation',
  'no-seat':
    'the account has no such seat: it never had, or its match ended more than 10 minutes ago',
  'bad-version':
    'the version was declared with other words, looks like another one, or is one too many in 24 hours',
  'no-match-yet': 'a move before the match has begun',
  'wrong-ply': 'the move answers a board that is not the present one; nothing is lost',
  'ply-played': 'another move has been made for this ply; nothing is lost',
  'no-such-match': 'there is no match of this number',
  'long-record': 'the record is too long for this operation',
  'match-live': 'the match has no record before its end',
} as const

export type Code = keyof typeof ownCodes | ArenaCode | WireCode
