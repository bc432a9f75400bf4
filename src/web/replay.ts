import type { Played } from '../arena/keeper.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Look,
  type Seed,
  type Setup,
  type View,
} from '../games/game.ts'
import { labelOf } from './board/label.ts'
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
  readonly look: Look
}

/** A position as spectators see it, and the move that led to it. */
export interface Position {
  readonly view: View
  /** What was last played, in the game's own notation; null at the start, or where it is not to be seen. */
  readonly last: Json
}

/**
 * Goes through a match once: every move as it is told, and what the position after so many moves looks like.
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
  const position = { view: sightOf(course, state), last }
  return { told, position, look: game.look(state, course.viewer) }
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

/** Puts moves into words as they come: as people write them in this game, or in few words. */
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
    if (game.label === undefined) return labelOf(move)
    const label = game.label(this.#state, move)
    this.#state = after(game, this.#state, played)
    return label
  }
}

/** Every move, with its label. */
export function* labelled(course: Course): Iterable<readonly [Played, label: string]> {
  const narrator = new Narrator(course)
  for (const played of firstOf(course.moves)) yield [played, narrator.label(played)]
}

/** What a viewer sees of every position: the first whole, each later one as what is different from the one before. */
export const positionsOf = (course: Course): Iterable<View | Delta> =>
  differencesIn(course, state => sightOf(course, state))

/** What every position looks like, in the same way. */
export const looksOf = (course: Course): Iterable<Look | Delta> =>
  differencesIn(course, state => course.game.look(state, course.viewer))

function* differencesIn<Shown extends View | Look>(
  course: Course,
  shown: (state: unknown) => Shown,
): Iterable<Shown | Delta> {
  const { game, moves } = course
  let state = startOf(course)
  let now = shown(state)
  yield now
  for (const played of firstOf(moves)) {
    state = after(game, state, played)
    const next = shown(state)
    yield changes(now, next) ?? {}
    now = next
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
