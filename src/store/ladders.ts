// The ladders there are: one for each game, and beside it that of its matches with people in them.

import { gameOfLadder, peopleLadder } from '../arena/ladder.ts'
import type { Game } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import type { Rankings } from './rankings.ts'

/** A game's ladder, or that of its matches with people in them. */
export interface Ladder {
  readonly id: string
  readonly game: Game
  readonly title: string
}

export const knownLadder = (id: string): Ladder | undefined => {
  const game = gameOf(gameOfLadder(id))
  return game && { id, game, title: ladderTitle(id) }
}

/** One of each game, and those with people only where there are such matches. */
export const laddersIn = (rankings: Rankings): readonly Ladder[] =>
  games.flatMap(game => {
    const people = peopleLadder(game.id)
    return [game.id, ...(rankings.top(people, 1).length > 0 ? [people] : [])].map(id => ({
      id,
      game,
      title: ladderTitle(id),
    }))
  })

export const ladderTitle = (id: string): string => {
  const game = gameOfLadder(id)
  const title = gameOf(game)?.title ?? game
  return game === id ? title : `${title} with people`
}
