// The referee is a pure function: step(match, event) → [match, effects]. Each event carries its time. Timers, connections
// and the store belong to the table (table.ts), which performs the effects.

import {
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  type Seed,
  type Setup,
} from '../games/game.ts'
import { cut, printable } from '../games/words.ts'
import {
  bankLeft,
  clockTime,
  endPause,
  graceFrom,
  isLate,
  lag,
  stageEnd,
  stageOf,
} from './clocks.ts'
import { judge } from './judge.ts'
import { isIn, isOver, type Match, withSeat } from './live-match.ts'
import { openingOf, startOf } from './opening.ts'
import { type Pace, pacedStep } from './pace.ts'
import { andThen, type Effect, type RefereeEvent, refuse, type Step } from './referee-step.ts'
import type { Terms } from './terms.ts'
import {
  advance,
  applyMove,
  endVote,
  fallBack,
  fault,
  finish,
  finishByFault,
  settleClocks,
} from './turns.ts'
import { takesVotes, tallied, type VotingTimes, votingTimes, withVote } from './voting.ts'

/** Starts a new match and shows the first board. */
export const open = (
  game: Game,
  seed: Seed,
  terms: readonly Terms[],
  at: number,
  setup: Setup | null = null,
  voting: VotingTimes = votingTimes,
  pace: Pace | null = null,
): Step => {
  const state = startOf(game, seed, terms.length, setup)
  const match: Match = {
    game,
    opening: openingOf(setup),
    state,
    status: { toMove: [] },
    seatStates: terms.map(terms => ({
      terms,
      owes: null,
      held: null,
      moved: false,
      bank: terms.bank ?? 0,
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
    vote: null,
    voting,
    pace,
    shownAt: null,
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
  return match.pace === null ? ruleOn(match, event) : pacedStep(match, event, ruleOn)
}

const ruleOn = (match: Match, event: RefereeEvent): Step => {
  switch (event.kind) {
    case 'tick':
      return tick(match, event.at)
    case 'pause':
      return settleClocks([{ ...match, paused: match.paused ?? event.at }, []], event.at)
    case 'resume':
      return settleClocks([endPause(match, event.at), []], event.at)
    case 'vote':
      return castVote(match, event)
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
      if (match.vote !== null) return [match, [refuse(seat, 'not-your-turn', audienceVotes)]]
      return fault(
        match,
        [seat],
        'resigned',
        'resignation',
        event.at,
        event.words && cut(printable(event.words), maxWords),
      )
    case 'lost':
      return lost(match, event)
    case 'back':
      return back(match, event)
  }
}

/** In characters. */
const maxWords = 280
const audienceVotes = 'the audience votes: wait for the result'
const connectionLost = 'the connection was lost'
/** A player that the host disconnects for one of these gets no grace to reconnect. The texts are shown to all players. */
const finalCauses: Readonly<Partial<Record<string, string>>> = {
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
  if (match.vote !== null) return [match, []]
  if (terms.away === 'forfeit') return fault(match, [seat], 'gone', connectionLost, at)
  if (terms.away === 'ignored' || away !== null) return [match, []]
  if (absences >= terms.away.times) return gone(match, [seat], at)
  const change = { absences: absences + 1, away: { since: at, stage: 0, told: false } }
  return settleClocks(tellStage(withSeat(match, seat, change), seat), at)
}

const back = (match: Match, event: Extract<RefereeEvent, { kind: 'back' }>): Step => {
  const { seat, at } = event
  const { away, connection } = match.seatStates[seat]!
  const here = withSeat(match, seat, { away: null, connection: event.connection ?? connection })
  const [next, effects] = settleClocks([here, away?.told ? [{ kind: 'back', seat }] : []], at)
  const isShown = effects.some(({ kind }) => kind === 'show')
  const shown: readonly Effect[] = isShown ? effects : [...effects, { kind: 'show', seat }]
  return [next, match.vote === null ? shown : [...shown, { kind: 'voting', seat }]]
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

const move = (match: Match, event: Extract<RefereeEvent, { kind: 'move' }>): Step => {
  const { seat, move: raw, turn, note, at } = event
  const seatState = match.seatStates[seat]!
  const { game, state } = match
  const acts =
    seatState.owes !== null || (!isFinal(match.status) && match.status.mayAct?.includes(seat))
  if (!acts) {
    const why = match.vote === null ? 'it is not your turn' : audienceVotes
    return [match, [refuse(seat, 'not-your-turn', why)]]
  }
  if (match.stopped?.play === 'paused')
    return [match, [refuse(seat, 'match-paused', 'the match is paused: wait until it goes on')]]
  // The deadline is checked before legality: a right move too late is still late.
  if (isLate(match, seatState, at) || isAtLimit(match, at)) return tick(match, at)
  if (game.facts.outOfTurn && turn !== undefined && turn !== match.turn)
    return [match, [refuse(seat, 'stale-move', staleness(match, turn))]]
  const judgement = judge(game, state, seat, raw)
  if (!isIllegal(judgement))
    return applyMove(match, seat, judgement.move, judgement.next, at, false, note)
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

const tick = (match: Match, at: number): Step =>
  [nextStages, faultLate, endAtLimit, moveVoteOn].reduce<Step>(
    (step, rule) => andThen(step, match => rule(match, at)),
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
      step = andThen(step, match => tellStage(withSeat(match, seat, { away: next }), seat))
    }
  return over.length > 0 ? andThen(step, match => gone(match, over, at)) : settleClocks(step, at)
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
    step = andThen(step, match => {
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
  const bank = bankLeft(match.seatStates[seat]!, since)
  const owes = { since, until: since + time + bank }
  return [withSeat(struck, seat, { owes, bank }), [effect, { kind: 'show' }]]
}

const isAtLimit = ({ limit, paused, vote }: Match, at: number) =>
  limit !== null && paused === null && vote === null && at >= limit.at + lag

/** Ends a match that has reached the limit of its time. */
const endAtLimit = (match: Match, at: number): Step => {
  const { limit, game, state, seatStates } = match
  if (limit === null || !isAtLimit(match, at)) return [match, []]
  const detail = `the match reached its limit of ${Math.round(limit.time) / 1000} s`
  if (limit.result === 'forfeit') {
    const seats = seatStates.flatMap(({ owes }, seat) => (owes === null ? [] : [seat]))
    return finishByFault(match, seats, 'late', detail)
  }
  const standings = game.standings?.(state)
  if (standings === undefined) return finish(match, 'limit', detail, [])
  return finish({ ...match, status: standings }, 'limit', `${detail}: ${standings.because}`, [])
}

/** Opens a vote that was to open later, and ends one whose time is over. */
const moveVoteOn = (match: Match, at: number): Step => {
  const { vote, paused, seatStates } = match
  if (vote === null || paused !== null) return [match, []]
  if (at >= vote.closesAt) return endVote(match, tallied(vote, seatStates.length), at)
  if (vote.isOpen || at < vote.opensAt) return [match, []]
  return [{ ...match, vote: { ...vote, isOpen: true } }, [{ kind: 'voting' }]]
}

const castVote = (before: Match, event: Extract<RefereeEvent, { kind: 'vote' }>): Step => {
  const { voter, seat, at } = event
  return andThen(moveVoteOn(before, at), match => {
    const { vote, paused } = match
    // A pause of the host stops the time of a vote, and no voter.
    if (vote === null || !takesVotes(vote, paused ?? at) || !vote.between.includes(seat))
      return [match, []]
    const isNew = !vote.votes.has(voter)
    return [{ ...match, vote: withVote(vote, voter, seat) }, isNew ? [{ kind: 'voted' }] : []]
  })
}
