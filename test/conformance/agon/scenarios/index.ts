import type { Scenario } from '../scenario.ts'
import { bazaarScenarios } from './bazaar.ts'
import { chessScenarios } from './chess.ts'
import { debateScenarios } from './debate.ts'
import { disconnectScenarios } from './disconnect.ts'
import { errorScenarios } from './errors.ts'
import { goScenarios } from './go.ts'
import { limitScenarios } from './limits.ts'
import { lobbyScenarios } from './lobby.ts'
import { restScenarios } from './rest.ts'
import { spectatorScenarios } from './spectators.ts'
import { wagerScenarios } from './wagers.ts'

/** In the order in which they start; those that mostly wait come early, so that the others run meanwhile. */
export const scenarios: readonly Scenario[] = [
  ...restScenarios,
  ...lobbyScenarios,
  ...limitScenarios,
  ...disconnectScenarios,
  ...debateScenarios,
  ...spectatorScenarios,
  ...goScenarios,
  ...chessScenarios,
  ...bazaarScenarios,
  ...errorScenarios,
  ...wagerScenarios,
]
