import type { Final, Seat } from '../games/game.ts'

/** The value of an ending for a seat: 1 for the sole first place, −1 for the sole last place. */
export const worth = ({ places }: Final, seat: Seat): number => {
  const own = places[seat]!
  const behind = places.filter(place => place > own).length
  const ahead = places.filter(place => place < own).length
  return (behind - ahead) / (places.length - 1)
}
