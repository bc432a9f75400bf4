import type { Seat } from '../../../games/game.ts'
import { byId, roundsOf, takenBy, turnUpdate } from './texts.ts'
import type { GameWords } from './words.ts'

interface Seen {
  readonly round: number
  readonly scores: readonly number[]
  readonly soldiers: number
  readonly battlefields: number
  readonly history: readonly Round[]
}

interface Round {
  readonly round: number
  readonly allocations: readonly (readonly number[])[]
  readonly fieldsWon: readonly number[]
  readonly winner: Seat | null
}

const maxRounds = 5

export const blotto: GameWords = {
  maxRounds,
  spectators: 'audience',

  move: move => move,

  resolved: observation => (observation as unknown as Seen).history.length,

  state: (observation, agents, end) => {
    const seen = observation as unknown as Seen
    const { scores, soldiers, battlefields } = seen
    const round = end?.totalRounds ?? seen.round
    const history = seen.history.map(({ round, allocations, fieldsWon, winner }) => ({
      round,
      allocations: byId(agents, allocations),
      fieldsWon: byId(agents, fieldsWon),
      winner: winner === null ? null : agents[winner]!.agentId,
    }))
    const extra = {
      currentRound: round,
      maxRounds,
      scores: byId(agents, scores),
      soldiers,
      battlefields,
      history,
    }
    return { round, scores, grid: 'null', extra: JSON.stringify(extra) }
  },

  updates: (gameId, told, _observation, agents) =>
    roundsOf<Round & { readonly scores: readonly number[] }>(told).map(
      ({ round, allocations, winner, scores }) =>
        turnUpdate(gameId, agents, {
          round,
          actions: allocations.map((allocation, seat) => [
            seat,
            `Deployed ${allocation.join('-')}`,
          ]),
          summary: takenBy(round, winner, agents),
          scores,
        }),
    ),
}
