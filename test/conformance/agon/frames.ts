// The exact field sets of §5, §8 and §2. A rule says what is wrong with a value, or null.
import { show } from './report.ts'

// biome-ignore lint/suspicious/noExplicitAny: the checker reads fields before it knows that they are there
export type Received = any

export type Frame = { readonly event: string } & Readonly<Record<string, Received>>
type Rule = (value: unknown, path: string) => string | null

export const ROOMS = ['chess', 'go', 'regular_debate', 'spicy_debate', 'trade_deal'] as const
export type Room = (typeof ROOMS)[number]
export const RESOURCES = ['gold', 'iron', 'food', 'wood'] as const
export type Resource = (typeof RESOURCES)[number]
export type Goods = Partial<Record<Resource, number>>

const OPTIONAL = new WeakSet<Rule>()

const END_REASONS = [
  'checkmate',
  'stalemate',
  'draw',
  'go_score',
  'cap',
  'trade_scored',
  'forfeit',
  'disconnect',
  'both_disconnect',
  'leave',
]

const text = rule('a string', v => typeof v === 'string')
const id = rule('a string that is not empty', v => typeof v === 'string' && v !== '')
const number = rule('a number', v => typeof v === 'number' && Number.isFinite(v))
const whole = rule('a whole number', v => Number.isInteger(v))
const count = rule('a whole number of 0 or more', v => Number.isInteger(v) && (v as number) >= 0)
const bool = rule('true or false', v => typeof v === 'boolean')
const room = oneOf(...ROOMS)
const type = oneOf('agent', 'human')

const goods = rule(
  'amounts of gold, iron, food, wood above 0',
  v => isRecord(v) && Object.entries(v).every(([k, n]) => isResource(k) && isPositive(n)),
)
const holdings = object({ gold: count, iron: count, food: count, wood: count })
const goal = object({ resource: oneOf(...RESOURCES), amount: count, points: count })
const opponent = object({
  id,
  type,
  name: id,
  framework: nullable(text),
  elo: whole,
  connected: bool,
})
const strings = list(text)
const config = object({
  turn_time_limit_seconds: number,
  max_message_chars: count,
  consecutive_timeouts_forfeit: count,
  message_cap: nullable(count),
  first_turn_seconds: number,
  win_conditions: optional(strings),
  draw_conditions: optional(strings),
})
const board = rule(
  '9 rows of 9 numbers 0, 1, 2',
  v => isNine(v) && v.every(row => isNine(row) && row.every(n => n === 0 || n === 1 || n === 2)),
)
const captures = object({ black: count, white: count })

export const roomSummary = object({
  room,
  agents_present: count,
  humans_present: count,
  tables_open: count,
})
const seat = nullable(object({ id, type, name: id, elo: whole }))
const tableState = object({
  id,
  status: oneOf('waiting', 'in_match', 'finished'),
  seat_1: seat,
  seat_2: seat,
  prompt_title: text,
  prompt_body: nullable(text),
})
const matchMessage = object({
  participant_id: id,
  participant_name: id,
  content: text,
  message_number: count,
  server_timestamp: count,
})
const side = object({
  goal,
  held: count,
  progress: rule('a number from 0 to 1', v => typeof v === 'number' && v >= 0 && v <= 1),
  goal_met: bool,
  total_units: count,
})

const result = object({
  winner_id: nullable(id),
  winner_type: nullable(type),
  loser_id: nullable(id),
  end_reason: oneOf(...END_REASONS),
  participant_1_score: number,
  participant_2_score: number,
  vote_count: record(count),
  total_votes: count,
  elo_changes: record(whole),
  points_awarded: optional(record(whole)),
  trade_result: optional(object({ participant_1: side, participant_2: side })),
  draw_reason: optional(text),
  duration_seconds: number,
  total_messages: count,
})

const message = {
  match_id: id,
  content: text,
  message_number: count,
  truncated: bool,
  server_timestamp: count,
  fen: optional(text),
  board: optional(board),
  captures: optional(captures),
}
const currency = oneOf('AP')

const EVENTS: Readonly<Record<string, Rule>> = {
  welcome: event({ rooms: list(roomSummary) }),
  room_state: event({
    room,
    tables: list(tableState),
    agents_present: count,
    humans_present: count,
  }),
  seated: event({ table_id: id, prompt_title: text, prompt_body: nullable(text) }),
  match_countdown: event({ match_id: id, seconds: number }),
  match_start: event({
    match_id: id,
    opponent,
    prompt_title: text,
    prompt_body: nullable(text),
    you_go_first: bool,
    config,
    your_elo: whole,
    h2h_summary: nullable(object({ wins: count, losses: count, draws: count })),
  }),
  turn_timer: event({ match_id: id, seconds_remaining: number }),
  opponent_message: event(message),
  trade_state_update: event({ match_id: id, your_resources: holdings, your_goal: goal }),
  trade_proposed: event({ match_id: id, proposer_name: id, offer: goods, request: goods }),
  trade_executed: event({ match_id: id, your_resources: holdings }),
  trade_rejected: event({ match_id: id, rejector_name: id }),
  opponent_disconnected: event({ match_id: id, grace_seconds: number }),
  opponent_reconnected: event({ match_id: id }),
  opponent_leaving: event({
    match_id: id,
    parting_shot: nullable(text),
    voting_in_seconds: optional(number),
  }),
  voting_open: event({ match_id: id, duration_seconds: number }),
  reconnect_state: event({
    match_id: id,
    status: oneOf('active'),
    your_turn: bool,
    turn_timer_remaining: number,
    total_messages: count,
    recent_messages: list(matchMessage),
    opponent,
    spectator_count: count,
    match_duration_seconds: number,
  }),
  match_end: event({
    match_id: id,
    result,
    your_role: oneOf('participant_1', 'participant_2'),
    your_score: number,
    opponent_score: number,
  }),
  elo_update: event({ room, new_rating: whole, change: whole }),
  points_update: event({ points_earned: whole, reason: oneOf('win', 'draw', 'loss') }),
  error: event({ code: id, message: id, legal_moves: optional(strings) }),
  wager_proposed: event({
    match_id: id,
    proposer_name: id,
    amount: count,
    currency,
    expires_in_seconds: number,
  }),
  wager_accepted: event({ match_id: id, amount: count, currency }),
  wager_declined: event({ match_id: id }),
  wager_cancelled: event({ match_id: id }),
  wager_expired: event({ match_id: id }),
  wager_settled: event({
    match_id: id,
    amount: count,
    currency,
    outcome: oneOf('win', 'loss', 'refund'),
    balance: count,
  }),
}

/** Events that a spectator gets, and the ones whose fields differ for one. */
const SPECTATOR_EVENTS: Readonly<Record<string, Rule>> = {
  spectator_message: event({ ...message, participant_id: id, participant_name: id }),
  reaction: event({ match_id: id, reaction: text }),
  voting_open: event({
    match_id: id,
    duration_seconds: number,
    participants: list(object({ id, name: id, type })),
  }),
  match_end: event({ match_id: id, result }),
  wager_result: event({ match_id: id, winner_id: nullable(id), amount: count, currency }),
}

export function isSpectatorEvent(name: string): boolean {
  return name in SPECTATOR_EVENTS
}

/** What is wrong with a frame, or null. Spectators get other fields of some events than participants. */
export function faultOf(frame: Frame, asParticipant: boolean): string | null {
  const found = asParticipant
    ? EVENTS[frame.event]
    : (SPECTATOR_EVENTS[frame.event] ?? EVENTS[frame.event])
  return found === undefined ? 'not an event of §5' : found(frame, '')
}

function event(fields: Readonly<Record<string, Rule>>): Rule {
  return object({ event: text, ...fields })
}

/** Exactly these fields: none missing, none besides. */
export function object(fields: Readonly<Record<string, Rule>>): Rule {
  return (value, path) => {
    if (!isRecord(value)) return `${path || 'frame'}: not an object: ${show(value)}`
    for (const key of Object.keys(value))
      if (!(key in fields)) return `${path || 'frame'}: field "${key}" is not in the reference`
    for (const [key, rule] of Object.entries(fields)) {
      if (!(key in value) && !OPTIONAL.has(rule))
        return `${path || 'frame'}: field "${key}" is missing`
      if (!(key in value)) continue
      const fault = rule(value[key], path === '' ? key : `${path}.${key}`)
      if (fault !== null) return fault
    }
    return null
  }
}

function optional(inner: Rule): Rule {
  const made: Rule = (value, path) => inner(value, path)
  OPTIONAL.add(made)
  return made
}

function nullable(inner: Rule): Rule {
  return (value, path) => (value === null ? null : inner(value, path))
}

export function list(inner: Rule): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path}: not a list: ${show(value)}`
    for (const [i, item] of value.entries()) {
      const fault = inner(item, `${path}[${i}]`)
      if (fault !== null) return fault
    }
    return null
  }
}

function record(inner: Rule): Rule {
  return (value, path) => {
    if (!isRecord(value)) return `${path}: not an object: ${show(value)}`
    for (const [key, item] of Object.entries(value)) {
      const fault = inner(item, `${path}.${key}`)
      if (fault !== null) return fault
    }
    return null
  }
}

function oneOf(...values: readonly string[]): Rule {
  return rule(`one of ${values.join(', ')}`, v => values.includes(v as string))
}

export function rule(wanted: string, holds: (value: unknown) => boolean): Rule {
  return (value, path) => (holds(value) ? null : `${path}: not ${wanted}: ${show(value)}`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isResource(key: string): key is Resource {
  return (RESOURCES as readonly string[]).includes(key)
}

function isPositive(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0
}

function isNine(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length === 9
}
