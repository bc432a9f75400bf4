import type { Seat } from './game.ts'

/** The moves of a round that everybody makes at once, null where one is owed. No view may tell what they are. */
export type Sealed<Move> = readonly (Move | null)[]

export const owing = (sealed: Sealed<unknown>): Seat[] =>
  sealed.flatMap((move, seat) => (move === null ? [seat] : []))

/** All moves of the round once the last is in, null before. */
export const opened = <Move>(sealed: Sealed<Move>): readonly Move[] | null =>
  sealed.every(move => move !== null) ? sealed : null
