import type { Seat } from '../../../games/game.ts'
import { byId, roundsOf, takenBy, turnUpdate } from './texts.ts'
import type { GameWords } from './words.ts'

interface Seen {
  readonly round: number
  readonly scores: readonly number[]
  readonly history: readonly unknown[]
}

interface Round {
  readonly round: number
  readonly numbers: readonly number[]
  readonly repeats: readonly boolean[]
  readonly winner: Seat | null
  readonly scores: readonly number[]
}

const maxRounds = 5

export const echo: GameWords = {
  maxRounds,
  spectators: 'audience',

  move: move => move,

  resolved: observation => (observation as unknown as Seen).history.length,

  state: (observation, agents, end) => {
    const { round: open, scores } = observation as unknown as Seen
    const round = end?.totalRounds ?? open
    const extra = { currentRound: round, maxRounds, scores: byId(agents, scores) }
    return { round, scores, grid: 'null', extra: JSON.stringify(extra) }
  },

  updates: (gameId, told, _observation, agents) =>
    roundsOf<Round>(told).map(({ round, numbers, repeats, winner, scores }) =>
      turnUpdate(gameId, agents, {
        round,
        actions: numbers.map((number, seat) => [
          seat,
          `Played ${keycap(number)}${repeats[seat] ? ' (repeat)' : ''}`,
        ]),
        summary: takenBy(round, winner, agents),
        scores,
      }),
    ),
}

const keycap = (number: number) => (number === 10 ? '🔟' : `${number}\uFE0F\u20E3`)
