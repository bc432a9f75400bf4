// What seats are told of moves and falls. Seats that may see the same get the same object.

import { eventsSeen, type Game, type Json, type Seat } from '../games/game.ts'
import { hasLiveMoves } from './arena-event.ts'
import type { MatchId } from './match-store.ts'
import type { Accepted, Fell, MovePlayed, PastMove } from './player.ts'
import type { Effect, MoveRecord } from './referee-step.ts'
import { type ReplaySource, replay } from './replay.ts'

type For<T> = (viewer: Seat) => T

export const acceptedNews = (match: MatchId, { turn, move, ms, isTurn }: MoveRecord): Accepted => ({
  kind: 'accepted',
  match,
  turn,
  move,
  ms,
  isTurn,
})

export const playedNews = (game: Game, match: MatchId, effect: MoveRecord): For<MovePlayed> => {
  const { seat, move, from, isTurn, isFallback, events } = effect
  const label = labelOf(game, from, move)
  const isLive = hasLiveMoves(game)
  return sharedWhere(isLive && game.seen === undefined, viewer => ({
    kind: 'played',
    match,
    seat,
    ...(isLive || viewer === seat ? { move, ...label } : { move: null }),
    isTurn,
    isFallback,
    events: eventsSeen(game, events, viewer),
  }))
}

export const fellNews = (
  game: Game,
  match: MatchId,
  { seat, fault, detail, words, events }: Extract<Effect, { kind: 'drop' | 'fell' }>,
): For<Fell> =>
  sharedWhere(game.seen === undefined, viewer => ({
    kind: 'fell',
    match,
    seat,
    fault,
    detail,
    ...(words !== undefined && { words }),
    events: eventsSeen(game, events, viewer),
  }))

const sharedWhere = <T>(isSame: boolean, newsFor: For<T>): For<T> => {
  if (!isSame) return newsFor
  const shared = newsFor(0)
  return () => shared
}

/** All that a seat was told of moves and falls, made again by a replay. */
export const pastMoves = (source: ReplaySource, viewer: Seat): readonly PastMove[] => {
  const { game } = source
  const isLive = hasLiveMoves(game)
  const past: PastMove[] = []
  let from: unknown = null
  for (const { state, played, events } of replay(source)) {
    if (played !== null) {
      const [seat, move, , fault] = played
      const isSeen = fault === undefined && (isLive || viewer === seat)
      past.push({
        seat,
        ...(isSeen ? { move, ...labelOf(game, from, move) } : { move: null }),
        fault: fault ?? null,
        events: eventsSeen(game, events, viewer),
      })
    }
    from = state
  }
  return past
}

const labelOf = (game: Game, from: unknown, move: Json): { readonly label?: string } => {
  const label = game.label?.(from, move)
  return label === undefined || label === move ? {} : { label }
}
