import type { Code } from '../play/codes.ts'

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
