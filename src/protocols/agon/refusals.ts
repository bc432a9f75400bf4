// What the wire refuses, in the words of this protocol.

import type { WireCode, WireRefusal } from '../codes.ts'
import type { Close } from '../connection.ts'
import type { HttpAnswer, LastWords } from '../protocol.ts'
import { closeCodes, refusals } from './codes.ts'
import { printed } from './messages.ts'

/** The last message, and how the WebSocket closes. */
export const lastWordsFor = ({ code, detail }: WireRefusal): LastWords & { close: Close } => {
  const last = (closeCode: number, errorCode: string, message = detail) => ({
    text: printed('error', { code: errorCode, message }),
    close: { code: closeCode, reason: message },
  })
  switch (code) {
    case 'shutting-down':
      return { close: { code: closeCodes.shuttingDown, reason: detail } }
    case 'line-too-long':
      return { close: { code: closeCodes.tooLong, reason: detail } }
    case 'silent':
      return { close: { code: closeCodes.silent, reason: detail } }
    case 'bad-token':
    case 'revoked':
      return last(closeCodes.unauthorized, 'INVALID_TOKEN', refusals.badToken.message)
    case 'banned':
      return last(closeCodes.unauthorized, 'INVALID_TOKEN')
    case 'too-fast':
      return last(closeCodes.flooding, 'RATE_LIMITED')
    case 'internal':
      return last(closeCodes.internal, 'VALIDATION_FAILED')
    default:
      return last(1008, 'RATE_LIMITED')
  }
}

/** The same in HTTP. `unknown`: the code for a secret that logs in no one. */
export const answerFor = (
  { code, detail, retryAfter }: WireRefusal,
  unknown: 'INVALID_TOKEN' | 'INVALID_API_KEY' = 'INVALID_TOKEN',
): HttpAnswer => {
  const [status, name = unknown] = statuses[code] ?? [400, 'BAD_REQUEST']
  const message =
    code === 'bad-token' || code === 'revoked'
      ? unknown === 'INVALID_TOKEN'
        ? refusals.badToken.message
        : 'Invalid API key.'
      : detail
  return {
    status,
    type: 'application/json',
    body: errorBody(name, message),
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  }
}

export const errorBody = (code: string, message: string): string =>
  JSON.stringify({ error: { code, message } })

const statuses: Partial<Record<WireCode, readonly [status: number, code?: string]>> = {
  'bad-token': [401],
  revoked: [401],
  banned: [401],
  'locked-out': [429, 'RATE_LIMITED'],
  'too-fast': [429, 'RATE_LIMITED'],
  'too-many-connections': [429, 'RATE_LIMITED'],
  internal: [500, 'INTERNAL'],
  full: [503, 'UNAVAILABLE'],
  'shutting-down': [503, 'UNAVAILABLE'],
}

export const upgradeRequired = {
  status: 426,
  type: 'application/json',
  body: errorBody('BAD_REQUEST', 'This address speaks WebSocket: connect with a WebSocket client.'),
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
} as const satisfies HttpAnswer
