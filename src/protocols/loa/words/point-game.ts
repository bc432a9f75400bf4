import type { Seat } from '../../../games/game.ts'
import { byId, roundsOf, turnUpdate } from './texts.ts'
import type { Agent, GameWords } from './words.ts'

/** What echo and blotto show alike. */
export interface Seen {
  readonly round: number
  readonly scores: readonly number[]
  readonly history: readonly unknown[]
}

/** What they tell of a round alike. */
interface Taken {
  readonly round: number
  readonly winner: Seat | null
  readonly scores: readonly number[]
}

const maxRounds = 5

/** The words of a game of five rounds in which both move at once, and one may take a point. */
export const pointGame = <Round>(
  /** What each seat did, by seat. */
  actionsOf: (round: Round) => readonly string[],
  /** What `extra` has besides the scores. */
  moreOf: (seen: Seen, agents: readonly Agent[]) => object = () => ({}),
): GameWords => ({
  maxRounds,
  spectators: 'audience',

  move: move => move,

  resolved: observation => (observation as unknown as Seen).history.length,

  state: (observation, agents, end) => {
    const seen = observation as unknown as Seen
    const { scores } = seen
    const round = end?.totalRounds ?? seen.round
    const extra = {
      currentRound: round,
      maxRounds,
      scores: byId(agents, scores),
      ...moreOf(seen, agents),
    }
    return { round, scores, grid: 'null', extra: JSON.stringify(extra) }
  },

  updates: (gameId, told, _observation, agents) =>
    roundsOf<Round & Taken>(told).map(taken => {
      const { round, winner, scores } = taken
      const taker = winner === null ? 'Tie!' : `${agents[winner]!.agentName} wins!`
      return turnUpdate(gameId, agents, {
        round,
        actions: actionsOf(taken).map((action, seat) => [seat, action]),
        summary: `Round ${round}: ${taker}`,
        scores,
      })
    }),
})
