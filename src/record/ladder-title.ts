import type { Ladder } from '../arena/ladder.ts'
import { gameOf } from '../games/index.ts'

export const ladderTitle = ({ game, crowd }: Ladder): string => {
  const title = gameOf(game)?.title ?? game
  if (crowd === 'agents') return title
  return crowd === 'people' ? `${title} with people` : `${title} at ${crowd.event}`
}
