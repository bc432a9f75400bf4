// What follows from a new state of a match: who owes a move until when, who is out, and how the match ends.

import {
  eventsOf,
  type Final,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  type Seat,
  type Status,
  stateOf,
  type Tally,
  type Vote,
} from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import { bankLeft, clockTime, playOf, restartClocks } from './clocks.ts'
import type { Fault, Outcome } from './ending.ts'
import { isIn, isOver, type Match, type SeatState, withSeat } from './live-match.ts'
import type { Effect, Step } from './referee-step.ts'
import type { Terms } from './terms.ts'
import { beginning, tallied } from './voting.ts'

/** Goes on from what the game has answered to a legal move. `isFallback`: the referee made the move for the seat. */
export const applyMove = (
  match: Match,
  seat: Seat,
  move: Json,
  next: unknown,
  at: number,
  isFallback = false,
  note?: string,
): Step => {
  const { owes } = match.seatStates[seat]!
  const state = stateOf(next)
  const status = match.game.status(state)
  const isTurn = owes !== null && !isSideAction(match, seat, status)
  const ms = isTurn ? Math.max(0, Math.round(clockTime(match, at) - owes.since)) : 0
  const kept = match.game.kept?.(move) ?? move
  return advance(match, state, status, { seat, isTurn }, at, [
    {
      kind: 'record',
      seat,
      move: kept,
      ms,
      turn: match.turn,
      from: match.state,
      isTurn,
      isFallback,
      events: eventsOf(next),
      note,
    },
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
export const advance = (
  before: Match,
  state: unknown,
  status: Status,
  mover: Mover | null,
  at: number,
  effects: readonly Effect[],
): Step => {
  if (isFinal(status)) return finish({ ...before, state, status }, 'rules', status.because, effects)
  const [match, falls] = withEliminated(before, status.eliminated)
  const now = clockTime(match, at)
  const begun = mover?.isTurn === true || match.seatStates.some(({ moved }) => moved)
  let prompted = false
  const seatStates = match.seatStates.map((before, seat) => {
    const seatState = withOvertaken(match, before, seat, mover)
    const { owes, held } = seatState
    const isMoved = mover !== null && mover.seat === seat && mover.isTurn
    if (!isIn(seatState) || !status.toMove.includes(seat)) {
      const waits = isIn(seatState) && status.held?.includes(seat) === true
      if (owes === null && (held === null || waits)) return seatState
      const turn = waits && owes !== null ? { ...owes, from: now } : null
      return withTurn(seatState, isMoved, null, turn, now)
    }
    // A seat that still owes the same move keeps its running clock.
    if (owes !== null && !isMoved) return seatState
    prompted = true
    const { first } = seatState.terms
    const isFirst = first?.of === 'match' ? !begun : !(seatState.moved || isMoved)
    const clock =
      held === null ? newClock(seatState, isFirst, now) : heldClock(held, seatState.terms, now)
    return withTurn(seatState, isMoved, clock, null, now)
  })
  const shown = prompted || isVoting(status) || changedView(match, state, status)
  const turn = match.turn + (shown ? 1 : 0)
  const next = withPosition(match, state, status, seatStates, turn)
  const told = falls.length > 0 ? [...effects, ...falls] : effects
  if (isVoting(status)) return beginVote([next, told], status.vote, at)
  const step: Step = [next, shown ? [...told, { kind: 'show' }] : told]
  // An absent seat that is eliminated stops no clocks.
  return match === before ? step : settleClocks(step, at)
}

/** The audience is to vote. It needs no seat for that, so absences are over. */
const beginVote = ([before, effects]: Step, about: Vote, at: number): Step => {
  const vote = beginning(about, before.voting, at)
  const match = {
    ...before,
    vote,
    seatStates: before.seatStates.map(seatState =>
      seatState.away === null ? seatState : { ...seatState, away: null },
    ),
  }
  if (match.voting.time > 0)
    return settleClocks([match, [...effects, { kind: 'show' }, { kind: 'voting' }]], at)
  const [next, more] = endVote(
    settleClocks([match, effects], at)[0],
    tallied(vote, match.seatStates.length),
    at,
  )
  return [next, [...effects, ...more]]
}

/** Plays the votes of the audience. */
export const endVote = (match: Match, tally: Tally, at: number): Step => {
  const { game, state } = match
  const next = game.play(state, 0, tally)
  if (isIllegal(next)) throw new Error(`${game.id}: tally refused: ${next.reason}`)
  return applyMove({ ...match, vote: null }, 0, tally, next, at, true)
}

/** Takes the seats out of the match that the rules have eliminated just now. */
const withEliminated = (match: Match, eliminated: readonly Seat[] = []): Step => {
  const seats = eliminated.filter(seat => isIn(match.seatStates[seat]!))
  if (seats.length === 0) return [match, noEffects]
  const next = {
    ...match,
    seatStates: match.seatStates.map((seatState, seat) =>
      seats.includes(seat) ? { ...seatState, eliminated: true, away: null } : seatState,
    ),
    fallen: [...match.fallen, seats],
  }
  return [next, seats.map(seat => fallOf(seat, null, 'eliminated'))]
}

const noEffects: readonly Effect[] = []

const fallOf = (
  seat: Seat,
  fault: Fault | null,
  detail: string,
  words?: string,
): Extract<Effect, { kind: 'fell' }> => ({
  kind: 'fell',
  seat,
  fault,
  detail: oneLine(detail),
  ...(words !== undefined && { words }),
  events: [],
})

/** The same match in another position. Written out because this, too, is done with every move: a spread takes 370 ns. */
const withPosition = (
  { game, opening, fallen, stopped, paused, limit, vote, voting, pace, shownAt }: Match,
  state: unknown,
  status: Status,
  seatStates: readonly SeatState[],
  turn: number,
): Match => ({
  game,
  opening,
  state,
  status,
  seatStates,
  turn,
  fallen,
  stopped,
  paused,
  limit,
  vote,
  voting,
  pace,
  shownAt,
})

/** The same seat with another turn. This is done with every move: written out it takes 10 ns, as a spread 470. */
const withTurn = (
  seatState: SeatState,
  isMoved: boolean,
  owes: SeatState['owes'],
  held: SeatState['held'],
  now: number,
): SeatState => ({
  terms: seatState.terms,
  owes,
  held,
  moved: seatState.moved || isMoved,
  bank: isMoved ? bankLeft(seatState, now) : seatState.bank,
  strikes: isMoved ? strikesAfterMove(seatState) : seatState.strikes,
  illegalMoves: isMoved ? illegalAfterMove(seatState) : seatState.illegalMoves,
  overtaken: seatState.overtaken,
  away: seatState.away,
  absences: seatState.absences,
  connection: seatState.connection,
  fault: seatState.fault,
  eliminated: seatState.eliminated,
})

const strikesAfterMove = ({ terms: { late }, strikes }: SeatState) =>
  late !== 'forfeit' && late.counted === 'in all' ? strikes : 0

const illegalAfterMove = ({ terms: { illegal }, illegalMoves }: SeatState) =>
  typeof illegal !== 'string' && illegal.counted === 'in all' ? illegalMoves : 0

const newClock = (seatState: SeatState, isFirst: boolean, now: number) => {
  const { first, move } = seatState.terms
  const own = isFirst ? (first?.time ?? move) : move
  return { since: now, until: now + own + bankLeft(seatState, now) }
}

/** The clock of an interrupted turn, which has stood still since. By some terms it has its full time again. */
const heldClock = (
  { since, until, from }: NonNullable<SeatState['held']>,
  { fullTimeAfterHold }: Terms,
  now: number,
) =>
  fullTimeAfterHold
    ? { since: now, until: now + until - since }
    : { since: since + now - from, until: until + now - from }

/** Where seats may act out of turn: remembers the state that a move now on its way from this seat may answer. */
const withOvertaken = (
  { game, state, status }: Match,
  seatState: SeatState,
  seat: Seat,
  mover: Mover | null,
): SeatState => {
  // After its own action the earlier states stay: an agent that answers each board may be several boards behind.
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

/** Makes the game's fallback move for a seat. It clears no strikes. */
export const fallBack = (match: Match, seat: Seat, at: number): Step => {
  const { game, state } = match
  const move = game.fallback!(state, seat)
  const next = game.play(state, seat, move)
  if (isIllegal(next)) throw new Error(`${game.id}: fallback refused: ${next.reason}`)
  const [after, effects] = applyMove(match, seat, move, next, at, true)
  const { strikes } = match.seatStates[seat]!
  return [withSeat(after, seat, { strikes }), effects]
}

/** These seats lose together. The others keep playing where the game allows it. */
export const fault = (
  match: Match,
  seats: readonly Seat[],
  cause: Fault,
  detail: string,
  at: number,
  words?: string,
): Step => {
  const { game } = match
  const remaining = match.seatStates.filter(
    (seatState, seat) => isIn(seatState) && !seats.includes(seat),
  )
  if (game.drop === undefined || remaining.length < 2)
    return finishByFault(match, seats, cause, detail, words)
  let { state } = match
  const drops: Effect[] = []
  for (const seat of seats) {
    const next = game.drop(state, seat)
    state = stateOf(next)
    drops.push({
      ...fallOf(seat, cause, detail, words),
      kind: 'drop',
      fault: cause,
      events: eventsOf(next),
    })
  }
  const next = withFault(match, seats, cause)
  return settleClocks(advance(next, state, game.status(state), null, at, drops), at)
}

/** These seats lose together, which ends the match. */
export const finishByFault = (
  match: Match,
  seats: readonly Seat[],
  cause: Fault,
  detail: string,
  words?: string,
): Step => {
  const falls = seats.map(seat => fallOf(seat, cause, detail, words))
  return finish(withFault(match, seats, cause), cause, detail, falls, seats)
}

const withFault = (match: Match, seats: readonly Seat[], fault: Fault): Match => ({
  ...match,
  seatStates: match.seatStates.map((seatState, seat) =>
    seats.includes(seat) ? { ...seatState, fault, owes: null, held: null, away: null } : seatState,
  ),
  fallen: [...match.fallen, ...seats.map(seat => [seat])],
})

/**
 * A faulted seat ranks below all others, except those that fell before it. A seat that fell later ranks above one that
 * fell earlier, and seats that fell at the same moment share a place. The rules of the game rank the others.
 */
export const finish = (
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

/** Stops or restarts the clocks, as absences and pauses ask for. */
export const settleClocks = ([match, effects]: Step, at: number): Step => {
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
