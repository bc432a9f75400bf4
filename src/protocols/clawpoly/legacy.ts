// `protocol=legacy`: the messages of the public implementation, whose clients know no dice and no ends of turns.

import { fallbackOf } from '../../games/clawpoly-moves.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'
import { isWhole } from '../../games/json.ts'
import type { Read } from './actions.ts'
import { placesToBuild } from './autopilot.ts'
import type { Refused } from './codes.ts'
import type { Action } from './messages.ts'

/** The fields of `agent:build_decision` that such a client reads. */
export const legacyBuild = (state: Clawpoly): object => placesToBuild(state)

/**
 * The move that an answer stands for. One of the wrong kind consumes what was asked, as it does there: what would be done
 * for an agent that is late is done at once.
 */
export const legacyMove = (state: Clawpoly, { name, data }: Action): Read | Refused => {
  const { phase } = state
  const { squareIndex } = data
  if (phase === 'buy' && (name === 'buy' || name === 'pass')) return { move: { action: name } }
  if (phase === 'pot' && name.startsWith('escape_')) return { move: { action: name } }
  if (phase === 'build' && (name === 'build' || name === 'upgrade'))
    return isWhole(squareIndex, 0, 39)
      ? { move: { action: 'build', square: squareIndex } }
      : {
          code: 'INVALID_PROPERTY',
          message: `"squareIndex" is a number from 0 to 39, got ${JSON.stringify(squareIndex)}`,
        }
  return { move: fallbackOf(state) }
}
