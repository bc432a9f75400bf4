// Positions of Clawpoly for tests, and what is played in them.

import { clawpoly } from '../../src/games/clawpoly.ts'
import type { DeckName } from '../../src/games/clawpoly-cards.ts'
import type { Wrong } from '../../src/games/clawpoly-deeds.ts'
import type { ClawpolyEvent } from '../../src/games/clawpoly-events.ts'
import { check } from '../../src/games/clawpoly-moves.ts'
import type { Clawpoly, Holding, Player } from '../../src/games/clawpoly-state.ts'
import { Dice, type DiceState } from '../../src/games/dice.ts'
import { eventsOf, isIllegal, type Json, type Seat, stateOf } from '../../src/games/game.ts'

type Place = Partial<Omit<Clawpoly, 'players' | 'squares'>> & {
  /** What differs from a player at the start, by seat. */
  readonly players?: readonly Partial<Player>[]
  /** What is owned, by square. */
  readonly squares?: Readonly<Record<number, Partial<Holding>>>
  readonly seats?: number
}

/** Seat 0 is to throw, in turn 1 of three players, unless it says otherwise. */
export const position = ({
  players = [],
  squares = {},
  seats = 3,
  ...rest
}: Place = {}): Clawpoly => {
  const start = clawpoly.start(1, seats)
  return {
    ...start,
    order: Array.from({ length: seats }, (_, seat) => seat),
    current: 0,
    ...rest,
    players: start.players.map((player, seat) => ({ ...player, ...players[seat] })),
    squares: start.squares.map((square, index) => ({ ...square, ...squares[index] })),
  }
}

/** Squares of one owner. */
export const owned = (
  owner: Seat,
  indices: readonly number[],
  more: Partial<Holding> = {},
): Record<number, Partial<Holding>> =>
  Object.fromEntries(indices.map(index => [index, { owner, ...more }]))

/** Dice that will throw these eyes. */
export const throwing = (...eyes: readonly number[]): DiceState => {
  for (let seed = 1; ; seed++) {
    const dice = Dice.fromSeed(seed)
    const from = dice.state
    if (eyes.every(eye => dice.roll(6) + 1 === eye)) return from
  }
}

/** A deck on which this card of the rules is on top, with the rest of it below. */
export const onTop = (state: Clawpoly, deck: DeckName, card: number): Clawpoly => ({
  ...state,
  decks: {
    ...state.decks,
    [deck]: {
      ...state.decks[deck],
      unseen: [],
      seen: [
        card - 1,
        ...Array.from({ length: 16 }, (_, i) => i).filter(
          i => i !== card - 1 && state.decks[deck].unseen.includes(i),
        ),
      ],
    },
  },
})

/** The state with an escape card of a deck in the hand of this seat. */
export const holding = (state: Clawpoly, deck: DeckName, seat: Seat): Clawpoly => {
  const card = deck === 'tide' ? 8 : 4
  const { unseen, seen } = state.decks[deck]
  return {
    ...state,
    players: state.players.with(seat, {
      ...state.players[seat]!,
      escapeCards: state.players[seat]!.escapeCards + 1,
    }),
    decks: {
      ...state.decks,
      [deck]: {
        unseen: unseen.filter(other => other !== card),
        seen: seen.filter(other => other !== card),
        holder: seat,
      },
    },
  }
}

export type After = { readonly state: Clawpoly; readonly events: readonly ClawpolyEvent[] }

/** What a legal move leads to. A word is the action of the seat that is asked. */
export const move = (state: Clawpoly, made: Json, seat = asked(state)): After => {
  const sent = typeof made === 'string' ? { action: made } : made
  const next = clawpoly.play(state, seat, clawpoly.read!(state, seat, sent))
  if (isIllegal(next)) throw new Error(`${JSON.stringify(sent)}: ${next.reason}`)
  return { state: stateOf(next), events: eventsOf(next) as readonly ClawpolyEvent[] }
}

/** The state after several moves of those who are asked. */
export const played = (state: Clawpoly, ...moves: readonly Json[]): Clawpoly =>
  moves.reduce<Clawpoly>((now, made) => move(now, made).state, state)

/** Why a move is refused: by `check`, and by the game itself. */
export const refusal = (state: Clawpoly, made: Json, seat = asked(state)): Wrong | null => {
  const sent = typeof made === 'string' ? { action: made } : made
  const found = check(state, seat, sent)
  if (isIllegal(clawpoly.play(state, seat, sent)) !== (found !== null))
    throw new Error('check and play disagree')
  return found
}

export const dropped = (state: Clawpoly, seat: Seat): After => {
  const next = clawpoly.drop!(state, seat)
  return { state: stateOf(next), events: eventsOf(next) as readonly ClawpolyEvent[] }
}

/** The seat that owes a move; −1 when the match is over. */
export const asked = (state: Clawpoly): Seat => {
  const status = clawpoly.status(state)
  return 'places' in status ? -1 : status.toMove[0]!
}

export const moneyOf = ({ players }: Clawpoly): readonly number[] =>
  players.map(({ money }) => money)

export const kindsOf = ({ events }: After): readonly string[] => events.map(({ kind }) => kind)
