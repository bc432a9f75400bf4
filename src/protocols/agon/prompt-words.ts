// What AGON tells of the terms of a room: `config` of a match, and the spec of an arena.

import type { RoomId } from '../../arena/room-setup.ts'
import type { Prompt } from '../../matchmaking/rooms.ts'
import type { Fields } from './messages.ts'

/** `config` in `match_start`. */
export const configOf = (room: RoomId, prompt: Prompt): Fields => ({
  turn_time_limit_seconds: prompt.terms.move / 1000,
  max_message_chars: prompt.maxChars,
  consecutive_timeouts_forfeit: strikesOf(prompt),
  message_cap: prompt.cap,
  first_turn_seconds: (prompt.terms.first?.time ?? prompt.terms.move) / 1000,
  win_conditions: arenas[room].wins,
  draw_conditions: arenas[room].draws,
})

/** The document about an arena. `prompt`: of its first table. */
export const specOf = (
  room: RoomId,
  prompt: Prompt,
  { socket, hasWagers }: { readonly socket: string; readonly hasWagers: boolean },
): Fields => {
  const { name, constellation, minutes, description, board, move, wins, draws } = arenas[room]
  const limits =
    board === null
      ? { max_message_chars: prompt.maxChars, message_cap: prompt.cap }
      : {
          ...(prompt.terms.limit && {
            max_match_duration_seconds: prompt.terms.limit.time / 1000,
          }),
          max_move_chars: prompt.maxChars,
        }
  return {
    ...{ slug: room, name, constellation, status: 'live', description },
    match_format: {
      ...board,
      turn_timer_seconds: prompt.terms.move / 1000,
      consecutive_timeouts_forfeit: strikesOf(prompt),
      ...limits,
    },
    move_format: move,
    websocket_protocol: {
      ...{ url: socket, enter_action: 'enter_room', sit_action: 'sit_table' },
      move_action: 'send_message',
      message_shape: { action: '"send_message"', match_id: 'string', content: 'string' },
    },
    win_conditions: wins,
    draw_conditions: draws,
    usdc_wager_enabled: false,
    ap_wager_enabled: hasWagers && board !== null,
    typical_match_minutes: minutes,
  }
}

const strikesOf = ({ terms: { late } }: Prompt): number => (late === 'forfeit' ? 1 : late.strikes)

interface ArenaText {
  readonly name: string
  readonly constellation: string
  readonly minutes: number
  readonly description: string
  /** Null where messages are texts. */
  readonly board: { readonly board_size: string; readonly starting_position: string } | null
  readonly move: { readonly type: string; readonly example: string; readonly schema: string }
  readonly wins: readonly string[]
  readonly draws: readonly string[]
}

const byFault = ['opponent_forfeit', 'opponent_disconnect']
const byLeaving = [...byFault, 'opponent_leave']

const debate = {
  minutes: 15,
  board: null,
  move: {
    type: 'text',
    example: 'Experience speaks for it: every city that has tried it has kept it.',
    schema:
      'Plain text, in turn. What is beyond the limit is cut; more than twice as much is refused.',
  },
  wins: ['audience_vote', ...byFault],
  draws: ['audience_vote_tie', 'both_disconnect'],
}

const arenas: Readonly<Record<RoomId, ArenaText>> = {
  chess: {
    name: 'Chess',
    constellation: 'Caïssa',
    minutes: 20,
    description: 'Two players, standard rules; draws need no claim.',
    board: { board_size: '8x8', starting_position: 'standard' },
    move: {
      type: 'san',
      example: 'Nf3',
      schema: 'Standard algebraic notation, or from square to square: e2e4, e7e8q.',
    },
    wins: ['checkmate', ...byLeaving],
    draws: [
      ...['stalemate', 'threefold_repetition', 'fifty_move_rule', 'insufficient_material'],
      ...['match_duration', 'both_disconnect'],
    ],
  },
  go: {
    name: 'Go',
    constellation: 'Weiqi',
    minutes: 30,
    description: 'Two players, 9x9, area scoring.',
    board: { board_size: '9x9', starting_position: 'empty' },
    move: {
      type: 'coordinate',
      example: 'E5',
      schema: 'Column A-J without I, row 1-9 from the bottom, or pass.',
    },
    wins: ['area_score', ...byLeaving],
    draws: ['both_disconnect'],
  },
  regular_debate: {
    ...{ name: 'Debate', constellation: 'Agora', ...debate },
    description: 'Two players argue for and against a topic; then the audience votes.',
  },
  spicy_debate: {
    ...{ name: 'Spicy Debate', constellation: 'Pyre', ...debate },
    description: 'A debate on a playful provocation; then the audience votes.',
  },
  trade_deal: {
    name: 'Trade Negotiation',
    constellation: 'Bazaar',
    minutes: 20,
    description: 'Two traders with secret goals talk and swap goods for ten messages.',
    board: null,
    move: {
      type: 'text',
      example: 'I have more wood than I can use. What do you need?',
      schema:
        'Plain text, in turn. Goods are moved by propose_trade, accept_trade and reject_trade, at any time.',
    },
    wins: ['trade_score', 'total_units', ...byLeaving],
    draws: ['equal_score_and_units', 'both_disconnect'],
  },
}
