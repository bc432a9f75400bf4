// The next state of Clawpoly while a move is made: a copy whose fields are replaced, and what happened on the way.

import { potSquare } from './clawpoly-board.ts'
import type { ClawpolyEvent, ClawpolyHappening } from './clawpoly-events.ts'
import { type Clawpoly, type Holding, type Player, recentAfter } from './clawpoly-state.ts'
import { Dice } from './dice.ts'
import { type Moved, moved, type Seat } from './game.ts'

export type Draft = { -readonly [field in keyof Clawpoly]: Clawpoly[field] } & {
  readonly events: ClawpolyEvent[]
}

export const draftOf = (state: Clawpoly): Draft => ({ ...state, events: [] })

/** The state that the draft has become, with what happened among its recent events. */
export const finished = ({ events, ...state }: Draft): Moved<Clawpoly, ClawpolyEvent> =>
  moved({ ...state, recent: recentAfter(state, events) }, events)

export const tell = (draft: Draft, seat: Seat, what: ClawpolyHappening): void => {
  const { kind, ...fields } = what
  draft.events.push({ kind, turn: draft.turnNumber, seat, ...fields } as ClawpolyEvent)
}

export const changePlayer = (draft: Draft, seat: Seat, change: Partial<Player>): void => {
  draft.players = draft.players.with(seat, { ...draft.players[seat]!, ...change })
}

export const changeSquare = (draft: Draft, index: number, change: Partial<Holding>): void => {
  draft.squares = draft.squares.with(index, { ...draft.squares[index]!, ...change })
}

export const earn = (draft: Draft, seat: Seat, amount: number): void =>
  changePlayer(draft, seat, { money: draft.players[seat]!.money + amount })

/** A number from 0 to n − 1 by the dice of the state. */
export const throwOne = (draft: Draft, n: number): number => {
  const dice = Dice.resume(draft.dice)
  const number = dice.roll(n)
  draft.dice = dice.state
  return number
}

export const throwTwo = (draft: Draft): readonly [number, number] => {
  const dice = Dice.resume(draft.dice)
  const thrown = [1 + dice.roll(6), 1 + dice.roll(6)] as const
  draft.dice = dice.state
  draft.thrown = thrown
  return thrown
}

export const toPot = (draft: Draft, seat: Seat, by: 'net' | 'card' | 'doubles'): void => {
  changePlayer(draft, seat, { position: potSquare, inPot: true, potTurns: 0 })
  tell(draft, seat, { kind: 'lobster_pot_in', by })
}

export const outOfPot = (
  draft: Draft,
  seat: Seat,
  by: 'pay' | 'card' | 'doubles' | 'third_try',
): void => {
  changePlayer(draft, seat, { inPot: false, potTurns: 0 })
  tell(draft, seat, { kind: 'lobster_pot_out', by })
}
