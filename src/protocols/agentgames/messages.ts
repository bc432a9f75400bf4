// The messages of AgentGames: parses those of a client, and prints those of the arena.

import type { Refusal } from '../../arena/codes.ts'
import type { Fault } from '../../arena/ending.ts'
import { isStandard } from '../../arena/ladder.ts'
import { readNote } from '../../arena/note.ts'
import type { Ended, Observation, Retries, Seated, Shown } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Json } from '../../games/game.ts'
import { quoted } from '../../games/words.ts'
import { didYouMean } from '../../nearest.ts'
import type { Code } from './codes.ts'

export type Request =
  | { readonly type: 'join'; readonly join: JoinWords }
  /** `move`, `turn` and `note` are undefined where the message does not have them. */
  | {
      readonly type: 'move'
      readonly move: Json | undefined
      readonly turn: Json | undefined
      readonly note: string | undefined
    }
  | { readonly type: 'resign' }
  | { readonly type: 'ping' }

/** The options of a join, unchecked; join.ts checks them. */
export type JoinWords = { readonly [option: string]: Json | undefined }

export const parse = (line: string): Request | Refusal<Code> => {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return bad(
      `this is not JSON: ${quoted(line)}; send one JSON object a line, such as {"type":"move","move":"4"}`,
    )
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return bad(
      `a message is a JSON object, such as {"type":"move","move":"4"}, got ${quoted(line)}`,
    )
  const { type, move, turn, note: raw } = message as { [key: string]: Json }
  switch (type) {
    case 'move': {
      const note = readNote(raw)
      return typeof note === 'object' ? bad(note.problem) : { type, move, turn, note }
    }
    case 'join':
      return { type, join: message as JoinWords }
    case 'resign':
    case 'ping':
      return { type }
    case undefined:
      return bad(`the message has no "type"; it is one of ${types.join(', ')}`)
    default:
      return bad(
        typeof type === 'string'
          ? `unknown "type" ${quoted(type)}${didYouMean(type, types)}; it is one of ${types.join(', ')}`
          : `"type" is a string, one of ${types.join(', ')}`,
      )
  }
}

const types = ['join', 'move', 'resign', 'ping'] as const satisfies Request['type'][]

const bad = (detail: string): Refusal<Code> => ({ code: 'bad-message', detail })

export const print = {
  pong: '{"type":"pong"}',

  queued: (game: string, event: string | null): string =>
    `{"type":"queued","game":"${game}"${event === null ? '' : `,"event":"${event}"`}}`,

  error: ({ code, detail, retryAfter }: Refusal<Code>, match?: number): string =>
    JSON.stringify({ type: 'error', error: detail, code, match, retryAfter }),

  /** An illegal move that does not lose yet. */
  strike: (detail: string, { made, left }: Retries, match: number): string =>
    JSON.stringify({
      type: 'error',
      error: `${detail} (strike ${made} of ${made + (left ?? 0)}: move again)`,
      code: 'illegal-move' satisfies Code,
      match,
      strikes: made,
    }),

  hello: (
    { seat, game, accounts, terms, match, unrated, ladder }: Seated,
    timeouts: readonly SeatTimeout[] | undefined,
  ): string => {
    const others = accounts.filter((_, other) => other !== seat).map(account => account.name)
    return JSON.stringify({
      type: 'hello',
      player: seat,
      game: game.id,
      opponent: others.join(', '),
      ...(others.length > 1 ? { players: accounts.map(account => account.name) } : {}),
      match,
      moveTimeout: terms[seat]!.move / 1000,
      ...banked(terms[seat]!),
      timeouts,
      ...(isStandard(ladder)
        ? {}
        : { speed: ladder.variant.speed, ladder: ladder.variant.listing }),
      ...rated(unrated),
    })
  },

  state: (
    { observation, turn, yourTurn, mayAct, timeLeft, clocks }: Shown,
    sends: StateFields,
    note: string | null,
  ): string => {
    let line = `{"type":"state","observation":${observationJson(observation)},"yourTurn":${yourTurn}`
    if (mayAct) line += ',"mayAct":true'
    if (timeLeft !== null) line += `,"timeLeft":${timeLeft}`
    if (sends.clocks) line += `,"clocks":${JSON.stringify(clocks)}`
    if (sends.turn) line += `,"turn":${turn}`
    if (note !== null) line += `,"note":${JSON.stringify(note)}`
    return `${line}}`
  },

  result: (
    { seat, outcome, change, match, observation, unrated, quick }: Ended,
    note: string | null,
  ): string => {
    const { places, scores, ending, faults, detail } = outcome
    const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []))
    const won = first.includes(seat)
    const fault = ending === 'rules' || ending === 'limit' ? faults[seat] : ending
    const line = JSON.stringify({
      type: 'result',
      winner: first.length === 1 ? first[0] : -1,
      outcome: won ? (first.length === 1 ? 'win' : 'draw') : 'loss',
      rating: change.rating,
      ...(fault ? { reason: reasons[fault] } : {}),
      match,
      change: change.change,
      detail,
      ...(places.length > 2 ? { places } : {}),
      ...(scores === undefined ? {} : { scores }),
      ...rated(unrated),
      ...(quick && unrated === null ? { quick } : {}),
      ...(note === null ? {} : { note }),
    })
    return `${line.slice(0, -1)},"observation":${observationJson(observation)}}`
  },
}

/** The seconds that a seat has for its first move, for each later one, and beside that for all of them. */
interface SeatTimeout {
  readonly first: number
  readonly move: number
  readonly bank?: number
}

const banked = ({ bank }: Terms) => (bank === undefined ? {} : { bank: bank / 1000 })

/** The times of all seats, by seat; undefined where they are equal. */
export const timeoutsOf = ({ terms }: Seated): readonly SeatTimeout[] | undefined => {
  const timeouts: readonly SeatTimeout[] = terms.map(terms => ({
    first: (terms.first?.time ?? terms.move) / 1000,
    move: terms.move / 1000,
    ...banked(terms),
  }))
  const [one] = timeouts
  const isOther = ({ first, move, bank }: SeatTimeout) =>
    first !== one!.first || move !== one!.move || bank !== one!.bank
  return timeouts.some(isOther) ? timeouts : undefined
}

/** The fields of a state that only some matches have. */
export interface StateFields {
  /** Where a move may cross an action of another seat; the move may then name the board that it answers. */
  readonly turn: boolean
  /** Where seats have different times for their moves. */
  readonly clocks: boolean
}

const reasons: Record<Fault, string> = {
  illegal: 'forfeit: illegal move',
  late: 'forfeit: move timeout',
  gone: 'forfeit: connection closed',
  resigned: 'resignation',
}

const rated = (unrated: string | null) =>
  unrated === null ? { rated: true } : { rated: false, unrated }

/** Seats that may see the same get the same object one after the other, so it is serialised once. */
const observationJson = (observation: Observation): string => {
  if (observation !== lastObservation) {
    lastObservation = observation
    lastText = JSON.stringify(observation)
  }
  return lastText
}
let lastObservation: Observation | undefined
let lastText = ''
