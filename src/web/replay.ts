import { hasLiveMoves } from '../arena/arena-event.ts'
import type { Played } from '../arena/match-store.ts'
import { afterMove, ReplayError, type ReplaySource, replay, type Step } from '../arena/replay.ts'
import type { Table } from '../arena/table.ts'
import { isFinal, isIllegal, type Json, type Look, type View } from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import { type MatchRecord, replaySourceOf } from '../record/match-record.ts'
import { playedLabel } from '../record/move-text.ts'
import { longest } from '../scheduling/text-stream.ts'
import type { Matches } from '../store/matches.ts'
import { changes, type Delta } from './delta.ts'

/** A match whose positions are shown. */
export interface MatchReplay extends ReplaySource {
  readonly moves: Moves
  /** Bytes that are in memory while its moves are gone through, beside those that are there anyway. */
  readonly size: number
  /** Whether moves may be shown: not while another seat may still owe a move of the same round. */
  readonly open: boolean
  /** Whose eyes its positions are seen with. */
  readonly viewer: 'audience' | 'replay'
}

/** A live match, from the table where it is played. */
export const liveReplay = ({ deal, moves }: Table): MatchReplay => ({
  game: deal.game,
  seed: deal.seed,
  setup: deal.setup,
  seats: deal.players.length,
  moves,
  size: 0,
  open: hasLiveMoves(deal.game),
  viewer: 'audience',
})

/** A kept match; undefined if its game is no longer played here, or if it is too long to be shown. */
export const keptReplay = (match: MatchRecord, matches: Matches): MatchReplay | undefined => {
  const game = gameOf(match.game)
  if (game === undefined) return undefined
  const moves = matches.keptMoves(match.id)
  const { size } = moves
  if (size > longest) return undefined
  const isOver = match.end !== null
  const viewer = isOver ? 'replay' : 'audience'
  return { ...replaySourceOf(game, match, moves), size, open: isOver, viewer }
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
  /** The first move that the rules refuse: from there on the board stands still. */
  readonly error: ReplayError | null
}

/** A position as spectators see it, and the move that led to it. */
export interface Position {
  readonly view: View
  /** What was last played, in the game's own notation; null at the start, or where it is not to be seen. */
  readonly last: Json
}

/**
 * Goes through a match once: the label of every move, and what the position after so many moves looks like.
 * To be run in slices.
 */
export function* survey(match: MatchReplay, ply: number): Generator<Told, Survey> {
  const told: Told[] = []
  const steps = stepsOf(match)
  let before: ShownStep = steps.next().value!
  let shown = before
  for (const step of steps) {
    const [seat, , ms] = step.played!
    const state = step.error === null ? before.state : null
    const now = { seat, label: labelOf(match, state, step.played!), ms }
    told.push(now)
    if (told.length <= ply) shown = step
    before = step
    yield now
  }
  const last = match.open ? (shown.played?.[1] ?? null) : null
  return {
    told,
    position: { view: sightOf(match, shown), last },
    look: lookOf(match, shown),
    error: before.error,
  }
}

/** What a viewer sees of every position: the first whole, each later one as what is different from the one before. */
export const positionsOf = (match: MatchReplay): Iterable<View | Delta> =>
  differencesIn(match, sightOf)

/** What every position looks like, in the same way. */
export const looksOf = (match: MatchReplay): Iterable<Look | Delta> => differencesIn(match, lookOf)

function* differencesIn<Shown extends View | Look>(
  match: MatchReplay,
  shownOf: (match: MatchReplay, step: Step) => Shown,
): Iterable<Shown | Delta> {
  let shown: Shown | null = null
  for (const step of stepsOf(match)) {
    const next = shownOf(match, step)
    yield shown === null ? next : (changes(shown, next) ?? {})
    shown = next
  }
}

/** Every move, with its label. */
export function* labelled(match: MatchReplay): Iterable<readonly [Played, label: string]> {
  const narrator = new Narrator(match)
  for (const played of firstOf(match.moves)) yield [played, narrator.label(played)]
}

/** Puts moves into words as they come. */
export class Narrator {
  readonly #match: Omit<MatchReplay, 'moves'>
  /** The state before the next move, where the game labels its moves, until a move is refused. */
  #state: unknown

  constructor(match: Omit<MatchReplay, 'moves'>) {
    const { game, seed, seats, setup } = match
    this.#match = match
    this.#state = game.label === undefined ? null : game.start(seed, seats, setup)
  }

  label(played: Played): string {
    const before = this.#state
    if (before === null) return labelOf(this.#match, null, played)
    const next = afterMove(this.#match.game, before, played)
    this.#state = isIllegal(next) ? null : next
    return labelOf(this.#match, this.#state === null ? null : before, played)
  }
}

/** A move as people write it in its game, or in few words. The state before a move that the rules refuse is null. */
const labelOf = (
  { game, open }: Pick<MatchReplay, 'game' | 'open'>,
  before: unknown,
  played: Played,
): string => {
  const [, move, , fault] = played
  if (fault === undefined && !open) return sealed
  return fault === undefined && game.label !== undefined && before !== null
    ? game.label(before, move)
    : playedLabel(played)
}

interface ShownStep extends Step {
  readonly error: ReplayError | null
}

/** The start, and a step for every move. From the first move on that the rules refuse, the state stays as it was. */
function* stepsOf(match: MatchReplay): Generator<ShownStep, void> {
  let last: Step | null = null
  try {
    for (const step of replay({ ...match, moves: firstOf(match.moves) })) {
      yield { ...step, error: null }
      last = step
    }
  } catch (error) {
    if (!(error instanceof ReplayError) || last === null) throw error
    let ply = 0
    for (const played of firstOf(match.moves))
      if (++ply >= error.ply) yield { ...last, played, error }
  }
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

/** The last move of a live match, where it may be told. */
export const lastOf = (moves: readonly Played[], open: boolean): Json =>
  open ? (moves.at(-1)?.[1] ?? null) : null

/** What stands for a move that may not be told yet. */
export const sealed = '•'

/** As the arena shows it to spectators. */
const sightOf = ({ game, viewer }: MatchReplay, { state, status }: Step): View => ({
  ...game.view(state, viewer),
  toMove: isFinal(status) ? [] : status.toMove,
})

const lookOf = ({ game, viewer }: MatchReplay, { state }: Step): Look => game.look(state, viewer)
