import type { WireCode } from '../../src/protocols/codes.ts'
import type { RegistrationCode } from '../../src/protocols/credentials.ts'
import type { HttpAnswer } from '../../src/protocols/protocol.ts'

type Code = WireCode | RegistrationCode | 'unreadable' | 'nothing-here' | 'no-match' | 'no-seat'

/** The toy's own. */
export const codes: readonly Code[] = ['unreadable', 'nothing-here', 'no-match', 'no-seat']

/** A refusal of the toy, of the wire, or of the registrar. */
export interface Refused {
  readonly code: Code
  readonly detail: string
  readonly retryAfter?: number
}

/** In the toy's words. */
export const worded = ({ code, detail, retryAfter }: Refused): HttpAnswer => ({
  status: statuses[code] ?? 400,
  type: 'application/json',
  body: JSON.stringify({ no: code, because: detail }),
  ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
})

const statuses: Partial<Record<Code, number>> = {
  'bad-token': 401,
  banned: 403,
  revoked: 403,
  closed: 403,
  'nothing-here': 404,
  'no-match': 409,
  'name-taken': 409,
  'no-seat': 410,
  'locked-out': 423,
  'too-fast': 429,
  'too-many-tries': 429,
  'too-many-connections': 429,
  internal: 500,
  full: 503,
  'shutting-down': 503,
}
