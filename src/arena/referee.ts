// The referee is a function: what happened at which moment goes in, the match as it stands and what is to be
// done about it come out. No timer, no socket, no store: the table (table.ts) owns those.

import {
  type Final,
  type Game,
  type Illegal,
  illegal,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  type Seed,
  type Setup,
  type Status,
} from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import type { Code } from './codes.ts'
import type { Fault, Outcome } from './ending.ts'
import type { Terms } from './terms.ts'

/** A match under way. A value: each step makes a new one. */
export interface Match {
  readonly game: Game
  readonly state: unknown
  readonly status: Status
  readonly chairs: readonly Chair[]
  /** Grows with every state that is shown. */
  readonly turn: number
  /** Seats in the order in which they were faulted. */
  readonly fallen: readonly Seat[]
  /** Since when all clocks stand still for an absent seat, if they do. */
  readonly stopped: number | null
}

/** One seat as the referee sees it. */
interface Chair {
  readonly terms: Terms
  /** Since when a move is owed, and until when; null while none is owed. */
  readonly owes: { readonly since: number; readonly until: number } | null
  readonly moved: boolean
  /** Late moves in a row. */
  readonly strikes: number
  /** States in which it could act and that others have changed, newest last; each excuses one illegal move. */
  readonly overtaken: readonly unknown[]
  /** When its line was lost, null while it is there. */
  readonly away: number | null
  readonly fault: Fault | null
}

export type Happening =
  | {
      readonly kind: 'move'
      readonly seat: Seat
      readonly move: Json | undefined
      /** The turn it says it answers; looked at where seats may act out of turn. */
      readonly turn?: Json
      readonly at: number
    }
  /** A move of this seat brought down our own code: it loses as by an illegal one. */
  | {
      readonly kind: 'forfeit'
      readonly seat: Seat
      readonly detail: string
      readonly at: number
    }
  | { readonly kind: 'resign'; readonly seat: Seat; readonly at: number }
  | {
      readonly kind: 'lost'
      readonly seat: Seat
      /** What the house has cut the line for, if it did. */
      readonly cause?: Code | undefined
      readonly at: number
    }
  | { readonly kind: 'back'; readonly seat: Seat; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }

export type Effect =
  /** Keep this move and the time it took. */
  | { readonly kind: 'record'; readonly seat: Seat; readonly move: Json; readonly ms: number }
  /** Keep that this seat fell out at this point, and that the others play on. */
  | { readonly kind: 'drop'; readonly seat: Seat; readonly fault: Fault }
  /** Show every seat and the audience the board as it now stands. */
  | { readonly kind: 'show' }
  | { readonly kind: 'refuse'; readonly seat: Seat; readonly code: Code; readonly detail: string }
  /** A late move that did not lose yet. */
  | { readonly kind: 'strike'; readonly seat: Seat; readonly strikes: number }
  | { readonly kind: 'end'; readonly outcome: Outcome }

export type Step = readonly [Match, readonly Effect[]]

/**
 * The clock we rule by runs this much longer than the one we announce, so that our own scheduling never costs a
 * seat the match.
 */
export const lag = 25

/** Deals a new match and shows it. */
export const open = (
  game: Game,
  seed: Seed,
  terms: readonly Terms[],
  at: number,
  setup: Setup | null = null,
): Step => {
  const state = game.start(seed, terms.length, setup)
  const match: Match = {
    game,
    state,
    status: { toMove: [] },
    chairs: terms.map(terms => ({
      terms,
      owes: null,
      moved: false,
      strikes: 0,
      overtaken: [],
      away: null,
      fault: null,
    })),
    turn: 0,
    fallen: [],
    stopped: null,
  }
  return advance(match, state, game.status(state), null, at, [])
}

export const step = (match: Match, event: Happening): Step => {
  if (isFinal(match.status)) return [match, []]
  if (event.kind === 'tick') return tick(match, event.at)
  const { seat } = event
  const chair = match.chairs[seat]!
  if (chair.fault !== null)
    return event.kind === 'move' || event.kind === 'resign'
      ? [match, [refuse(seat, 'not-your-turn', 'you are out of this match')]]
      : [match, []]
  switch (event.kind) {
    case 'move':
      return move(match, event)
    case 'forfeit':
      return fault(match, [seat], 'illegal', event.detail, event.at)
    case 'resign':
      return fault(match, [seat], 'resigned', 'resignation', event.at)
    case 'lost':
      if (event.cause !== undefined && event.cause in forGood)
        return fault(match, [seat], 'gone', forGood[event.cause]!, event.at)
      if (chair.terms.away.grace === 0) return fault(match, [seat], 'gone', lineLost, event.at)
      return [stopClocks(withChair(match, seat, { away: event.at }), event.at), []]
    case 'back':
      return [startClocks(withChair(match, seat, { away: null }), event.at), []]
  }
}

const lineLost = 'the connection was lost'
/** Whoever is sent away for these cannot come back in time, so that no grace is given; the words are for all at the table. */
const forGood: Partial<Record<Code, string>> = {
  banned: 'banned by the operator',
  revoked: 'its key or token was revoked',
}

/** When the table has to send the next tick; Infinity when nothing is waited for. */
export const wakeAt = (match: Match): number => {
  if (isFinal(match.status)) return Number.POSITIVE_INFINITY
  let soonest = Number.POSITIVE_INFINITY
  for (const { owes, away, terms } of match.chairs) {
    if (owes !== null && match.stopped === null) soonest = Math.min(soonest, owes.until)
    if (away !== null) soonest = Math.min(soonest, away + terms.away.grace)
  }
  return soonest + lag
}

const move = (match: Match, event: Extract<Happening, { kind: 'move' }>): Step => {
  const { seat, move: raw, turn, at } = event
  const chair = match.chairs[seat]!
  const { game, state } = match
  const acts =
    chair.owes !== null || (!isFinal(match.status) && match.status.mayAct?.includes(seat))
  if (!acts) return [match, [refuse(seat, 'not-your-turn', 'it is not your turn')]]
  // The deadline is checked before legality: a right move too late is still late.
  if (isLate(match, chair, at)) return tick(match, at)
  if (game.facts.outOfTurn && turn !== undefined && turn !== match.turn)
    return [match, [refuse(seat, 'stale-move', staleness(match, turn))]]
  const judged = judge(game, state, seat, raw)
  if (!isIllegal(judged)) return played(match, seat, judged.move, judged.next, at)
  const crossed = chair.overtaken.findIndex(old => !isIllegal(judge(game, old, seat, raw)))
  if (crossed >= 0) {
    const overtaken = chair.overtaken.toSpliced(crossed, 1)
    const detail = `another seat acted first: ${judged.reason}`
    return [withChair(match, seat, { overtaken }), [refuse(seat, 'stale-move', detail)]]
  }
  // Out of turn two seats may act at the same moment, so that one of them comes too late through no fault.
  if (chair.terms.illegal === 'retry' || chair.owes === null)
    return [match, [refuse(seat, 'illegal-move', judged.reason)]]
  return fault(match, [seat], 'illegal', judged.reason, at)
}

const staleness = ({ turn }: Match, named: Json) =>
  `the board is at turn ${turn}, and this move answers ${JSON.stringify(named).slice(0, 20)}: look at it again`

interface Judged {
  /** In its canonical form. */
  readonly move: Json
  readonly next: unknown
}

const judge = (game: Game, state: unknown, seat: Seat, raw: Json | undefined): Judged | Illegal => {
  if (raw === undefined) return illegal('move is missing')
  // Deep enough, it overflows the stack of whoever writes it down: a match that is being lost could not be kept.
  if (!isWithin(raw, deepestMove)) return illegal(`a move may be nested ${deepestMove} deep`)
  const move = game.read === undefined ? raw : game.read(state, seat, raw)
  if (game.moves !== undefined && typeof move !== 'string')
    return illegal(`move must be a string, got ${kindOf(move)}`)
  const next = game.play(state, seat, move)
  if (isIllegal(next)) return next
  const { moveBytes } = game.facts
  const bytes = moveBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(move))
  if (bytes > (moveBytes ?? 0))
    return illegal(`a move takes at most ${moveBytes} bytes, got ${bytes}`)
  return { move, next }
}

const deepestMove = 128

const isWithin = (value: Json | undefined, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every(inner => isWithin(inner, depth - 1)))

const kindOf = (value: Json) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const played = (match: Match, seat: Seat, move: Json, state: unknown, at: number): Step => {
  const { owes } = match.chairs[seat]!
  const status = match.game.status(state)
  const isTurn = owes !== null && !isSideAction(match, seat, status)
  const ms = isTurn ? Math.max(0, Math.round(at - owes.since)) : 0
  const kept = match.game.kept?.(move) ?? move
  return advance(match, state, status, { seat, isTurn }, at, [
    { kind: 'record', seat, move: kept, ms },
  ])
}

const isSideAction = ({ game: { facts } }: Match, seat: Seat, after: Status) =>
  facts.outOfTurn === true &&
  facts.turns === 'alternate' &&
  !isFinal(after) &&
  after.toMove.includes(seat)

/** Who acted, and whether that was the move it owed. What was none leaves clock and strikes alone. */
interface Mover {
  readonly seat: Seat
  readonly isTurn: boolean
}

/** Goes on from a new state: who owes a move now, since when, until when, or how it ended. */
const advance = (
  match: Match,
  state: unknown,
  status: Status,
  mover: Mover | null,
  at: number,
  effects: readonly Effect[],
): Step => {
  if (isFinal(status)) return finish({ ...match, state, status }, 'rules', status.because, effects)
  let prompted = false
  const chairs = match.chairs.map((before, seat) => {
    const chair = crossed(match, before, seat, mover)
    const isMoved = mover !== null && mover.seat === seat && mover.isTurn
    const moved = chair.moved || isMoved
    const strikes = isMoved ? 0 : chair.strikes
    if (chair.fault !== null || !status.toMove.includes(seat))
      return chair.owes === null && moved === chair.moved && strikes === chair.strikes
        ? chair
        : { ...chair, owes: null, moved, strikes }
    // Who still owes the same move keeps the clock that is running.
    if (chair.owes !== null && !isMoved) return chair
    prompted = true
    const time = moved ? chair.terms.move : chair.terms.firstMove
    const since = match.stopped ?? at
    return { ...chair, moved, strikes, owes: { since, until: since + time } }
  })
  const shown = prompted || looksOther(match, state, status)
  const next = { ...match, state, status, chairs, turn: match.turn + (shown ? 1 : 0) }
  return [next, shown ? [...effects, { kind: 'show' }] : effects]
}

/** Where seats may act out of turn: what a move of this seat that is on its way may still have been meant for. */
const crossed = (
  { game, state, status }: Match,
  chair: Chair,
  seat: Seat,
  mover: Mover | null,
): Chair => {
  // Its own action leaves the others: an agent that answers each board in turn may be several behind.
  if (game.facts.outOfTurn !== true || isFinal(status) || seat === mover?.seat) return chair
  const couldAct = status.toMove.includes(seat) || status.mayAct?.includes(seat)
  return couldAct
    ? { ...chair, overtaken: [...chair.overtaken, state].slice(-mostOvertaken) }
    : chair
}

/** More than the actions of one seat in a match of Bazaar: 20 proposals, their withdrawals, 20 answers, 5 messages. */
const mostOvertaken = 100

/**
 * Nobody owes a new move, yet somebody acted: only where seats may act out of turn can that be seen. Who still owes
 * a move is then shown the board again, and answers once.
 */
const looksOther = ({ game, state, status, chairs }: Match, next: unknown, now: Status): boolean =>
  'mayAct' in now || 'mayAct' in status
    ? chairs.some(
        (_, seat) =>
          JSON.stringify(game.view(state, seat)) !== JSON.stringify(game.view(next, seat)),
      )
    : false

const tick = (match: Match, at: number): Step => {
  const gone = match.chairs.flatMap(({ away, terms }, seat) =>
    away !== null && at >= away + terms.away.grace ? [seat] : [],
  )
  if (gone.length > 0) return fault(match, gone, 'gone', lineLost, at)
  const late = match.chairs.flatMap((chair, seat) => (isLate(match, chair, at) ? [seat] : []))
  const out = late.filter(seat => {
    const { strikes, terms } = match.chairs[seat]!
    return strikes + 1 >= terms.late.strikes
  })
  if (out.length > 0) return fault(match, out, 'late', lateness(match, out[0]!), at)
  let step: Step = [match, []]
  for (const seat of late) step = then(step, match => strike(match, seat, at))
  return step
}

const isLate = (match: Match, { owes }: Chair, at: number) =>
  owes !== null && match.stopped === null && at >= owes.until + lag

const lateness = (match: Match, seat: Seat) => {
  const { owes, terms, moved } = match.chairs[seat]!
  const time = owes === null ? (moved ? terms.move : terms.firstMove) : owes.until - owes.since
  return `no move within ${Math.round(time) / 1000} s`
}

/** A late move that is borne: the clock starts again, or a move is made for the seat. */
const strike = (match: Match, seat: Seat, at: number): Step => {
  if (isFinal(match.status)) return [match, []]
  const chair = match.chairs[seat]!
  if (chair.owes === null) return [match, []]
  const { terms } = chair
  const strikes = chair.strikes + 1
  const effect: Effect = { kind: 'strike', seat, strikes }
  if (terms.late.otherwise === 'fallback' && match.game.fallback !== undefined) {
    const move = match.game.fallback(match.state, seat)
    const state = match.game.play(match.state, seat, move)
    if (isIllegal(state)) throw new Error(`${match.game.id}: fallback refused: ${state.reason}`)
    const [next, effects] = played(match, seat, move, state, at)
    return [withChair(next, seat, { strikes }), [effect, ...effects]]
  }
  return [
    withChair(match, seat, { strikes, owes: { since: at, until: at + terms.move } }),
    [effect, { kind: 'show' }],
  ]
}

/** These seats lose together; the others play on where the game can do without them. */
const fault = (
  match: Match,
  seats: readonly Seat[],
  cause: Fault,
  detail: string,
  at: number,
): Step => {
  const chairs = match.chairs.map((chair, seat) =>
    seats.includes(seat) ? { ...chair, fault: cause, owes: null, away: null } : chair,
  )
  const fallen = [...match.fallen, ...seats]
  const next = startClocks({ ...match, chairs, fallen }, at)
  const { game } = match
  const staying = chairs.filter(chair => chair.fault === null).length
  if (game.drop === undefined || staying < 2) return finish(next, cause, detail, [], seats)
  let { state } = match
  for (const seat of seats) state = game.drop(state, seat)
  const drops = seats.map(seat => ({ kind: 'drop', seat, fault: cause }) as const)
  return advance(next, state, game.status(state), null, at, drops)
}

/**
 * Who was faulted ranks behind everybody who was not, and who fell later before who fell earlier; those who fell
 * at the same moment share a place.
 */
const finish = (
  match: Match,
  ending: Outcome['ending'],
  detail: string,
  effects: readonly Effect[],
  together: readonly Seat[] = [],
): Step => {
  const byRules = isFinal(match.status) ? match.status : undefined
  const behind = (seat: Seat) => {
    const fell = match.fallen.indexOf(seat)
    if (fell < 0) return (byRules?.places[seat] ?? 1) - 1e6
    return -(together.includes(seat) ? match.fallen.length : fell)
  }
  const ranks = match.chairs.map((_, seat) => behind(seat))
  const places = ranks.map(rank => 1 + ranks.filter(other => other < rank).length)
  const outcome: Outcome = {
    ending,
    places,
    faults: match.chairs.map(chair => chair.fault),
    detail: oneLine(detail),
    ...(byRules?.scores === undefined ? {} : { scores: byRules.scores }),
  }
  const status: Final = byRules ?? { places, because: detail }
  return [{ ...match, status }, [...effects, { kind: 'end', outcome }]]
}

const stopClocks = (match: Match, at: number): Match =>
  match.stopped === null && standsStill(match) ? { ...match, stopped: at } : match

/** After a pause every clock has what it had left when the pause began. */
const startClocks = (match: Match, at: number): Match => {
  if (match.stopped === null || standsStill(match)) return match
  const pause = at - match.stopped
  return {
    ...match,
    stopped: null,
    chairs: match.chairs.map(chair =>
      chair.owes === null
        ? chair
        : { ...chair, owes: { since: chair.owes.since + pause, until: chair.owes.until + pause } },
    ),
  }
}

const standsStill = (match: Match) =>
  match.chairs.some(({ away, terms }) => away !== null && terms.away.clock === 'stops')

const withChair = (match: Match, seat: Seat, change: Partial<Chair>): Match => ({
  ...match,
  chairs: match.chairs.with(seat, { ...match.chairs[seat]!, ...change }),
})

const then = ([match, effects]: Step, next: (match: Match) => Step): Step => {
  const [after, more] = next(match)
  return [after, [...effects, ...more]]
}

const refuse = (seat: Seat, code: Code, detail: string): Effect => ({
  kind: 'refuse',
  seat,
  code,
  detail: oneLine(detail),
})
