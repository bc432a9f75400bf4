import { randomBytes } from 'node:crypto'
import type { Json } from '../../games/game.ts'

/** A message of league.v2, to be sent. */
export type Message = {
  readonly message_type: MessageType
  readonly [field: string]: Json | undefined
}

/** What came, of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The names of the methods by which a message is sent: that of the reference, as a tool, in upper case. Of the same message
 * different servers know different ones.
 */
const toolNames = {
  REFEREE_REGISTER_REQUEST: 'register_referee',
  LEAGUE_REGISTER_REQUEST: 'register_player',
  LEAGUE_QUERY: 'league_query',
  GAME_INVITATION: 'handle_game_invitation',
  GAME_JOIN_ACK: 'game_join_ack',
  CHOOSE_PARITY_CALL: 'choose_parity',
  CHOOSE_PARITY_RESPONSE: 'choose_parity_response',
  /** Ours, for games in which there is more to choose than a parity. */
  CHOOSE_MOVE_CALL: 'choose_move',
  CHOOSE_MOVE_RESPONSE: 'choose_move_response',
  GAME_OVER: 'notify_match_result',
  ROUND_ANNOUNCEMENT: 'notify_round',
  ROUND_COMPLETED: 'notify_round_completed',
  LEAGUE_STANDINGS_UPDATE: 'update_standings',
  LEAGUE_COMPLETED: 'notify_league_completed',
  GAME_ERROR: 'notify_game_error',
  MATCH_RESULT_REPORT: 'report_match_result',
  REFEREE_REGISTER_RESPONSE: null,
  LEAGUE_REGISTER_RESPONSE: null,
  LEAGUE_QUERY_RESPONSE: null,
  MATCH_RESULT_ACK: null,
  LEAGUE_ERROR: 'notify_league_error',
} as const

export type MessageType = keyof typeof toolNames

/** The methods by which a message is sent, in the order in which they are tried. */
export const methodsOf = (type: MessageType): readonly string[] => [
  type.toLowerCase(),
  toolNames[type] ?? type.toLowerCase(),
  type,
]

/** The type of a message that names none, by its method. */
export const typeOfMethod = (method: string): string | undefined => typesByMethod.get(method)

const typesByMethod: ReadonlyMap<string, string> = new Map(
  (Object.keys(toolNames) as MessageType[]).flatMap(type =>
    methodsOf(type).map(method => [method, type]),
  ),
)

/** The fields that every message has. */
export const envelope = (sender: string, at: number, conversation = newConversation()) => ({
  protocol: 'league.v2',
  sender,
  timestamp: timestampOf(at),
  conversation_id: conversation,
})

/** One client rejects fractions of a second. */
export const timestampOf = (at: number): string =>
  new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

/** Cannot be guessed, so that a message that repeats it comes from who was sent it. */
export const newConversation = (about = 'conv'): string =>
  `${about}-${randomBytes(16).toString('hex')}`

/** ISO 8601 in UTC, in the extended format. */
export const isTimestamp = (value: unknown): boolean => {
  if (typeof value !== 'string') return false
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|\+00:00)$/.exec(value)
  if (parts === null) return false
  const [, day, time] = parts
  const at = Date.parse(`${day}T${time}Z`)
  // The 30th of February is read as a day in March.
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(day!)
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
