import type { Seat } from './game.ts'

/** The moves of a round that all seats make at once, null where one is owed. No view and no look may tell them. */
export type Sealed<Move> = readonly (Move | null)[]

export const owing = (sealed: Sealed<unknown>): Seat[] =>
  sealed.flatMap((move, seat) => (move === null ? [seat] : []))

/** All moves of the round once the last is in, null before. */
export const opened = <Move>(sealed: Sealed<Move>): readonly Move[] | null =>
  sealed.every(move => move !== null) ? sealed : null
