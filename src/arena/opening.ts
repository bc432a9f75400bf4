import { type Game, isFinal, isIllegal, type Seed, type Setup, stateAfter } from '../games/game.ts'

/** The moves with which a match begins, before its players make any. */
export type Opening = readonly string[]

/** Whether a game can begin with an opening: one for two that move in turn, with listed moves and without luck. */
export const takesOpenings = ({ facts, moves, seats }: Game): boolean =>
  seats === 2 && moves !== undefined && facts.turns === 'alternate' && !facts.luck && !facts.secrets

/** The opening that a match was given in its setup; null for the start that the rules have. */
export const openingOf = (setup: Setup | null | undefined): Opening | null => {
  const opening = setup?.opening
  return Array.isArray(opening) && opening.every(move => typeof move === 'string') ? opening : null
}

/** The setup of a match that begins with an opening. */
export const withOpening = (setup: Setup | null | undefined, opening: Opening): Setup => ({
  ...setup,
  opening,
})

/** The state in which a match begins: that of the rules, or the one after its opening. Throws where that cannot be played. */
export const startOf = (game: Game, seed: Seed, seats: number, setup: Setup | null): unknown => {
  let state = game.start(seed, seats, setup)
  for (const move of openingOf(setup) ?? []) {
    const status = game.status(state)
    const next = isFinal(status) ? null : stateAfter(game, state, status.toMove[0]!, move)
    if (next === null || isIllegal(next))
      throw new Error(`the opening ${openingOf(setup)!.join(' ')} cannot be played in ${game.id}`)
    state = next
  }
  return state
}
