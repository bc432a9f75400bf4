import type { Game } from '../games/game.ts'

/** The strength of a house player: how many nodes it may search for one move. It is the same on every machine. */
export interface Level {
  readonly name: string
  readonly nodes: number
}

/** The levels of a game, weakest first. docs/games.md lists their strength. */
export const levelsOf = ({ id }: Game): readonly Level[] =>
  (nodesByGame[id] ?? defaultNodes).map((nodes, i) => ({ name: `level-${i + 1}`, nodes }))

export const levelNames = (game: Game): readonly string[] => levelsOf(game).map(({ name }) => name)

/** Finds a level by its name, its number, or one of the words that every game has. */
export const levelNamed = (game: Game, name: string): Level | undefined => {
  const levels = levelsOf(game)
  const word = words.get(name.toLowerCase())
  if (word !== undefined) return levels[Math.min(word, levels.length) - 1]
  return levels[Number(/^(?:level-)?(\d)$/i.exec(name)?.[1]) - 1]
}

/** The level that a word means. A game with fewer levels takes its best one. */
const words = new Map([
  ['default', 1],
  ['easy', 1],
  ['steady', 2],
  ['hard', 4],
])

const defaultNodes = [10, 50, 500, 5_000, 20_000]

/** Levels that do not beat the one below are left out. The best level takes about 1 s of one core for a move at most. */
const nodesByGame: Readonly<Record<string, readonly number[]>> = {
  ttt: [10, 50, 500],
  // Playouts.
  go9: [10, 50, 300, 2_000, 10_000],
  go13: [10, 50, 300, 1_500, 5_000],
  go19: [10, 50, 200, 800, 2_000],
  // With fewer nodes than cells, only that many cells are judged, without a search.
  gomoku: [10, 25, 60, 150, 20_000],
  // Random playouts, which say little when there are few of them.
  echo: [10, 100, 1_000],
  blotto: [1_000],
  'skill-gomoku': [100, 300, 1_000],
  'dance-battle': [1_000, 5_000],
  // Games with secrets: the number of moves that are compared.
  'resource-rush': [2, 5, 15, 40],
  bazaar: [2, 40],
  // All calls are equally good.
  'even-odd': [10],
  // Templates, from level 2 on with an answer to the last message.
  debate: [1, 2],
  'spicy-debate': [1, 2],
  // The plain player, and the one that trades.
  clawpoly: [1, 2],
}
