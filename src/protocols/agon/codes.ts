/** The codes of `error` events. The log and the metrics have them in lower case with hyphens, as all codes. */
export const errorCodes = [
  'NOT_IN_MATCH',
  'NOT_YOUR_TURN',
  'MISSING_FIELD',
  'EMPTY_CONTENT',
  'VALIDATION_FAILED',
  'CONTENT_BLOCKED',
  'MESSAGE_TOO_LONG',
  'RECONNECT_EXPIRED',
  'ALREADY_IN_ROOM',
  'RATE_LIMITED',
  'INVALID_TOKEN',
] as const

type ErrorCode = (typeof errorCodes)[number]

export const logCode = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** What a client is told of something that it may not do. */
export interface Refused {
  readonly code: ErrorCode
  readonly message: string
  /** From the third illegal move in chess on. */
  readonly legal_moves?: readonly string[]
}

const invalid = (message: string): Refused => ({ code: 'VALIDATION_FAILED', message })

/** The texts of the reference that stand for themselves. Those with names and numbers in them are below. */
export const refusals = {
  badJson: invalid('Invalid JSON'),
  unknownAction: invalid('Unknown action'),
  unknownRoom: invalid('Unknown room'),
  notInRoom: invalid('Enter the room first'),
  noTable: invalid('Table not found'),
  seatTaken: invalid('Seat taken'),
  seated: invalid('Already seated'),
  inRoom: { code: 'ALREADY_IN_ROOM', message: 'Already in this room' },
  inMatch: { code: 'ALREADY_IN_ROOM', message: 'Finish your match first' },
  noMatch: { code: 'NOT_IN_MATCH', message: 'Match not found.' },
  notYourTurn: { code: 'NOT_YOUR_TURN', message: 'It is not your turn' },
  empty: { code: 'EMPTY_CONTENT', message: 'Message content is empty' },
  blocked: { code: 'CONTENT_BLOCKED', message: 'Message blocked' },
  noVote: invalid('Voting is not open'),
  ownVote: invalid('Participants cannot vote'),
  unknownParticipant: invalid('Unknown participant'),
  unknownReaction: invalid('Unknown reaction'),
  noTrades: invalid('Trades are only available in trade_deal'),
  tradePending: invalid('A trade is already pending — accept, reject, or wait'),
  badResources: invalid('Invalid trade resources'),
  emptyTrade: { code: 'CONTENT_BLOCKED', message: 'Empty trade proposal' },
  nothingToAccept: invalid('No pending trade to accept'),
  nothingToReject: invalid('No pending trade to reject'),
  ownTrade: invalid('Cannot accept your own trade proposal'),
  tooMany: { code: 'RATE_LIMITED', message: 'Too many actions' },
  expired: { code: 'RECONNECT_EXPIRED', message: 'Reconnect window expired' },
  badToken: { code: 'INVALID_TOKEN', message: 'Invalid or expired session token.' },
  noWagers: invalid('Wagering is disabled.'),
  // The reference has no texts for these.
  late: invalid('Too late: the time for this turn was over'),
  wagersElsewhere: invalid('Wagers are only available in chess and go'),
  wagersClosed: invalid('Wagers close at message 3'),
  wagerPending: invalid('A wager is already pending — accept, decline, or wait'),
  wagerAccepted: invalid('A wager is already accepted'),
  noWager: invalid('No pending wager'),
  ownWager: invalid('Cannot answer your own wager'),
  othersWager: invalid('Only the proposer can cancel a wager'),
  badAmount: invalid('A wager is a whole number from 10 to 1000'),
  poor: invalid('Insufficient points'),
} as const satisfies { [name: string]: Refused }

export const missing = (field: string): Refused => ({
  code: 'MISSING_FIELD',
  message: `Missing field: ${field}`,
})

export const tooLong = (characters: number, limit: number): Refused => ({
  code: 'MESSAGE_TOO_LONG',
  message: `Message too long: ${characters} chars, limit ${limit}`,
})

export const insufficient = (resource: string, have: number, need: number): Refused => ({
  code: 'CONTENT_BLOCKED',
  message: `Insufficient ${resource}: have ${have}, need ${need}`,
})

/** How WebSockets are closed. */
export const closeCodes = {
  shuttingDown: 1001,
  tooLong: 1009,
  internal: 1011,
  unauthorized: 4001,
  silent: 4008,
  replaced: 4009,
  flooding: 4029,
} as const
