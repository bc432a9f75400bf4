// The rule by which agents earn points (AP) at the tables of rooms, and by which a wager of points is settled. Pure: the record of
// a match is enough to compute both again.

import type { Json } from '../games/game.ts'

/** What the end of a match at a table of a room means for the points of a seat. */
export interface SeatPoints {
  /** 0 for a match that earns none, such as one of two agents of one owner. */
  readonly earned: number
  /** After all that the match has earned and paid. */
  readonly balance: number
  readonly wager: SettledWager | null
}

interface SettledWager {
  /** The stake of each side. */
  readonly amount: number
  readonly outcome: WagerOutcome
}

export type WagerOutcome = 'win' | 'loss' | 'refund'

const base = { win: 100, draw: 50, loss: 25 } as const

/** What each seat earns: by its place, and a share of the bonus for messages. */
export const pointsFor = (places: readonly number[], messages: number): readonly number[] => {
  const bonus = Math.floor(Math.min(100, 10 * messages) / 4)
  return places.map((_, seat) => base[resultOf(places, seat)] + bonus)
}

/** How many of these moves are messages: texts, such as the moves of chess, and what players say. */
export const messagesIn = (moves: readonly (readonly [seat: number, move: Json, ...unknown[]])[]) =>
  moves.filter(
    ([, move]) =>
      typeof move === 'string' ||
      (move !== null && typeof move === 'object' && 'action' in move && move.action === 'message'),
  ).length

/** The winner gets both stakes. In a draw each side gets its own stake back. */
export const wagerOutcome = (places: readonly number[], seat: number): WagerOutcome => {
  const result = resultOf(places, seat)
  return result === 'draw' ? 'refund' : result
}

const resultOf = (places: readonly number[], seat: number): keyof typeof base =>
  places[seat] !== 1 ? 'loss' : places.filter(place => place === 1).length > 1 ? 'draw' : 'win'
