import { type Seat, votesOf } from '../games/game.ts'
import { lag } from './clocks.ts'
import type { Ending, Fault, Outcome } from './ending.ts'
import type { Match } from './live-match.ts'
import type { Played } from './match-store.ts'
import { open, step } from './referee.ts'
import type { RefereeEvent, Step } from './referee-step.ts'
import { ReplayError, type ReplaySource } from './replay.ts'
import type { Terms } from './terms.ts'
import { endVote } from './turns.ts'
import type { VotingTimes } from './voting.ts'

/**
 * Replays a match under the referee, with each fault where it happened, and returns the outcome; null if there is none.
 * Throws a ReplayError where the referee refuses a move. A late seat disconnects at that point instead, which loses the
 * same: a replay has no clock. If the kept `ending` is `late` or `limit`, the match may have ended at its time limit.
 */
export const replayOutcome = (
  { game, seed, setup, moves: kept }: Omit<ReplaySource, 'seats'>,
  faults: readonly (Fault | null)[],
  ending: Ending | null = null,
): Outcome | null => {
  const moves = [...kept]
  const dropped = moves.flatMap(([seat, , , fault]) => (fault === undefined ? [] : [seat]))
  const last = faults.flatMap((fault, seat): Fall[] =>
    fault === null || dropped.includes(seat) ? [] : [[seat, fault]],
  )
  const limit = {
    time: moves.length + 1,
    result: last.length === 0 ? 'standings' : 'forfeit',
  } as const
  const [match] = open(
    game,
    seed,
    faults.map(() => ({ ...terms, limit })),
    0,
    setup,
    untilCounted,
  )
  let scene: Scene = { match, outcome: null, refused: null }
  for (let i = 0; i < moves.length; ) {
    const [seat, move, , fault] = moves[i]!
    if (scene.outcome !== null) throw new ReplayError(i + 1, 'the match was over before')
    if (fault === undefined) {
      scene =
        scene.match.vote === null
          ? after(scene, { kind: 'move', seat, move, at: i })
          : counted(scene, moves[i]!, i)
      if (scene.refused !== null) throw new ReplayError(i + 1, scene.refused)
      i++
    } else {
      const fallen = fallenAt(moves, i)
      scene = fall(scene, fallen, i)
      i += fallen.length
    }
  }
  const { outcome } = together(scene, last, moves.length)
  if (outcome !== null || !(ending === 'limit' || ending === 'late')) return outcome
  const atLimit = after(scene, { kind: 'tick', at: limit.time + lag }).outcome
  return atLimit && { ...atLimit, ending: ending === 'late' ? 'gone' : ending }
}

interface Scene {
  readonly match: Match
  readonly outcome: Outcome | null
  /** Why the last move was refused. */
  readonly refused: string | null
}

type Fall = readonly [seat: Seat, fault: Fault]

const terms: Terms = {
  move: Number.POSITIVE_INFINITY,
  illegal: 'retry',
  late: 'forfeit',
  away: { stages: [{ time: 0.5, play: 'runs' }], times: Number.POSITIVE_INFINITY },
}

const after = ({ match, outcome }: Scene, event: RefereeEvent): Scene =>
  sceneOf(step(match, event), outcome)

const sceneOf = ([match, effects]: Step, outcome: Outcome | null): Scene => {
  const end = effects.find(effect => effect.kind === 'end')
  const refusal = effects.find(effect => effect.kind === 'refuse')
  return { match, outcome: end?.outcome ?? outcome, refused: refusal?.detail ?? null }
}

/** A vote goes on until the replay comes to its tally. */
const untilCounted: VotingTimes = { time: Number.POSITIVE_INFINITY, leaving: 0 }

/** The vote ends as it was recorded. */
const counted = ({ match }: Scene, [seat, move]: Played, at: number): Scene => {
  const votes = votesOf(move)
  if (seat !== 0 || votes?.length !== match.seatStates.length)
    return { match, outcome: null, refused: 'the audience votes' }
  return sceneOf(endVote(match, { votes }, at), null)
}

/** The faults at this point, with no move between them. */
const fallenAt = (moves: readonly Played[], from: number): readonly Fall[] => {
  const end = moves.findIndex(([, , , fault], i) => i > from && fault === undefined)
  return moves
    .slice(from, end < 0 ? moves.length : end)
    .map(([seat, , , fault]) => [seat, fault!] as const)
}

/**
 * Applies the faults one after the other; or all at the same moment, if the last of them would come after the end
 * otherwise.
 */
const fall = (scene: Scene, fallen: readonly Fall[], at: number): Scene => {
  let now = scene
  for (const one of fallen) {
    if (now.outcome !== null) return together(scene, fallen, at)
    now = together(now, [one], at)
  }
  return now
}

const together = (scene: Scene, fallen: readonly Fall[], at: number): Scene => {
  let now = scene
  for (const [seat, fault] of fallen)
    now =
      fault === 'resigned'
        ? after(now, { kind: 'resign', seat, at })
        : fault === 'illegal'
          ? after(now, { kind: 'forfeit', seat, detail: 'illegal move', at })
          : after(now, { kind: 'lost', seat, ...causeIn(now), at })
  return after(now, { kind: 'tick', at: at + 0.5 })
}

/** During a vote only the operator ends a connection that matters. */
const causeIn = ({ match }: Scene) => (match.vote === null ? {} : { cause: 'banned' })
