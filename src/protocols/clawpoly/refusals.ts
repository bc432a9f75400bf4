// What the host refuses, in the words of this protocol.

import type { Refusal } from '../../arena/codes.ts'
import type { WireCode, WireRefusal } from '../codes.ts'
import type { Close } from '../connection.ts'
import type { HttpAnswer, LastWords } from '../protocol.ts'
import { closeCodes, type HttpCode, type HttpRefused, httpCodes } from './codes.ts'

/** Why a player may not sit down, or a table not start. */
export const refusedBy = ({ code, detail, retryAfter }: Refusal<string>): HttpRefused => ({
  code: tableCodes[code] ?? 'BAD_REQUEST',
  error: sentence(detail),
  ...(retryAfter !== undefined && { retryAfter }),
})

const tableCodes: Readonly<Record<string, HttpCode>> = {
  'no-such-table': 'ROOM_NOT_FOUND',
  'seat-taken': 'ROOM_FULL',
  'already-seated': 'ALREADY_SEATED',
  'table-state': 'GAME_NOT_STARTED',
  'too-many-tables': 'RATE_LIMITED',
  'too-many-matches': 'RATE_LIMITED',
  paused: 'FORBIDDEN',
  internal: 'INTERNAL',
  'shutting-down': 'UNAVAILABLE',
}

export const answerTo = ({ code, error, retryAfter }: HttpRefused): HttpAnswer => ({
  status: httpCodes[code],
  type: 'application/json',
  body: JSON.stringify({ error, code }),
  headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
})

/** How the wire ends a WebSocket. The messages of the protocol have no words for that. */
export const lastWordsFor = ({ code, detail }: WireRefusal): LastWords & { close: Close } => ({
  close: { code: wireCloses[code] ?? closeCodes.policy, reason: detail },
})

const wireCloses: Partial<Record<WireCode, number>> = {
  'shutting-down': closeCodes.shuttingDown,
  'line-too-long': closeCodes.tooLong,
  internal: closeCodes.internal,
}

/** The same in HTTP. */
export const wireRefused = ({ code, detail, retryAfter }: WireRefusal): HttpRefused => ({
  code: wireStatuses[code] ?? 'BAD_REQUEST',
  error: sentence(detail),
  ...(retryAfter !== undefined && { retryAfter }),
})

const wireStatuses: Partial<Record<WireCode, HttpCode>> = {
  'bad-token': 'UNAUTHORIZED',
  revoked: 'UNAUTHORIZED',
  banned: 'FORBIDDEN',
  'locked-out': 'RATE_LIMITED',
  'too-fast': 'RATE_LIMITED',
  'too-many-connections': 'RATE_LIMITED',
  internal: 'INTERNAL',
  full: 'UNAVAILABLE',
  'shutting-down': 'UNAVAILABLE',
}

export const upgradeRequired: HttpAnswer = {
  ...answerTo({
    code: 'UPGRADE_REQUIRED',
    error: 'This address speaks WebSocket: connect with a WebSocket client.',
  }),
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
}

/** The host's words begin in lower case, and have no full stop. */
export const sentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${detail.endsWith('.') ? '' : '.'}`
