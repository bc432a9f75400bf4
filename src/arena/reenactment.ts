import type { Game, Seat, Seed, Setup } from '../games/game.ts'
import type { Fault, Outcome } from './ending.ts'
import type { Played } from './keeper.ts'
import { type Happening, type Match, open, step } from './referee.ts'
import type { Terms } from './terms.ts'

export interface Kept {
  readonly game: Game
  readonly seed: Seed
  readonly setup?: Setup | null
  readonly moves: readonly Played[]
  /** By seat: what it was faulted for, if anything. */
  readonly faults: readonly (Fault | null)[]
}

/**
 * Plays a kept match again under the referee, each fault where it happened. Answers with the outcome it comes to,
 * null if it comes to none, or why the referee would not have it so. Who was late leaves at that point instead:
 * the times of the match are not kept, and it loses the same.
 */
export const reenact = ({ game, seed, setup, moves, faults }: Kept): Outcome | null | Wrong => {
  let scene: Scene = {
    match: open(
      game,
      seed,
      faults.map(() => terms),
      0,
      setup,
    )[0],
    outcome: null,
    refused: null,
  }
  for (let i = 0; i < moves.length; ) {
    const [seat, move, , fault] = moves[i]!
    if (scene.outcome !== null) return { wrong: `move ${i + 1} came after the end` }
    if (fault === undefined) {
      scene = after(scene, { kind: 'move', seat, move, at: i })
      if (scene.refused !== null) return { wrong: `move ${i + 1} is refused: ${scene.refused}` }
      i++
    } else {
      const fallen = fallenAt(moves, i)
      scene = fall(scene, fallen, i)
      i += fallen.length
    }
  }
  const dropped = moves.flatMap(([seat, , , fault]) => (fault === undefined ? [] : [seat]))
  const last = faults.flatMap((fault, seat): Fall[] =>
    fault === null || dropped.includes(seat) ? [] : [[seat, fault]],
  )
  return together(scene, last, moves.length).outcome
}

interface Wrong {
  readonly wrong: string
}

interface Scene {
  readonly match: Match
  readonly outcome: Outcome | null
  /** Why the last move was refused. */
  readonly refused: string | null
}

type Fall = readonly [seat: Seat, fault: Fault]

const terms: Terms = {
  firstMove: Number.POSITIVE_INFINITY,
  move: Number.POSITIVE_INFINITY,
  illegal: 'retry',
  late: { strikes: 1, otherwise: 'clock' },
  away: { grace: 0.5, clock: 'runs' },
}

const after = ({ match, outcome }: Scene, event: Happening): Scene => {
  const [next, effects] = step(match, event)
  const end = effects.find(effect => effect.kind === 'end')
  const refusal = effects.find(effect => effect.kind === 'refuse')
  return { match: next, outcome: end?.outcome ?? outcome, refused: refusal?.detail ?? null }
}

/** Those who fell at this point, with no move between them. */
const fallenAt = (moves: readonly Played[], from: number): readonly Fall[] => {
  const end = moves.findIndex(([, , , fault], i) => i > from && fault === undefined)
  return moves
    .slice(from, end < 0 ? moves.length : end)
    .map(([seat, , , fault]) => [seat, fault!] as const)
}

/** One after the other, or all in one moment if otherwise the last of them would fall after the end. */
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
          : after(now, { kind: 'lost', seat, at })
  return after(now, { kind: 'tick', at: at + 0.5 })
}
