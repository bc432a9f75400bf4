import type { CatalogueGame } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import { Failure } from './command.ts'

export const knownGame = (id: string): CatalogueGame => {
  const game = gameOf(id.toLowerCase())
  if (game === undefined) throw unknownGame(id)
  return game
}

const unknownGame = (id: string): Failure =>
  new Failure(`no game is called ${id}: there are ${games.map(({ id }) => id).join(', ')}`)
