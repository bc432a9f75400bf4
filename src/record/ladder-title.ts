import type { Ladder } from '../arena/ladder.ts'
import { gameOf } from '../games/index.ts'

export const ladderTitle = ({ game, crowd, variant }: Ladder): string => {
  const title = gameOf(game)?.title ?? game
  if (crowd === 'people') return `${title} with people`
  if (crowd !== 'agents') return `${title} at ${crowd.event}`
  const { speed, listing } = variant
  return [
    title,
    ...(speed === 'fast' ? [] : [speed]),
    ...(listing === 'open' ? [] : [listing]),
  ].join(', ')
}
