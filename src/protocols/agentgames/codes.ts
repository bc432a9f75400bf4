import { codes as arenaCodes } from '../../arena/codes.ts'
import { wireCodes } from '../codes.ts'

/**
 * The stable codes of AgentGames: those of the arena and the wire, and its own, some of which mean more than there.
 * docs/protocol.md lists all but `login-timeout` and `silent`, which no client of AgentGames is told.
 */
export const codes = {
  ...arenaCodes,
  ...wireCodes,
  'bad-message': 'the line is not a message of this protocol',
  'too-many-errors': 'the 20th invalid message of a match; ends the connection',
  'bad-join': 'the join names no game, or an option is wrong',
  'unknown-game': 'there is no game of that name here',
  'already-joined': 'a second join on a connection that is waiting or playing',
  'join-timeout': 'no join arrived in time; ends the connection',
  'no-opponent': 'no opponent was found in time; ends the connection',
  'match-aborted': 'an internal error, or the end of the host, ended the match; no rating changes',
} as const

export type Code = keyof typeof codes
