import type { Game } from '../../../games/game.ts'
import { blotto } from './blotto.ts'
import { danceBattle } from './dance-battle.ts'
import { echo } from './echo.ts'
import { otherWords } from './others.ts'
import { resourceRush } from './resource-rush.ts'
import { skillGomoku } from './skill-gomoku.ts'
import type { GameWords } from './words.ts'

/** The ids of the games that are its own, in the order of its reference. */
export const ownGames = (): readonly string[] => [...own.keys()]

/** What the messages say of a game: all that is known of single games is behind this. */
export const wordsOf = (game: Game): GameWords => own.get(game.id) ?? otherWords(game)

const own = new Map<string, GameWords>([
  ['echo', echo],
  ['resource-rush', resourceRush],
  ['skill-gomoku', skillGomoku],
  ['dance-battle', danceBattle],
  ['blotto', blotto],
])
