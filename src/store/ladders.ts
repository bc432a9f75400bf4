// The ladders: one for each game, and one for the matches of a game that people play in.

import { gameOfLadder, peopleLadder } from '../arena/ladder.ts'
import type { Game } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import type { Rankings } from './rankings.ts'

/** The ladder of a game, or that of its matches with people. */
export interface Ladder {
  readonly id: string
  readonly game: Game
  readonly title: string
}

export const knownLadder = (id: string): Ladder | undefined => {
  const game = gameOf(gameOfLadder(id))
  return game && { id, game, title: ladderTitle(id) }
}

/** The ladder of each game, and that with people if such matches were played. */
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
