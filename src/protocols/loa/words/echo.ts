import { pointGame } from './point-game.ts'

interface Round {
  readonly numbers: readonly number[]
  readonly repeats: readonly boolean[]
}

export const echo = pointGame<Round>(({ numbers, repeats }) =>
  numbers.map((number, seat) => `Played ${keycap(number)}${repeats[seat] ? ' (repeat)' : ''}`),
)

const keycap = (number: number) => (number === 10 ? '🔟' : `${number}\uFE0F\u20E3`)
