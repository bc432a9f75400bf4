// What a call is answered: the state of a seat as JSON, and the next call in words.

import type { Ladder } from '../../arena/ladder.ts'
import type { Aborted, Ended, Observation, Retries, Seated, Shown } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Game } from '../../games/game.ts'
import { callText, type PlayProtocol } from './call-text.ts'
import type { Code } from './codes.ts'
import type { Detail, Verb } from './operations.ts'
import type { Since } from './seat.ts'

export interface Reply {
  readonly body: {
    readonly status: string
    readonly next: string
    readonly [field: string]: unknown
  }
  readonly retryAfter?: number
}

/** The body of a reply as JSON. A call is sent it, and the log of its owner has it: it is made once. */
export const textOf = ({ body }: Reply): string => {
  const text = texts.get(body) ?? JSON.stringify(body)
  texts.set(body, text)
  return text
}
const texts = new WeakMap<Reply['body'], string>()

const ok = (body: Reply['body']): Reply => ({ body })

const again = (to: PlayProtocol) => `${callText(to, 'wait')} with seat`

export const queued = (to: PlayProtocol, seat: string, { id, game }: Ladder): Reply =>
  ok({ status: 'waiting', seat, game, ladder: id, for: 'opponent', next: again(to) })

export const superseded = (seat: string): Reply =>
  ok({
    status: 'superseded',
    seat,
    next: 'no call: a newer one on this seat waits in place of this one',
  })

/** The seat was left before a match began. */
export const closed = (to: PlayProtocol, code: string, detail: string): Reply =>
  ok({
    status: 'closed',
    code,
    detail,
    next: `${callText(to, 'join')} with game to wait again, or with practice true to play the house at once`,
  })

interface Told {
  /** The protocol of the call that is answered. */
  readonly to: PlayProtocol
  readonly seat: string
  readonly seated: Seated
  readonly since: readonly Since[]
  readonly detail: Detail
}

export const playing = ({
  to,
  seat,
  seated,
  board,
  since,
  detail,
  isFirst,
  isNew,
  isOut,
  terms,
  timeLeft,
}: Told & {
  readonly board: Shown | null
  /** No call has been answered with a board yet. */
  readonly isFirst: boolean
  /** The client may not have read an answer of this match yet. */
  readonly isNew: boolean
  readonly isOut: boolean
  readonly terms: Terms
  readonly timeLeft: number | null
}): Reply => {
  const { yourTurn = false, mayAct = false, turn: ply, observation } = board ?? {}
  const status = yourTurn ? 'your_turn' : mayAct ? 'may_act' : isFirst ? 'matched' : 'waiting'
  return ok({
    status,
    ...matchOf(seat, seated, detail),
    ...(isNew && startOf(seated, terms)),
    ply,
    ...(timeLeft !== null && { time_left_s: Math.round(timeLeft / 100) / 10 }),
    ...(isOut && { out: true }),
    since: since.map(sinceOf),
    ...boardOf(observation, detail, yourTurn || mayAct),
    next: nextOf(to, status, seated.game, observation, ply),
  })
}

const nextOf = (
  to: PlayProtocol,
  status: string,
  { id }: Game,
  observation: Observation | undefined,
  ply: number | undefined,
): string => {
  if (status !== 'your_turn' && status !== 'may_act') return again(to)
  const move =
    observation?.legal === undefined
      ? `a move as ${callText(to, 'lobby')} with game ${id} describes it`
      : 'one of legal'
  const play = `${callText(to, 'move')} with seat, ply ${ply} and ${move}`
  return status === 'your_turn' ? play : `${play}; or ${again(to)}`
}

export const over = ({
  to,
  seat,
  seated,
  news,
  since,
  detail,
}: Told & { readonly news: Ended | Aborted }): Reply => {
  const other = `${callText(to, 'join')} with game for another match`
  const next = `${other}, or ${callText(to, 'record')} with match ${seated.match}`
  const match = {
    ...{ status: 'over', ...matchOf(seat, seated, detail) },
    ladder: seated.ladder.id,
  }
  if (news.kind === 'aborted')
    return ok({ ...match, result: 'aborted', because: news.detail, rated: false, next: other })
  const { outcome, observation, unrated, change } = news
  const { places, scores, ending, detail: because } = outcome
  const first = places.filter(place => place === 1).length
  const result = places[seated.seat] !== 1 ? 'loss' : first === 1 ? 'win' : 'draw'
  return ok({
    ...match,
    result,
    places,
    ...(scores !== undefined && { scores }),
    ending,
    because,
    rated: unrated === null,
    ...(unrated !== null && { unrated }),
    rating: change.rating,
    change: change.change,
    since: since.map(sinceOf),
    ...boardOf(observation, detail, false),
    next,
  })
}

/** Names are data, and stand in `players` alone. */
const matchOf = (seat: string, { match, game, seat: you, accounts }: Seated, detail: Detail) => ({
  seat,
  game: game.id,
  match,
  you,
  ...(detail === 'full' && { players: accounts.map(({ name }) => name) }),
})

const startOf = ({ ladder, unrated }: Seated, { move, bank }: Terms) => ({
  ladder: ladder.id,
  rated: unrated === null,
  clock: { move_s: move / 1000, ...(bank !== undefined && { bank_s: bank / 1000 }) },
})

const sinceOf = ({ seat, move, label, events }: Since) => ({
  seat,
  move,
  ...(label !== undefined && { label }),
  ...(events.length > 0 && { events }),
})

/** The moves are listed for the seat that is to move alone. */
const boardOf = (observation: Observation | undefined, detail: Detail, mayMove: boolean) => {
  if (observation === undefined || detail === 'brief') return {}
  const { legal, ...board } = observation
  return {
    ...(detail === 'full' && { board }),
    ...(mayMove && legal !== undefined && { legal }),
  }
}

/** A refusal says what was wrong, and what can be done. */
export const refused = (
  to: PlayProtocol,
  code: Code,
  error: string,
  {
    seat,
    retries,
    retryAfter,
  }: {
    readonly seat?: string
    /** Of an illegal move. */
    readonly retries?: Retries | undefined
    readonly retryAfter?: number | undefined
  } = {},
): Reply => ({
  body: {
    status: 'refused',
    code,
    error,
    ...(seat !== undefined && { seat }),
    ...(retries !== undefined && { strikes: strikesOf(retries) }),
    ...(retryAfter !== undefined && { retry_after_s: retryAfter }),
    next:
      remedies[to][code] ?? (seat === undefined ? `${callText(to, 'lobby')} with {}` : again(to)),
  },
  ...(retryAfter !== undefined && { retryAfter }),
})

const strikesOf = ({ made, left }: Retries) => ({
  made,
  ...(left !== null && { lost_at: made + left }),
})

const remediesFor = (to: PlayProtocol): Partial<Record<Code, string>> => {
  const call = (verb: Verb) => callText(to, verb)
  const tables = `${call('lobby')} with game lists the tables with a free seat`
  return {
    'bad-token': `the same call ${
      to === 'http' ? 'with' : 'once the settings of this MCP server have'
    } the header "Authorization: Bearer TOKEN"; POST /api/v1/accounts with name makes an account and its token`,
    unreadable:
      to === 'http'
        ? 'the same call with the body put right; /api/v1/openapi.json describes it'
        : 'the same call with its arguments put right',
    'nothing-here': `${call('lobby')}, or another of join, move, wait, leave, record`,
    'no-seat': `${call('lobby')} with {} lists your seats; ${call('join')} with game gives a new one`,
    'wrong-ply': `${call('wait')} with seat shows the board, and its ply`,
    'illegal-move': `${call('move')} with seat, the same ply and a legal move; the clock runs on`,
    'no-such-level': `${call('join')} with game, and practice true or one of these levels`,
    'no-such-opponent': `${call('join')} with game, without opponent or with another one`,
    'no-such-table': tables,
    'seat-taken': tables,
    'table-state': tables,
    'already-seated': `${call('lobby')} with {} lists your seats`,
    'no-such-match': `${call('record')} with the number of a match that is over`,
    'match-live': `${call('record')} with match, once it is over`,
    paused: `${call('join')} with game and practice true`,
    'too-many-matches': `${call('lobby')} with {} lists your seats; ${call('leave')} leaves one`,
    banned: 'no call: ask the operator of this host',
    revoked: 'a call with another token of this account',
    'locked-out': retry,
    'too-fast': retry,
    'too-many-connections': retry,
    full: retry,
    internal: retry,
    'shutting-down': retry,
  }
}

const retry = 'the same call again, later'

const remedies = { http: remediesFor('http'), mcp: remediesFor('mcp') } as const
