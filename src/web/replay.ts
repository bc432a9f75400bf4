import { hasLiveMoves } from '../arena/arena-event.ts'
import type { Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import { startOf } from '../arena/opening.ts'
import { afterMove, ReplayError, type ReplaySource, replay, type Step } from '../arena/replay.ts'
import {
  eventsOf,
  eventsSeen,
  type GameEvent,
  isFinal,
  isIllegal,
  type Json,
  type Look,
  stateOf,
  type View,
} from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import type { Text } from '../games/look.ts'
import { type MatchRecord, replaySourceOf } from '../record/match-record.ts'
import { playedLabel } from '../record/move-text.ts'
import { longest } from '../scheduling/text-stream.ts'
import type { Matches } from '../store/matches.ts'
import { type Delta, differenceBetween } from './delta.ts'

/** A match whose positions the pages show. */
export interface MatchReplay extends ReplaySource {
  readonly moves: Moves
  /** Those that may be shown. */
  readonly notes: Notes
  /** The extra bytes in memory while its moves are read. */
  readonly size: number
  /** Whether moves may be shown. They are hidden while another seat may still owe a move of the same turn. */
  readonly open: boolean
  /** The viewer whose observations are shown. */
  readonly viewer: 'audience' | 'replay'
}

/** A live match as spectators see it, without its moves. */
export const liveReplay = ({ game, seed, setup, players }: LiveSource) => ({
  ...{ game, seed, setup },
  seats: players.length,
  open: hasLiveMoves(game),
  viewer: 'audience' as const,
})

interface LiveSource extends Pick<MatchReplay, 'game' | 'seed' | 'setup'> {
  readonly players: readonly unknown[]
}

/** The replay of a past match; undefined if the host does not have its game, or if the match is too long to show. */
export const keptReplay = (match: MatchRecord, matches: Matches): MatchReplay | undefined => {
  const game = gameOf(match.game)
  if (game === undefined) return undefined
  const moves = matches.keptMoves(match.id)
  const { size } = moves
  if (size > longest) return undefined
  const isOver = match.end !== null
  const viewer = isOver ? 'replay' : 'audience'
  const notes = matches.notes(match.id)
  return { ...replaySourceOf(game, match, moves), notes, size, open: isOver, viewer }
}

/** The moves of a match. Those of a past match are read one at a time, because they may be long. */
interface Moves extends Iterable<Played> {
  readonly length: number
}

/** A move as the pages show it. */
export interface ShownMove {
  readonly seat: number
  readonly label: string
  readonly ms: number
  /** What the move caused, as far as the viewer may know of it. */
  readonly events: readonly GameEvent[]
  /** The same in words. */
  readonly told: readonly Text[]
}

export interface ReplaySummary {
  readonly moves: readonly ShownMove[]
  readonly position: Position
  readonly look: Look
  /** The error at the first move that the rules refuse. From there on the board does not change. */
  readonly error: ReplayError | null
}

/** A position as spectators see it, and the move that led to it. */
export interface Position {
  readonly view: View
  /** The last move in the notation of the game; null at the start, or while moves are hidden. */
  readonly last: Json
}

/** Replays a match once, for the labels of all moves and for the position after move `ply`. Runs in slices. */
export function* summarizeReplay(
  match: MatchReplay,
  ply: number,
): Generator<ShownMove, ReplaySummary> {
  const moves: ShownMove[] = []
  const steps = stepsOf(match)
  let before: ShownStep = steps.next().value!
  let shown = before
  for (const step of steps) {
    const [seat, , ms] = step.played!
    const state = step.error === null ? before.state : null
    const events = eventsSeen(match.game, step.events, match.viewer)
    const told = match.game.told?.(events) ?? []
    const now = { seat, label: labelOf(match, state, step.played!), ms, events, told }
    moves.push(now)
    if (moves.length <= ply) shown = step
    before = step
    yield now
  }
  const last = match.open ? (shown.played?.[1] ?? null) : null
  return {
    moves,
    position: { view: viewAt(match, shown), last },
    look: lookAt(match, shown),
    error: before.error,
  }
}

/** Every position: the first one whole, each later one as the difference from the one before. */
export const positionsOf = (match: MatchReplay): Iterable<View | Delta> =>
  differencesBetween(match, viewAt)

/** The look of every position, in the same form. */
export const looksOf = (match: MatchReplay): Iterable<Look | Delta> =>
  differencesBetween(match, lookAt)

function* differencesBetween<Shown extends View | Look>(
  match: MatchReplay,
  valueAt: (match: MatchReplay, step: Step) => Shown,
): Iterable<Shown | Delta> {
  let shown: Shown | null = null
  for (const step of stepsOf(match)) {
    const next = valueAt(match, step)
    yield shown === null ? next : (differenceBetween(shown, next) ?? {})
    shown = next
  }
}

/** All moves, each with its label and its events. */
export function* shownMoves(match: MatchReplay): Iterable<readonly [Played, ShownMove]> {
  const replayer = new MoveReplayer(match)
  for (const played of currentMoves(match.moves)) yield [played, replayer.next(played)]
}

/** Replays moves one after another, for what is shown of them. */
export class MoveReplayer {
  readonly #match: Omit<MatchReplay, 'moves' | 'notes' | 'size'>
  /** The state before the next move; null once a move was refused. */
  #state: unknown

  constructor(match: Omit<MatchReplay, 'moves' | 'notes' | 'size'>) {
    const { game, seed, seats, setup } = match
    this.#match = match
    this.#state = startOf(game, seed, seats, setup)
  }

  next(played: Played): ShownMove {
    const { game, viewer } = this.#match
    const before = this.#state
    const next = before === null ? null : afterMove(game, before, played)
    this.#state = isIllegal(next) ? null : stateOf(next)
    const [seat, , ms] = played
    const label = labelOf(this.#match, this.#state === null ? null : before, played)
    const events = eventsSeen(game, eventsOf(next), viewer)
    return { seat, label, ms, events, told: game.told?.(events) ?? [] }
  }
}

/** A move in the notation of its game, or in a few words. `before` is null for a move that the rules refuse. */
const labelOf = (
  { game, open }: Pick<MatchReplay, 'game' | 'open'>,
  before: unknown,
  played: Played,
): string => {
  const [, move, , fault] = played
  if (fault === undefined && !open) return hiddenMove
  return fault === undefined && game.label !== undefined && before !== null
    ? game.label(before, move)
    : playedLabel(played)
}

interface ShownStep extends Step {
  readonly error: ReplayError | null
}

/** The start, and a step for every move. From the first move that the rules refuse, the state stays the same. */
function* stepsOf(match: MatchReplay): Generator<ShownStep, void> {
  let last: Step | null = null
  try {
    for (const step of replay({ ...match, moves: currentMoves(match.moves) })) {
      yield { ...step, error: null }
      last = step
    }
  } catch (error) {
    if (!(error instanceof ReplayError) || last === null) throw error
    let ply = 0
    for (const played of currentMoves(match.moves))
      if (++ply >= error.ply) yield { ...last, played, events: [], error }
  }
}

/** Only the moves that were counted: those of a live match may be saved while a slow client reads. */
function* currentMoves(moves: Moves): Iterable<Played> {
  let left = moves.length
  if (left === 0) return
  for (const played of moves) {
    yield played
    if (--left === 0) return
  }
}

/** The last move of a live match; null while moves are hidden. */
export const lastMoveOf = (moves: readonly Played[], open: boolean): Json =>
  open ? (moves.at(-1)?.[1] ?? null) : null

/** The label of a move that may not be shown yet. */
export const hiddenMove = '•'

/** The view in the form that the arena gives spectators. */
const viewAt = ({ game, viewer }: MatchReplay, { state, status }: Step): View => ({
  ...game.view(state, viewer),
  toMove: isFinal(status) ? [] : status.toMove,
})

const lookAt = ({ game, viewer }: MatchReplay, { state }: Step): Look => game.look(state, viewer)
