// What the wire refuses, in the words of this protocol.

import type { WireCode, WireRefusal } from '../codes.ts'
import type { Close } from '../connection.ts'
import type { HttpAnswer, LastWords } from '../protocol.ts'
import { closeCodes, refusals } from './codes.ts'
import { print } from './messages.ts'

/** The last message, and how the WebSocket closes. */
export const lastWordsFor = ({ code, detail }: WireRefusal): LastWords & { close: Close } => {
  const last = (closeCode: number, message = detail) => ({
    text: print.error(message),
    close: { code: closeCode, reason: message },
  })
  switch (code) {
    case 'shutting-down':
      return { close: { code: closeCodes.shuttingDown, reason: detail } }
    case 'line-too-long':
      return { close: { code: closeCodes.tooLong, reason: detail } }
    case 'bad-token':
    case 'revoked':
      return last(closeCodes.unauthorized, refusals['bad-token'])
    case 'banned':
      return last(closeCodes.unauthorized)
    case 'too-fast':
      return last(closeCodes.tooFast)
    case 'internal':
      return last(closeCodes.internal)
    default:
      return last(1008)
  }
}

/** The same in HTTP, where the socket or a route is asked for. */
export const answerFor = ({ code, detail, retryAfter }: WireRefusal): HttpAnswer => ({
  status: statuses[code] ?? 400,
  type: 'application/json',
  body: JSON.stringify({ error: code === 'bad-token' ? refusals['bad-token'] : detail }),
  headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
})

const statuses: Partial<Record<WireCode, number>> = {
  'bad-token': 401,
  revoked: 401,
  banned: 403,
  'locked-out': 429,
  'too-fast': 429,
  'too-many-connections': 429,
  internal: 500,
  full: 503,
  'shutting-down': 503,
}

export const upgradeRequired = {
  status: 426,
  type: 'application/json',
  body: JSON.stringify({
    error: 'This address speaks WebSocket: connect with a WebSocket client.',
  }),
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
} as const satisfies HttpAnswer
