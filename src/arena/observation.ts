import { isFinal, type View, type Viewer } from '../games/game.ts'
import type { Listing } from './ladder.ts'
import type { Match } from './live-match.ts'
import type { Observation } from './player.ts'

/**
 * What each viewer may see of a match as it stands: one object for all where there are no secrets. On a blind ladder no
 * viewer is given the legal moves, since a spectator could tell a player.
 */
export const observationsOf = (
  { game, opening, state, status }: Match,
  listing: Listing,
): ((viewer: Viewer) => Observation) => {
  const moves = listing === 'open' ? (game.moves ?? game.listed) : undefined
  const observation = (viewer: Viewer): Observation => {
    const shown = position(viewer)
    return opening === null ? shown : Object.assign(shown, { opening })
  }
  const position = (viewer: Viewer): Observation => {
    const view = game.view(state, viewer)
    if (isFinal(status))
      return moves === undefined
        ? extended(view, { toMove: -1 })
        : extended(view, { toMove: -1, legal: [] })
    const [first] = status.toMove
    if (first === undefined) return extended(view, { toMove: -1, ...(moves && { legal: [] }) })
    const toMove = game.facts.turns === 'alternate' ? first : status.toMove
    if (moves === undefined) return extended(view, { toMove })
    // The legal moves of another seat may tell which cards it holds.
    const mover = game.facts.secrets ? viewer : first
    const legal = typeof mover === 'number' ? moves(state, mover) : []
    return extended(view, { toMove, legal })
  }
  if (game.facts.secrets) return observation
  const shared = observation(0)
  return () => shared
}

/** Made for every board that is shown: this takes 40 ns, and a spread with more properties after it 790. */
const extended = (view: View, more: Pick<Observation, 'toMove' | 'legal'>): Observation =>
  Object.assign({}, view, more)
