/** What this protocol refuses, by the codes of the log and the metrics, in the exact words of its reference. */
export const refusals = {
  'bad-token': 'Invalid API key.',
  'no-token': 'Missing or invalid token in authenticate message.',
  'already-authenticated': 'Already authenticated.',
  'bad-message': 'Invalid JSON.',
  'unknown-type': 'Unknown message type.',
  'not-authenticated':
    'Not authenticated. Send {"type":"authenticate","token":"YOUR_API_KEY"} first.',
  'no-game-id': 'Missing gameId.',
  'no-game-type': 'Missing gameType.',
  'no-move': 'Missing move.',
  'game-not-found': 'Game not found.',
  'unknown-game': 'Unknown gameType.',
  'already-playing': 'Already in an active game.',
  /** Not in the reference. */
  'too-many-subscriptions': 'Too many subscriptions: at most 100 games on one connection.',
  /** Neither is this. */
  'practice-at-table': 'practice and table exclude each other.',
} as const

export type Code = keyof typeof refusals

/** Why a move is refused, in the order in which it is checked. */
export const moveRefusals = {
  'not-active': 'Game not found or not active.',
  'not-a-player': 'You are not a player in this game.',
  'already-moved': 'You already submitted a move this round.',
  'invalid-move': 'Invalid move.',
} as const

export type MoveCode = keyof typeof moveRefusals

/** How WebSockets are closed. */
export const closeCodes = {
  shuttingDown: 1001,
  tooLong: 1009,
  internal: 1011,
  unauthorized: 4001,
  replaced: 4009,
  tooFast: 4029,
} as const
