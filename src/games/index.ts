import { bazaar } from './bazaar.ts'
import { blotto } from './blotto.ts'
import { c4 } from './c4.ts'
import { chess } from './chess.ts'
import { clawpoly } from './clawpoly.ts'
import { danceBattle } from './dance-battle.ts'
import { debate, spicyDebate } from './debate.ts'
import { echo } from './echo.ts'
import { evenOdd } from './even-odd.ts'
import type { CatalogueGame } from './game.ts'
import { go9, go13, go19 } from './go.ts'
import { gomoku } from './gomoku.ts'
import { othello } from './othello.ts'
import { resourceRush } from './resource-rush.ts'
import { skillGomoku } from './skill-gomoku.ts'
import { ttt } from './ttt.ts'

/** Every game of this server. A line here makes a game joinable, rated, replayable and covered by the shared suite. */
export const games: readonly CatalogueGame[] = [
  ttt,
  c4,
  chess,
  go9,
  go13,
  go19,
  gomoku,
  othello,
  echo,
  blotto,
  evenOdd,
  danceBattle,
  skillGomoku,
  resourceRush,
  bazaar,
  debate,
  spicyDebate,
  clawpoly,
]

export const gameOf = (id: string): CatalogueGame | undefined => byId.get(id)

const byId = new Map(games.map(game => [game.id, game]))
