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
import { moveLabel } from '../record/move-text.ts'
import type { Position } from './board/sight.ts'
import { changes, type Delta } from './delta.ts'

/** A match as far as its positions follow from it. */
export interface Course {
  readonly game: Game
  readonly seed: Seed
  readonly setup: Setup | null
  readonly seats: number
  readonly moves: Moves
  /** Bytes that are in memory while its moves are gone through, beside those that are there anyway. */
  readonly size: number
  /** Whether what was played may be told: not while others may still owe a move of the same round. */
  readonly open: boolean
  /** Whose eyes its positions are seen with. */
  readonly viewer: 'audience' | 'replay'
}

/** The moves of a live match, or of a kept one: to be gone through, and those of a kept one may be long. */
interface Moves extends Iterable<Played> {
  readonly length: number
}

/** What pages show of one move. */
export interface Told {
  readonly seat: number
  readonly label: string
  readonly ms: number
}

export interface Survey {
  readonly told: readonly Told[]
  readonly position: Position
}

/**
 * Goes through a match once: every move as it is told, and the position after so many moves as the audience sees it.
 * To be run in slices.
 */
export function* survey(course: Course, ply: number): Generator<Told, Survey> {
  const { game } = course
  const narrator = new Narrator(course)
  const told: Told[] = []
  let state = startOf(course)
  let last: Json = null
  for (const played of firstOf(course.moves)) {
    const [seat, move, ms] = played
    const now = { seat, label: narrator.label(played), ms }
    told.push(now)
    if (told.length <= ply) {
      state = after(game, state, played)
      last = course.open ? move : null
    }
    yield now
  }
  return { told, position: { view: sightOf(course, state), last } }
}

/** As many as there are now: a live match goes on while a slow reader is at its beginning. */
function* firstOf(moves: Moves): Iterable<Played> {
  let left = moves.length
  if (left === 0) return
  for (const played of moves) {
    yield played
    if (--left === 0) return
  }
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
    if (game.id !== 'chess') return moveLabel(move)
    const label = sanOf(this.#state as Parameters<typeof sanOf>[0], String(move))
    this.#state = after(game, this.#state, played)
    return label
  }
}

/** Every move, with its label. */
export function* labelled(course: Course): Iterable<readonly [Played, label: string]> {
  const narrator = new Narrator(course)
  for (const played of firstOf(course.moves)) yield [played, narrator.label(played)]
}

/** Every position there was: the first whole, each later one as what is different from the one before. */
export function* positionsOf(course: Course): Iterable<View | Delta> {
  const { game, moves } = course
  let state = startOf(course)
  let view = sightOf(course, state)
  yield view
  for (const played of firstOf(moves)) {
    state = after(game, state, played)
    const next = sightOf(course, state)
    yield changes(view, next) ?? {}
    view = next
  }
}

/** The last move of a live match, where it may be told. */
export const lastOf = (moves: readonly Played[], open: boolean): Json =>
  open ? (moves.at(-1)?.[1] ?? null) : null

/** What stands for a move that may not be told yet. */
export const sealed = '•'

const startOf = ({ game, seed, seats, setup }: Omit<Course, 'moves'>): unknown =>
  game.start(seed, seats, setup)

/** As the arena shows it to spectators. */
const sightOf = ({ game, viewer }: Course, state: unknown): View => {
  const status = game.status(state)
  const view = game.view(state, viewer)
  return { ...view, toMove: isFinal(status) ? [] : status.toMove }
}

/** What a stored match holds is trusted to play; where a game has changed since, its board stands still. */
const after = (game: Game, state: unknown, [seat, move, , fault]: Played): unknown => {
  if (fault !== undefined) return game.drop?.(state, seat) ?? state
  const next = game.play(state, seat, move)
  return isIllegal(next) ? state : next
}
