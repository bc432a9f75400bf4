import type { Game } from '../games/game.ts'

/** How strong a house player is: how many nodes it may try in thought for one move, the same on every machine. */
export interface Level {
  readonly name: string
  readonly nodes: number
}

/** The levels of a game, weakest first. docs/games.md has what they are worth. */
export const levelsOf = ({ id }: Game): readonly Level[] =>
  (nodesByGame[id] ?? usual).map((nodes, i) => ({ name: `level-${i + 1}`, nodes }))

export const levelNames = (game: Game): readonly string[] => levelsOf(game).map(({ name }) => name)

/** By its name, its number, or one of the words that are the same in every game. */
export const levelNamed = (game: Game, name: string): Level | undefined => {
  const levels = levelsOf(game)
  const word = words.get(name.toLowerCase())
  if (word !== undefined) return levels[Math.min(word, levels.length) - 1]
  return levels[Number(/^(?:level-)?(\d)$/i.exec(name)?.[1]) - 1]
}

/** Which level a word means, or the best one where there are fewer. */
const words = new Map([
  ['default', 1],
  ['easy', 1],
  ['steady', 2],
  ['hard', 4],
])

const usual = [10, 50, 500, 5_000, 20_000]

/** A level that does not beat the one below it is left out. The best takes about 1 s of a core for a move at most. */
const nodesByGame: Readonly<Record<string, readonly number[]>> = {
  ttt: [10, 50, 500],
  // Playouts.
  go9: [10, 50, 300, 2_000, 10_000],
  go13: [10, 50, 300, 1_500, 5_000],
  go19: [10, 50, 200, 800, 2_000],
  // Fewer than there are cells, and that many are looked at, no move ahead of any.
  gomoku: [10, 25, 60, 150, 20_000],
  // Playouts by chance, which say little where they are few.
  echo: [10, 100, 1_000],
  blotto: [1_000],
  'skill-gomoku': [100, 300, 1_000],
  'dance-battle': [1_000, 5_000],
  // Where there are secrets, so many moves are compared.
  'resource-rush': [2, 5, 15, 40],
  bazaar: [2, 40],
  // The calls are as good as each other.
  'even-odd': [10],
}
