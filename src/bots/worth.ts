import type { Final, Seat } from '../games/game.ts'

/** What an ending is worth to a seat: 1 for leaving everybody behind, −1 for being behind everybody. */
export const worth = ({ places }: Final, seat: Seat): number => {
  const own = places[seat]!
  const behind = places.filter(place => place > own).length
  const ahead = places.filter(place => place < own).length
  return (behind - ahead) / (places.length - 1)
}
