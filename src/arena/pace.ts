// The pace of a match: after a move the next board is shown later, so that spectators can follow what has happened. Matches
// without a pace never come here.

import { clockTime } from './clocks.ts'
import { isOver, type Match, type SeatState } from './live-match.ts'
import { type Effect, type RefereeEvent, refuse, type Step } from './referee-step.ts'

/** In milliseconds: so long for each event of a move, and so much longer when it has passed the turn on. */
export interface Pace {
  readonly event: number
  readonly turn: number
}

/** Paces by the names that players choose them by. */
export const speeds = {
  slow: { event: 2000, turn: 3000 },
  normal: { event: 800, turn: 1500 },
  fast: { event: 200, turn: 500 },
  instant: { event: 0, turn: 0 },
} as const satisfies Readonly<Record<string, Pace>>

export type Speed = keyof typeof speeds

export const isSpeed = (name: unknown): name is Speed =>
  typeof name === 'string' && Object.hasOwn(speeds, name)

/** In a game of events, an event of this kind tells that the turn has passed on. */
const turnStart = 'turn_start'

/**
 * Does one step of a match with a pace. After a move with events the board is shown later, the clocks stand until then,
 * and moves are refused. What ends the match is told at once.
 */
export const pacedStep = (
  before: Match,
  event: RefereeEvent,
  rule: (match: Match, event: RefereeEvent) => Step,
): Step => {
  const { at } = event
  const isDue = before.shownAt !== null && at >= before.shownAt
  const match = isDue ? withBoard(before) : before
  if (event.kind === 'move' && match.shownAt !== null)
    return [match, [refuse(event.seat, 'not-your-turn', notShown)]]
  const [next, effects] = rule(match, event)
  if (isOver(next) || next.vote !== null) return [{ ...next, shownAt: null }, effects]
  const delay = delayOf(match, effects)
  if (delay > 0 || match.shownAt !== null) return later(match, next, effects, delay, at)
  return [next, isDue && !effects.some(isShow) ? [{ kind: 'show' }, ...effects] : effects]
}

/** The board is due. Where the clocks stand, those that were to begin with it begin when they go on. */
const withBoard = (match: Match): Match => {
  const { stopped, seatStates } = match
  if (stopped === null) return { ...match, shownAt: null }
  return {
    ...match,
    shownAt: null,
    seatStates: seatStates.map(seatState =>
      putOff(seatState, Math.min(0, stopped.since - (seatState.owes?.since ?? 0))),
    ),
  }
}

const putOff = (seatState: SeatState, by: number): SeatState => {
  const { owes } = seatState
  return owes === null || by === 0
    ? seatState
    : { ...seatState, owes: { since: owes.since + by, until: owes.until + by } }
}

const notShown = 'the last move is still being shown: wait for the next board'

/** Puts off the boards that a step shows, and the clocks that it starts. */
const later = (
  before: Match,
  next: Match,
  effects: readonly Effect[],
  delay: number,
  at: number,
): Step => {
  const shownAt = Math.max(at, before.shownAt ?? at) + delay
  const now = clockTime(next, at)
  const seatStates = next.seatStates.map((seatState, seat) => {
    const { owes } = seatState
    if (owes === null) return seatState
    const isNew = owes !== before.seatStates[seat]!.owes
    // After a stop a clock may have been put off already.
    return putOff(
      seatState,
      isNew ? Math.max(0, shownAt - at - Math.max(0, owes.since - now)) : delay,
    )
  })
  return [{ ...next, seatStates, shownAt }, effects.filter(effect => !isShow(effect))]
}

const delayOf = ({ pace }: Match, effects: readonly Effect[]): number => {
  if (pace === null) return 0
  const events = effects.flatMap(effect =>
    effect.kind === 'record' || effect.kind === 'drop' ? effect.events : [],
  )
  const hasPassed = events.some(({ kind }) => kind === turnStart)
  return events.length * pace.event + (hasPassed ? pace.turn : 0)
}

const isShow = ({ kind }: Effect) => kind === 'show'
