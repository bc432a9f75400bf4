/** The codes of `error` messages. The log and the metrics have them in lower case with hyphens, as all codes. */
export const errorCodes = [
  'INVALID_ACTION',
  'NOT_YOUR_TURN',
  'INSUFFICIENT_FUNDS',
  'INVALID_PROPERTY',
  'AGENT_TIMEOUT',
  'INVALID_TOKEN',
  'ROOM_NOT_FOUND',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The codes of answers in HTTP, each with its status. */
export const httpCodes = {
  BAD_REQUEST: 400,
  PREMIUM_NOT_OFFERED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  ROOM_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  ROOM_FULL: 409,
  GAME_ALREADY_STARTED: 409,
  GAME_NOT_STARTED: 409,
  ALREADY_SEATED: 409,
  AGENT_ID_TAKEN: 409,
  NAME_TAKEN: 409,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

/** The codes under which calls of MCP are counted that are none of those. */
export const mcpCodes = [
  ...['unreadable', 'no-game', 'bad-action', 'not-queued', 'already-seated', 'too-many-tables'],
  ...['no-such-table', 'seat-taken', 'foreign-origin', 'batch', 'only-post'],
] as const satisfies readonly string[]

export type HttpCode = keyof typeof httpCodes

export const logCode = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** What an agent is told of an action that it may not do. */
export interface Refused {
  readonly code: ErrorCode
  readonly message: string
  readonly context?: { readonly [field: string]: unknown }
}

export const invalidAction = (message: string): Refused => ({ code: 'INVALID_ACTION', message })

/** Why a request over HTTP is refused. */
export interface HttpRefused {
  readonly code: HttpCode
  readonly error: string
  /** Whole seconds after which to try again, where that helps. */
  readonly retryAfter?: number
}

export const isRefused = <T extends object>(answer: T | HttpRefused): answer is HttpRefused =>
  'error' in answer && 'code' in answer

/** How WebSockets are closed. */
export const closeCodes = {
  over: 1000,
  shuttingDown: 1001,
  tooLong: 1009,
  internal: 1011,
  policy: 1008,
  replaced: 4000,
  badToken: 4001,
  noRoom: 4004,
} as const
