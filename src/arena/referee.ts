// The referee is a pure function: step(match, event) → [match, effects]. Each event carries its time. Timers, connections
// and the store belong to the table (table.ts), which performs the effects.

import {
  type Final,
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  type Seed,
  type Setup,
  type Status,
} from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import {
  clockTime,
  endPause,
  graceFrom,
  isLate,
  lag,
  playOf,
  restartClocks,
  stageEnd,
  stageOf,
} from './clocks.ts'
import type { Code } from './codes.ts'
import type { Fault, Outcome } from './ending.ts'
import { judge } from './judge.ts'
import { isIn, isOver, type Match, type SeatState, withSeat } from './live-match.ts'
import type { Retries } from './player.ts'
import type { Terms } from './terms.ts'

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
      /** Which connection it was, the newest unless given. Losing one that a newer one has replaced means nothing. */
      readonly connection?: number
      readonly at: number
    }
  /** The seat has a new connection, with this number. It ends the absence, and replaces a connection that is still there. */
  | {
      readonly kind: 'back'
      readonly seat: Seat
      readonly connection?: number
      readonly at: number
    }
  /** The host stops all clocks, and refuses moves until it resumes the match. */
  | { readonly kind: 'pause' | 'resume'; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }

export type Effect =
  /** Record this move and the time it took. */
  | { readonly kind: 'record'; readonly seat: Seat; readonly move: Json; readonly ms: number }
  /** Record that this seat is out from here on, while the others keep playing. */
  | { readonly kind: 'drop'; readonly seat: Seat; readonly fault: Fault }
  /** Show the current board to every seat. */
  | { readonly kind: 'show' }
  | {
      readonly kind: 'refuse'
      readonly seat: Seat
      readonly code: Code
      readonly detail: string
      /** Of an illegal move that may be retried. */
      readonly retries?: Retries
    }
  /** A late move that does not lose yet. */
  | { readonly kind: 'strike'; readonly seat: Seat; readonly strikes: number }
  /** Tell the other seats that this one is absent, and loses in so many milliseconds. */
  | { readonly kind: 'away'; readonly seat: Seat; readonly grace: number }
  /** Tell the other seats that this one is back. */
  | { readonly kind: 'back'; readonly seat: Seat }
  /** Tell every seat that the clocks run again, stand still, or that the match is paused. */
  | { readonly kind: 'clocks'; readonly play: 'runs' | 'stands' | 'paused' }
  | { readonly kind: 'end'; readonly outcome: Outcome }

export type Step = readonly [Match, readonly Effect[]]

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
      held: null,
      moved: false,
      strikes: 0,
      illegalMoves: 0,
      overtaken: [],
      away: null,
      absences: 0,
      connection: 0,
      fault: null,
      eliminated: false,
    })),
    turn: 0,
    fallen: [],
    stopped: null,
    paused: null,
    limit: shortestLimit(terms, at),
  }
  return advance(match, state, game.status(state), null, at, [])
}

const shortestLimit = (terms: readonly Terms[], at: number): Match['limit'] =>
  terms.reduce<Match['limit']>((shortest, { limit }) => {
    if (limit === undefined || (shortest !== null && shortest.time <= limit.time)) return shortest
    return { ...limit, at: at + limit.time }
  }, null)

export const step = (match: Match, event: RefereeEvent): Step => {
  if (isOver(match)) return [match, []]
  switch (event.kind) {
    case 'tick':
      return tick(match, event.at)
    case 'pause':
      return settleClocks([{ ...match, paused: match.paused ?? event.at }, []], event.at)
    case 'resume':
      return settleClocks([endPause(match, event.at), []], event.at)
  }
  const { seat } = event
  if (!isIn(match.seatStates[seat]!))
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
      return lost(match, event)
    case 'back':
      return back(match, event)
  }
}

const connectionLost = 'the connection was lost'
/** A player that the host disconnects for one of these gets no grace to reconnect. The texts are shown to all players. */
const finalCauses: Partial<Record<Code, string>> = {
  banned: 'banned by the operator',
  revoked: 'its key or token was revoked',
}

const lost = (match: Match, event: Extract<RefereeEvent, { kind: 'lost' }>): Step => {
  const { seat, cause, connection, at } = event
  const seatState = match.seatStates[seat]!
  const { terms, absences, away } = seatState
  if (connection !== undefined && connection !== seatState.connection) return [match, []]
  if (cause !== undefined && cause in finalCauses)
    return fault(match, [seat], 'gone', finalCauses[cause]!, at)
  if (terms.away === 'forfeit') return fault(match, [seat], 'gone', connectionLost, at)
  if (terms.away === 'ignored' || away !== null) return [match, []]
  if (absences >= terms.away.times) return gone(match, [seat], at)
  const change = { absences: absences + 1, away: { since: at, stage: 0, told: false } }
  return settleClocks(tellStage(withSeat(match, seat, change), seat), at)
}

const back = (match: Match, event: Extract<RefereeEvent, { kind: 'back' }>): Step => {
  const { seat, at } = event
  const { away, connection } = match.seatStates[seat]!
  const next = withSeat(match, seat, { away: null, connection: event.connection ?? connection })
  return settleClocks([next, away?.told ? [{ kind: 'back', seat }] : []], at)
}

/** Tells the others of the stage of an absence that has just begun, where the terms say so. */
const tellStage = (match: Match, seat: Seat): Step => {
  const seatState = match.seatStates[seat]!
  const { away } = seatState
  if (away === null || !stageOf(seatState)?.told) return [match, []]
  const next = withSeat(match, seat, { away: { ...away, told: true } })
  return [next, [{ kind: 'away', seat, grace: graceFrom(seatState) }]]
}

/** These seats lose, as their absence is over. */
const gone = (match: Match, seats: readonly Seat[], at: number): Step => {
  const together = match.seatStates.flatMap(({ away, terms }, seat) =>
    away !== null && typeof terms.away !== 'string' && terms.away.together ? [seat] : [],
  )
  const all = [...new Set([...seats, ...together])].sort((a, b) => a - b)
  return fault(match, all, 'gone', connectionLost, at)
}

/** Stops or restarts the clocks, as absences and pauses ask for. */
const settleClocks = ([match, effects]: Step, at: number): Step => {
  if (isOver(match)) return [match, effects]
  const play = playOf(match)
  const before = match.stopped?.play ?? 'runs'
  if (play === before) return [match, effects]
  const next =
    play === 'runs'
      ? restartClocks(match, at)
      : { ...match, stopped: { since: clockTime(match, at), play } }
  // A move that was refused during a pause is asked for again.
  const shown: readonly Effect[] = before === 'paused' ? [{ kind: 'show' }] : []
  return [next, [...effects, { kind: 'clocks', play }, ...shown]]
}

const move = (match: Match, event: Extract<RefereeEvent, { kind: 'move' }>): Step => {
  const { seat, move: raw, turn, at } = event
  const seatState = match.seatStates[seat]!
  const { game, state } = match
  const acts =
    seatState.owes !== null || (!isFinal(match.status) && match.status.mayAct?.includes(seat))
  if (!acts) return [match, [refuse(seat, 'not-your-turn', 'it is not your turn')]]
  if (match.stopped?.play === 'paused')
    return [match, [refuse(seat, 'match-paused', 'the match is paused: wait until it goes on')]]
  // The deadline is checked before legality: a right move too late is still late.
  if (isLate(match, seatState, at) || isAtLimit(match, at)) return tick(match, at)
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
  if (seatState.owes === null) return [match, [refuse(seat, 'illegal-move', judgement.reason)]]
  return illegalMove(match, seat, judgement.reason, at)
}

const illegalMove = (match: Match, seat: Seat, reason: string, at: number): Step => {
  const { terms, illegalMoves, strikes } = match.seatStates[seat]!
  const { illegal } = terms
  if (illegal === 'forfeit') return fault(match, [seat], 'illegal', reason, at)
  const made = illegalMoves + 1
  const next = withSeat(match, seat, { illegalMoves: made })
  const refused = (left: number | null): Effect => ({
    ...refuse(seat, 'illegal-move', reason),
    retries: { made, left },
  })
  if (illegal === 'retry') return [next, [refused(null)]]
  if (made <= illegal.retries) return [next, [refused(illegal.retries - made + 1)]]
  if (illegal.penalty === 'forfeit') return fault(next, [seat], 'illegal', reason, at)
  if (illegal.penalty === 'late' && losesNext(terms, strikes))
    return fault(next, [seat], 'illegal', reason, at)
  const penalty: Step =
    illegal.penalty === 'late'
      ? strike(next, seat, at)
      : match.game.fallback === undefined
        ? [next, []]
        : fallBack(next, seat, at)
  const [after, effects] = penalty
  const counted = illegal.counted === 'in all' ? made : 0
  return [withSeat(after, seat, { illegalMoves: counted }), [refused(0), ...effects]]
}

const staleness = ({ turn }: Match, named: Json) =>
  `the board is at turn ${turn}, and this move answers ${JSON.stringify(named).slice(0, 20)}: look at it again`

const applyMove = (match: Match, seat: Seat, move: Json, state: unknown, at: number): Step => {
  const { owes } = match.seatStates[seat]!
  const status = match.game.status(state)
  const isTurn = owes !== null && !isSideAction(match, seat, status)
  const ms = isTurn ? Math.max(0, Math.round(clockTime(match, at) - owes.since)) : 0
  const kept = match.game.kept?.(move) ?? move
  return advance(match, state, status, { seat, isTurn }, at, [
    { kind: 'record', seat, move: kept, ms },
  ])
}

const isSideAction = ({ game: { facts } }: Match, seat: Seat, after: Status) =>
  facts.outOfTurn === true &&
  facts.turns === 'alternate' &&
  !isFinal(after) &&
  (after.toMove.includes(seat) || after.held?.includes(seat) === true)

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
  const now = clockTime(match, at)
  const begun = mover?.isTurn === true || match.seatStates.some(({ moved }) => moved)
  let prompted = false
  const seatStates = match.seatStates.map((before, seat) => {
    const overtaken = withOvertaken(match, before, seat, mover)
    const isMoved = mover !== null && mover.seat === seat && mover.isTurn
    const seatState = isMoved ? withMove(overtaken) : overtaken
    const { owes, held, terms, moved } = seatState
    const eliminated = seatState.eliminated || status.eliminated?.includes(seat) === true
    if (isIn(seatState) && eliminated)
      return { ...seatState, eliminated, owes: null, held: null, away: null }
    if (isIn(seatState) && status.held?.includes(seat))
      return owes === null ? seatState : { ...seatState, owes: null, held: { ...owes, from: now } }
    if (!isIn(seatState) || !status.toMove.includes(seat))
      return owes === null && held === null ? seatState : { ...seatState, owes: null, held: null }
    // A seat that still owes the same move keeps its running clock.
    if (owes !== null && !isMoved) return seatState
    prompted = true
    return { ...seatState, held: null, owes: heldClock(seatState, now) ?? newClock() }

    function newClock() {
      const { first, move } = terms
      const isFirst = first?.of === 'match' ? !begun : !moved
      return { since: now, until: now + (isFirst ? (first?.time ?? move) : move) }
    }
  })
  const out = seatStates.flatMap(({ eliminated }, seat) =>
    eliminated && !match.seatStates[seat]!.eliminated ? [seat] : [],
  )
  const fallen = out.length > 0 ? [...match.fallen, out] : match.fallen
  const shown = prompted || changedView(match, state, status)
  const turn = match.turn + (shown ? 1 : 0)
  const next = { ...match, state, status, seatStates, fallen, turn }
  const step: Step = [next, shown ? [...effects, { kind: 'show' }] : effects]
  // An absent seat that is eliminated stops no clocks.
  return out.length > 0 ? settleClocks(step, at) : step
}

const withMove = (seatState: SeatState): SeatState => {
  const { late, illegal } = seatState.terms
  return {
    ...seatState,
    moved: true,
    strikes: typeof late !== 'string' && late.counted === 'in all' ? seatState.strikes : 0,
    illegalMoves:
      typeof illegal !== 'string' && illegal.counted === 'in all' ? seatState.illegalMoves : 0,
  }
}

/** The clock of an interrupted turn, which has stood still since. */
const heldClock = ({ held }: SeatState, now: number) =>
  held && { since: held.since + now - held.from, until: held.until + now - held.from }

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

const tick = (match: Match, at: number): Step =>
  [nextStages, faultLate, endAtLimit].reduce<Step>(
    (step, rule) => then(step, match => rule(match, at)),
    [match, []],
  )

/** Moves absences on to their next stages. A seat whose last stage is over loses. */
const nextStages = (match: Match, at: number): Step => {
  if (match.paused !== null) return [match, []]
  let step: Step = [match, []]
  const over: Seat[] = []
  for (const [seat, { terms }] of match.seatStates.entries())
    for (;;) {
      const seatState = step[0].seatStates[seat]!
      const { away } = seatState
      if (away === null || typeof terms.away === 'string' || at < stageEnd(seatState)) break
      if (away.stage === terms.away.stages.length - 1) {
        over.push(seat)
        break
      }
      const next = { ...away, stage: away.stage + 1 }
      step = then(step, match => tellStage(withSeat(match, seat, { away: next }), seat))
    }
  return over.length > 0 ? then(step, match => gone(match, over, at)) : settleClocks(step, at)
}

const faultLate = (match: Match, at: number): Step => {
  const late = match.seatStates.flatMap((seatState, seat) =>
    isLate(match, seatState, at) ? [seat] : [],
  )
  const out = late.filter(seat => {
    const { strikes, terms } = match.seatStates[seat]!
    return !fallsBack(match, seat) && losesNext(terms, strikes)
  })
  let step: Step =
    out.length > 0 ? fault(match, out, 'late', lateness(match, out[0]!), at) : [match, []]
  for (const seat of late)
    step = then(step, match => {
      // The moves made for other late seats may have ended the round.
      if (!isLate(match, match.seatStates[seat]!, at)) return [match, []]
      return fallsBack(match, seat) ? fallBack(match, seat, at) : strike(match, seat, at)
    })
  return step
}

/** Whether a fallback move is made for this seat because it is absent, which is no strike. */
const fallsBack = ({ game, seatStates }: Match, seat: Seat) =>
  game.fallback !== undefined && stageOf(seatStates[seat]!)?.play === 'falls back'

/** Whether the next late move loses. */
const losesNext = ({ late }: Terms, strikes: number) =>
  late === 'forfeit' || strikes + 1 >= late.strikes

const lateness = (match: Match, seat: Seat) => {
  const { owes, terms } = match.seatStates[seat]!
  const time = owes === null ? terms.move : owes.until - owes.since
  return `no move within ${Math.round(time) / 1000} s`
}

/** A late move that does not lose: the clock starts again, or the game's fallback move is made for the seat. */
const strike = (match: Match, seat: Seat, at: number): Step => {
  const { terms, strikes } = match.seatStates[seat]!
  const struck = withSeat(match, seat, { strikes: strikes + 1 })
  const effect: Effect = { kind: 'strike', seat, strikes: strikes + 1 }
  if (terms.late === 'forfeit') throw new Error('these terms have no strikes')
  const follows = terms.late.next
  if (follows === 'fallback' && match.game.fallback !== undefined) {
    const [next, effects] = fallBack(struck, seat, at)
    return [next, [effect, ...effects]]
  }
  const since = clockTime(match, at)
  const time = follows === 'fallback' ? terms.move : follows.clock
  const owes = { since, until: since + time }
  return [withSeat(struck, seat, { owes }), [effect, { kind: 'show' }]]
}

/** Makes the game's fallback move for a seat. It clears no strikes. */
const fallBack = (match: Match, seat: Seat, at: number): Step => {
  const { game, state } = match
  const move = game.fallback!(state, seat)
  const next = game.play(state, seat, move)
  if (isIllegal(next)) throw new Error(`${game.id}: fallback refused: ${next.reason}`)
  const [after, effects] = applyMove(match, seat, move, next, at)
  const { strikes } = match.seatStates[seat]!
  return [withSeat(after, seat, { strikes }), effects]
}

const isAtLimit = ({ limit, paused }: Match, at: number) =>
  limit !== null && paused === null && at >= limit.at + lag

/** Ends a match that has reached the limit of its time. */
const endAtLimit = (match: Match, at: number): Step => {
  const { limit, game, state, seatStates } = match
  if (limit === null || !isAtLimit(match, at)) return [match, []]
  const detail = `the match reached its limit of ${Math.round(limit.time) / 1000} s`
  if (limit.result === 'forfeit') {
    const seats = seatStates.flatMap(({ owes }, seat) => (owes === null ? [] : [seat]))
    return finish(withFault(match, seats, 'late'), 'late', detail, [], seats)
  }
  const standings = game.standings?.(state)
  if (standings === undefined) return finish(match, 'limit', detail, [])
  return finish({ ...match, status: standings }, 'limit', `${detail}: ${standings.because}`, [])
}

/** These seats lose together. The others keep playing where the game allows it. */
const fault = (
  match: Match,
  seats: readonly Seat[],
  cause: Fault,
  detail: string,
  at: number,
): Step => {
  const next = withFault(match, seats, cause)
  const { game } = match
  const remaining = next.seatStates.filter(isIn).length
  if (game.drop === undefined || remaining < 2) return finish(next, cause, detail, [], seats)
  let { state } = match
  for (const seat of seats) state = game.drop(state, seat)
  const drops = seats.map(seat => ({ kind: 'drop', seat, fault: cause }) as const)
  return settleClocks(advance(next, state, game.status(state), null, at, drops), at)
}

const withFault = (match: Match, seats: readonly Seat[], fault: Fault): Match => ({
  ...match,
  seatStates: match.seatStates.map((seatState, seat) =>
    seats.includes(seat) ? { ...seatState, fault, owes: null, held: null, away: null } : seatState,
  ),
  fallen: [...match.fallen, ...seats.map(seat => [seat])],
})

/**
 * A faulted seat ranks below all others, but for those that fell before it: a seat that fell later ranks above one that fell
 * earlier, and seats that fell at the same moment share a place. The rules of the game rank the others.
 */
const finish = (
  match: Match,
  ending: Outcome['ending'],
  detail: string,
  effects: readonly Effect[],
  together: readonly Seat[] = [],
): Step => {
  const byRules = isFinal(match.status) ? match.status : undefined
  const lastFault = match.fallen.findLastIndex(group =>
    group.some(seat => match.seatStates[seat]!.fault !== null),
  )
  const rankOf = (seat: Seat) => {
    const fell = match.fallen.findIndex(group => group.includes(seat))
    if (fell < 0 || (byRules !== undefined && fell > lastFault))
      return (byRules?.places[seat] ?? 1) - 1e6
    return -(together.includes(seat) ? match.fallen.length : fell)
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

/** Goes on with the next rule, unless the match is over. */
const then = ([match, effects]: Step, next: (match: Match) => Step): Step => {
  if (isOver(match)) return [match, effects]
  const [after, more] = next(match)
  return [after, [...effects, ...more]]
}

const refuse = (seat: Seat, code: Code, detail: string): Extract<Effect, { kind: 'refuse' }> => ({
  kind: 'refuse',
  seat,
  code,
  detail: oneLine(detail),
})
