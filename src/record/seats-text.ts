import { type Game, seatRange } from '../games/game.ts'

/** How many seats a game has, as in `2` or `2–6`. */
export const seatsText = (game: Pick<Game, 'seats'>): string => {
  const { min, max } = seatRange(game)
  return min === max ? String(min) : `${min}–${max}`
}
