import { type Game, seatRange } from '../src/games/game.ts'

/** How many play a game in benchmarks: as many as can, but at most four, the usual table of Clawpoly. */
export const usualSeats = (game: Game): number => Math.min(seatRange(game).max, 4)
