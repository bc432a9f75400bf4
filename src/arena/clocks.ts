// Deadlines and stops of a match, computed from times that come in as data.

import type { Seat } from '../games/game.ts'
import { isIn, isOver, type Match, type SeatState } from './live-match.ts'
import type { AwayStage } from './terms.ts'
import { postponed, type VoteState, voteState } from './voting.ts'

/**
 * In milliseconds: the referee waits this much longer than the announced deadline, so that delays in the host never cost
 * a seat the match.
 */
export const lag = 25

/** When the table has to send the next tick; Infinity when no deadline is set. */
export const wakeAt = (match: Match): number => {
  if (isOver(match)) return Infinity
  const { vote } = match
  if (vote !== null) {
    if (match.paused !== null) return Infinity
    return vote.isOpen ? vote.closesAt : vote.opensAt
  }
  let soonest = match.paused === null ? (match.limit?.at ?? Infinity) : Infinity
  for (const seatState of match.seatStates) {
    if (match.stopped === null) soonest = Math.min(soonest, deadline(match, seatState))
    if (seatState.away !== null && match.paused === null)
      soonest = Math.min(soonest, stageEnd(seatState))
  }
  return match.shownAt === null ? soonest + lag : Math.min(soonest + lag, match.shownAt)
}

/** Milliseconds that a seat has left for the move that it owes; null where it owes none. */
export const timeLeft = (match: Match, seat: Seat, at: number): number | null => {
  const seatState = match.seatStates[seat]!
  return seatState.owes === null
    ? null
    : Math.max(0, Math.round(deadline(match, seatState) - startOrNow(match, seatState.owes, at)))
}

/** A clock that starts later has all of its time until then. */
const startOrNow = (match: Match, { since }: { readonly since: number }, at: number): number =>
  match.shownAt === null ? clockTime(match, at) : Math.max(since, clockTime(match, at))

/** The same for each seat, by seat. */
export const timesLeft = (match: Match, at: number): readonly (number | null)[] =>
  match.seatStates.map((_, seat) => timeLeft(match, seat, at))

/** The vote that goes on; null while there is none. */
export const voteOf = ({ vote, paused }: Match, at: number): VoteState | null =>
  vote && voteState(vote, paused ?? at)

export const isLate = (match: Match, seatState: SeatState, at: number): boolean =>
  match.stopped === null && at >= deadline(match, seatState) + lag

/** What is left of a seat's bank if the move that it owes ends now: it has used its own time first. */
export const bankLeft = ({ owes, bank }: SeatState, now: number): number =>
  owes === null ? bank : Math.max(0, Math.min(bank, owes.until - now))

/** Where the clocks stand still, this is when they stopped. */
export const clockTime = ({ stopped }: Match, at: number): number => stopped?.since ?? at

/** When the move that a seat owes is late; Infinity where it owes none. */
const deadline = ({ game }: Match, seatState: SeatState): number => {
  const { owes } = seatState
  if (owes === null) return Infinity
  const stage = stageOf(seatState)
  if (stage === null || !('within' in stage)) return owes.until
  if (stage.play === 'falls back' && game.fallback === undefined) return owes.until
  const since = Math.max(owes.since, stageEnd(seatState) - stage.time)
  return Math.min(owes.until, since + stage.within)
}

/** The stage of a seat's absence; null while it is connected. */
export const stageOf = ({ away, terms }: SeatState): AwayStage | null =>
  away === null || typeof terms.away === 'string' ? null : (terms.away.stages[away.stage] ?? null)

export const stageEnd = ({ away, terms }: SeatState): number =>
  away === null || typeof terms.away === 'string'
    ? Infinity
    : away.since + sum(terms.away.stages.slice(0, away.stage + 1))

/** How long an absence may still last when its present stage begins. */
export const graceFrom = ({ away, terms }: SeatState): number =>
  away === null || typeof terms.away === 'string' ? 0 : sum(terms.away.stages.slice(away.stage))

const sum = (stages: readonly AwayStage[]) => stages.reduce((total, { time }) => total + time, 0)

/** What absences and pauses ask for now, whether or not the clocks do so yet. */
export const playOf = ({ paused, seatStates }: Match): 'runs' | 'stands' | 'paused' => {
  const stages = seatStates.filter(isIn).map(seatState => stageOf(seatState)?.play)
  if (paused !== null || stages.includes('paused')) return 'paused'
  return stages.includes('stands') ? 'stands' : 'runs'
}

/** Restarts the clocks after a stop: each with the time that it had left, or its full time where its terms say so. */
export const restartClocks = (match: Match, at: number): Match => {
  if (match.stopped === null) return match
  const stop = at - match.stopped.since
  return {
    ...match,
    stopped: null,
    seatStates: match.seatStates.map(seatState => {
      const { owes, terms } = seatState
      if (owes === null) return seatState
      const { since, until } = owes
      return {
        ...seatState,
        owes: terms.fullTimeAfterStop
          ? { since: at, until: at + until - since }
          : { since: since + stop, until: until + stop },
      }
    }),
  }
}

/** Takes the host's pause away from what it held up: the limit of the match and the stages of absences. */
export const endPause = (match: Match, at: number): Match => {
  const { paused, limit, vote } = match
  if (paused === null) return match
  return {
    ...match,
    paused: null,
    vote: vote && postponed(vote, at - paused),
    limit: limit && { ...limit, at: limit.at + at - paused },
    seatStates: match.seatStates.map(seatState => {
      const { away } = seatState
      if (away === null) return seatState
      const since = away.since + at - Math.max(paused, away.since)
      return { ...seatState, away: { ...away, since } }
    }),
  }
}
