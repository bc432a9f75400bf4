// The referee is a pure function: step(match, event) → [match, effects]. Each event carries its time. Timers, connections
// and the store belong to the table (table.ts), which performs the effects.

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
  readonly seatStates: readonly SeatState[]
  /** Grows with every state that is shown. */
  readonly turn: number
  /** Seats that are out, in the order in which they were faulted. */
  readonly faultedSeats: readonly Seat[]
  /** Since when all clocks are stopped because of an absent seat; null while they run. */
  readonly stopped: number | null
}

/** What the referee knows of one seat. */
interface SeatState {
  readonly terms: Terms
  /** Since when a move is owed, and until when; null while none is owed. */
  readonly owes: { readonly since: number; readonly until: number } | null
  readonly moved: boolean
  /** Late moves in a row. */
  readonly strikes: number
  /**
   * Earlier states in which this seat could act, changed since by other seats, newest last. A move that was legal in one of
   * them is stale, not illegal. Each excuses one move.
   */
  readonly overtaken: readonly unknown[]
  /** When its connection was lost; null while it is connected. */
  readonly away: number | null
  readonly fault: Fault | null
}

export type RefereeEvent =
  | {
      readonly kind: 'move'
      readonly seat: Seat
      readonly move: Json | undefined
      /** The turn that the move answers, if the player names it. Only checked where seats may act out of turn. */
      readonly turn?: Json
      readonly at: number
    }
  /** A move of this seat caused an internal error: the seat loses as by an illegal move. */
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
      /** Why the host ended the connection, if it did. */
      readonly cause?: Code | undefined
      readonly at: number
    }
  | { readonly kind: 'back'; readonly seat: Seat; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }

export type Effect =
  /** Record this move and the time it took. */
  | { readonly kind: 'record'; readonly seat: Seat; readonly move: Json; readonly ms: number }
  /** Record that this seat is out from here on, while the others keep playing. */
  | { readonly kind: 'drop'; readonly seat: Seat; readonly fault: Fault }
  /** Show the current board to every seat. */
  | { readonly kind: 'show' }
  | { readonly kind: 'refuse'; readonly seat: Seat; readonly code: Code; readonly detail: string }
  /** A late move that does not lose yet. */
  | { readonly kind: 'strike'; readonly seat: Seat; readonly strikes: number }
  | { readonly kind: 'end'; readonly outcome: Outcome }

export type Step = readonly [Match, readonly Effect[]]

/**
 * In milliseconds: the referee waits this much longer than the announced deadline, so that delays in the host never cost
 * a seat the match.
 */
export const lag = 25

/** Starts a new match and shows the first board. */
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
    seatStates: terms.map(terms => ({
      terms,
      owes: null,
      moved: false,
      strikes: 0,
      overtaken: [],
      away: null,
      fault: null,
    })),
    turn: 0,
    faultedSeats: [],
    stopped: null,
  }
  return advance(match, state, game.status(state), null, at, [])
}

export const step = (match: Match, event: RefereeEvent): Step => {
  if (isFinal(match.status)) return [match, []]
  if (event.kind === 'tick') return tick(match, event.at)
  const { seat } = event
  const seatState = match.seatStates[seat]!
  if (seatState.fault !== null)
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
      if (event.cause !== undefined && event.cause in finalCauses)
        return fault(match, [seat], 'gone', finalCauses[event.cause]!, event.at)
      if (seatState.terms.away.grace === 0)
        return fault(match, [seat], 'gone', connectionLost, event.at)
      return [stopClocks(withSeat(match, seat, { away: event.at }), event.at), []]
    case 'back':
      return [startClocks(withSeat(match, seat, { away: null }), event.at), []]
  }
}

const connectionLost = 'the connection was lost'
/** A player that the host disconnects for one of these gets no grace to reconnect. The texts are shown to all players. */
const finalCauses: Partial<Record<Code, string>> = {
  banned: 'banned by the operator',
  revoked: 'its key or token was revoked',
}

/** When the table has to send the next tick; Infinity when no deadline is set. */
export const wakeAt = (match: Match): number => {
  if (isFinal(match.status)) return Number.POSITIVE_INFINITY
  let soonest = Number.POSITIVE_INFINITY
  for (const { owes, away, terms } of match.seatStates) {
    if (owes !== null && match.stopped === null) soonest = Math.min(soonest, owes.until)
    if (away !== null) soonest = Math.min(soonest, away + terms.away.grace)
  }
  return soonest + lag
}

const move = (match: Match, event: Extract<RefereeEvent, { kind: 'move' }>): Step => {
  const { seat, move: raw, turn, at } = event
  const seatState = match.seatStates[seat]!
  const { game, state } = match
  const acts =
    seatState.owes !== null || (!isFinal(match.status) && match.status.mayAct?.includes(seat))
  if (!acts) return [match, [refuse(seat, 'not-your-turn', 'it is not your turn')]]
  // The deadline is checked before legality: a right move too late is still late.
  if (isLate(match, seatState, at)) return tick(match, at)
  if (game.facts.outOfTurn && turn !== undefined && turn !== match.turn)
    return [match, [refuse(seat, 'stale-move', staleness(match, turn))]]
  const judgement = judge(game, state, seat, raw)
  if (!isIllegal(judgement)) return applyMove(match, seat, judgement.move, judgement.next, at)
  const overtakenAt = seatState.overtaken.findIndex(old => !isIllegal(judge(game, old, seat, raw)))
  if (overtakenAt >= 0) {
    const overtaken = seatState.overtaken.toSpliced(overtakenAt, 1)
    const detail = `another seat acted first: ${judgement.reason}`
    return [withSeat(match, seat, { overtaken }), [refuse(seat, 'stale-move', detail)]]
  }
  // Where two seats act at the same moment, one of them is too late through no fault of its own.
  if (seatState.terms.illegal === 'retry' || seatState.owes === null)
    return [match, [refuse(seat, 'illegal-move', judgement.reason)]]
  return fault(match, [seat], 'illegal', judgement.reason, at)
}

const staleness = ({ turn }: Match, named: Json) =>
  `the board is at turn ${turn}, and this move answers ${JSON.stringify(named).slice(0, 20)}: look at it again`

interface LegalMove {
  /** The move in its canonical form. */
  readonly move: Json
  readonly next: unknown
}

const judge = (
  game: Game,
  state: unknown,
  seat: Seat,
  raw: Json | undefined,
): LegalMove | Illegal => {
  if (raw === undefined) return illegal('move is missing')
  // A deeply nested move overflows the stack when it is written to the record, so that a lost match could not be saved.
  if (!isWithin(raw, maxDepth)) return illegal(`a move may be nested ${maxDepth} deep`)
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

const maxDepth = 128

const isWithin = (value: Json | undefined, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every(inner => isWithin(inner, depth - 1)))

const kindOf = (value: Json) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const applyMove = (match: Match, seat: Seat, move: Json, state: unknown, at: number): Step => {
  const { owes } = match.seatStates[seat]!
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

/** The seat that acted. Where its action was not the move that it owes, its clock and its strikes stay. */
interface Mover {
  readonly seat: Seat
  readonly isTurn: boolean
}

/** Continues from a new state: sets which seats owe a move, since when and until when, or ends the match. */
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
  const seatStates = match.seatStates.map((before, seat) => {
    const seatState = withOvertaken(match, before, seat, mover)
    const isMoved = mover !== null && mover.seat === seat && mover.isTurn
    const moved = seatState.moved || isMoved
    const strikes = isMoved ? 0 : seatState.strikes
    if (seatState.fault !== null || !status.toMove.includes(seat))
      return seatState.owes === null && moved === seatState.moved && strikes === seatState.strikes
        ? seatState
        : { ...seatState, owes: null, moved, strikes }
    // A seat that still owes the same move keeps its running clock.
    if (seatState.owes !== null && !isMoved) return seatState
    prompted = true
    const time = moved ? seatState.terms.move : seatState.terms.firstMove
    const since = match.stopped ?? at
    return { ...seatState, moved, strikes, owes: { since, until: since + time } }
  })
  const shown = prompted || changedView(match, state, status)
  const next = { ...match, state, status, seatStates, turn: match.turn + (shown ? 1 : 0) }
  return [next, shown ? [...effects, { kind: 'show' }] : effects]
}

/** Where seats may act out of turn: remembers the state that a move now on its way from this seat may answer. */
const withOvertaken = (
  { game, state, status }: Match,
  seatState: SeatState,
  seat: Seat,
  mover: Mover | null,
): SeatState => {
  // After its own action the earlier states stay: an agent that answers each board in turn may be several boards behind.
  if (game.facts.outOfTurn !== true || isFinal(status) || seat === mover?.seat) return seatState
  const couldAct = status.toMove.includes(seat) || status.mayAct?.includes(seat)
  return couldAct
    ? { ...seatState, overtaken: [...seatState.overtaken, state].slice(-maxOvertaken) }
    : seatState
}

/** More than the actions of one seat in a match of Bazaar: 20 proposals, their withdrawals, 20 answers, 5 messages. */
const maxOvertaken = 100

/**
 * Whether an action out of turn has changed what a seat sees, although no seat owes a new move. The board is then shown
 * again. A seat that owes a move answers once.
 */
const changedView = (
  { game, state, status, seatStates }: Match,
  next: unknown,
  now: Status,
): boolean =>
  'mayAct' in now || 'mayAct' in status
    ? seatStates.some(
        (_, seat) =>
          JSON.stringify(game.view(state, seat)) !== JSON.stringify(game.view(next, seat)),
      )
    : false

const tick = (match: Match, at: number): Step => {
  const disconnected = match.seatStates.flatMap(({ away, terms }, seat) =>
    away !== null && at >= away + terms.away.grace ? [seat] : [],
  )
  if (disconnected.length > 0) return fault(match, disconnected, 'gone', connectionLost, at)
  const late = match.seatStates.flatMap((seatState, seat) =>
    isLate(match, seatState, at) ? [seat] : [],
  )
  const out = late.filter(seat => {
    const { strikes, terms } = match.seatStates[seat]!
    return strikes + 1 >= terms.late.strikes
  })
  if (out.length > 0) return fault(match, out, 'late', lateness(match, out[0]!), at)
  let step: Step = [match, []]
  for (const seat of late) step = then(step, match => strike(match, seat, at))
  return step
}

const isLate = (match: Match, { owes }: SeatState, at: number) =>
  owes !== null && match.stopped === null && at >= owes.until + lag

const lateness = (match: Match, seat: Seat) => {
  const { owes, terms, moved } = match.seatStates[seat]!
  const time = owes === null ? (moved ? terms.move : terms.firstMove) : owes.until - owes.since
  return `no move within ${Math.round(time) / 1000} s`
}

/** A late move that does not lose: the clock starts again, or the game's fallback move is made for the seat. */
const strike = (match: Match, seat: Seat, at: number): Step => {
  if (isFinal(match.status)) return [match, []]
  const seatState = match.seatStates[seat]!
  if (seatState.owes === null) return [match, []]
  const { terms } = seatState
  const strikes = seatState.strikes + 1
  const effect: Effect = { kind: 'strike', seat, strikes }
  if (terms.late.otherwise === 'fallback' && match.game.fallback !== undefined) {
    const move = match.game.fallback(match.state, seat)
    const state = match.game.play(match.state, seat, move)
    if (isIllegal(state)) throw new Error(`${match.game.id}: fallback refused: ${state.reason}`)
    const [next, effects] = applyMove(match, seat, move, state, at)
    return [withSeat(next, seat, { strikes }), [effect, ...effects]]
  }
  return [
    withSeat(match, seat, { strikes, owes: { since: at, until: at + terms.move } }),
    [effect, { kind: 'show' }],
  ]
}

/** These seats lose together. The others keep playing where the game allows it. */
const fault = (
  match: Match,
  seats: readonly Seat[],
  cause: Fault,
  detail: string,
  at: number,
): Step => {
  const seatStates = match.seatStates.map((seatState, seat) =>
    seats.includes(seat) ? { ...seatState, fault: cause, owes: null, away: null } : seatState,
  )
  const faultedSeats = [...match.faultedSeats, ...seats]
  const next = startClocks({ ...match, seatStates, faultedSeats }, at)
  const { game } = match
  const remaining = seatStates.filter(seatState => seatState.fault === null).length
  if (game.drop === undefined || remaining < 2) return finish(next, cause, detail, [], seats)
  let { state } = match
  for (const seat of seats) state = game.drop(state, seat)
  const drops = seats.map(seat => ({ kind: 'drop', seat, fault: cause }) as const)
  return advance(next, state, game.status(state), null, at, drops)
}

/**
 * Faulted seats rank below all others. A seat that was faulted later ranks above one that was faulted earlier, and seats
 * that were faulted at the same moment share a place.
 */
const finish = (
  match: Match,
  ending: Outcome['ending'],
  detail: string,
  effects: readonly Effect[],
  together: readonly Seat[] = [],
): Step => {
  const byRules = isFinal(match.status) ? match.status : undefined
  const rankOf = (seat: Seat) => {
    const fell = match.faultedSeats.indexOf(seat)
    if (fell < 0) return (byRules?.places[seat] ?? 1) - 1e6
    return -(together.includes(seat) ? match.faultedSeats.length : fell)
  }
  const ranks = match.seatStates.map((_, seat) => rankOf(seat))
  const places = ranks.map(rank => 1 + ranks.filter(other => other < rank).length)
  const outcome: Outcome = {
    ending,
    places,
    faults: match.seatStates.map(seatState => seatState.fault),
    detail: oneLine(detail),
    ...(byRules?.scores === undefined ? {} : { scores: byRules.scores }),
  }
  const status: Final = byRules ?? { places, because: detail }
  return [{ ...match, status }, [...effects, { kind: 'end', outcome }]]
}

const stopClocks = (match: Match, at: number): Match =>
  match.stopped === null && clocksStopped(match) ? { ...match, stopped: at } : match

/** Restarts the clocks after a pause: each has as much time left as when the pause began. */
const startClocks = (match: Match, at: number): Match => {
  if (match.stopped === null || clocksStopped(match)) return match
  const pause = at - match.stopped
  return {
    ...match,
    stopped: null,
    seatStates: match.seatStates.map(seatState =>
      seatState.owes === null
        ? seatState
        : {
            ...seatState,
            owes: { since: seatState.owes.since + pause, until: seatState.owes.until + pause },
          },
    ),
  }
}

const clocksStopped = (match: Match) =>
  match.seatStates.some(({ away, terms }) => away !== null && terms.away.clock === 'stops')

const withSeat = (match: Match, seat: Seat, change: Partial<SeatState>): Match => ({
  ...match,
  seatStates: match.seatStates.with(seat, { ...match.seatStates[seat]!, ...change }),
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
