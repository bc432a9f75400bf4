import type { Played } from '../arena/keeper.ts'
import { sanOf } from '../games/chess-san.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Seed,
  type Setup,
  type View,
} from '../games/game.ts'
import { labelOf } from './board/label.ts'
import type { Position } from './board/sight.ts'
import { changes, type Delta } from './delta.ts'

/** A match as far as its positions follow from it. */
export interface Course {
  readonly game: Game
  readonly seed: Seed
  readonly setup: Setup | null
  readonly seats: number
  readonly moves: readonly Played[]
  /** Whether what was played may be told: not while others may still owe a move of the same round. */
  readonly open: boolean
}

/** The position after so many moves, as the audience sees it. */
export const positionAt = (course: Course, ply: number): Position => {
  const { game, moves } = course
  let state = startOf(course)
  for (const played of moves.slice(0, ply)) state = after(game, state, played)
  return { view: sightOf(game, state), last: lastOf(course, ply) }
}

/** Puts moves into words as they come: chess as people write it, objects in few words. */
export class Narrator {
  readonly #course: Omit<Course, 'moves'>
  #state: unknown

  constructor(course: Omit<Course, 'moves'>) {
    this.#course = course
    this.#state = startOf(course)
  }

  label(played: Played): string {
    const { game, open } = this.#course
    const [, move, , fault] = played
    if (fault !== undefined) return `out: ${fault}`
    if (!open) return sealed
    if (game.id !== 'chess') return labelOf(move)
    const label = sanOf(this.#state as Parameters<typeof sanOf>[0], String(move))
    this.#state = after(game, this.#state, played)
    return label
  }
}

export const labelsOf = (course: Course): readonly string[] => {
  const narrator = new Narrator(course)
  return course.moves.map(played => narrator.label(played))
}

/**
 * Every position there was: the first whole, each later one as what is different from the one before. It takes its
 * time in slices, because matches are played meanwhile.
 */
export const positionsOf = async (course: Course): Promise<readonly (View | Delta)[]> => {
  const { game, moves } = course
  let state = startOf(course)
  let view = sightOf(game, state)
  const positions: (View | Delta)[] = [view]
  let sliceEnds = performance.now() + slice
  for (const played of moves) {
    state = after(game, state, played)
    const next = sightOf(game, state)
    positions.push(changes(view, next) ?? {})
    view = next
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + slice
  }
  return positions
}

export const lastOf = ({ moves, open }: Pick<Course, 'moves' | 'open'>, ply: number): Json =>
  open && ply > 0 ? (moves[ply - 1]?.[1] ?? null) : null

/** What stands for a move that may not be told yet. */
export const sealed = '•'

const slice = 4

const startOf = ({ game, seed, seats, setup }: Omit<Course, 'moves'>): unknown =>
  game.start(seed, seats, setup)

/** As the arena shows it to those who look on. */
const sightOf = (game: Game, state: unknown): View => {
  const status = game.status(state)
  const view = game.view(state, 'audience')
  return { ...view, toMove: isFinal(status) ? [] : status.toMove }
}

/** What a stored match holds is trusted to play; where a game has changed since, its board stands still. */
const after = (game: Game, state: unknown, [seat, move, , fault]: Played): unknown => {
  if (fault !== undefined) return game.drop?.(state, seat) ?? state
  const next = game.play(state, seat, move)
  return isIllegal(next) ? state : next
}
