import type { Observation } from '../../../arena/player.ts'
import { type Game, votesOf } from '../../../games/game.ts'
import { byId, turnUpdate } from './texts.ts'
import type { Agent, End, GameWords, Told } from './words.ts'

/** The words for a game that League of Agents does not have: a move is `{"move": …}`, and `extra` has what is seen. */
export const otherWords = (game: Game): GameWords => ({
  maxRounds: null,
  spectators: 'audience',

  move: ({ move }) => move,

  resolved,

  state: (observation, agents, end) => {
    const { legal, ...seen } = observation
    const round = end?.totalRounds ?? roundOf(observation)
    const scores = scoresOf(observation, agents, end)
    const extra = {
      currentRound: round,
      maxRounds: null,
      scores: byId(agents, scores),
      observation: seen,
      ...(legal && { legal }),
    }
    return { round, scores, grid: 'null', extra: JSON.stringify(extra) }
  },

  updates: (gameId, told, observation, agents, end) => {
    const moves = told.filter(({ isFall }) => !isFall)
    const isResolved =
      game.facts.turns === 'together'
        ? moves.some(({ events }) => events.length > 0)
        : moves.length > 0
    if (!isResolved) return []
    const round = Math.max(1, resolved(observation))
    const update = {
      round,
      // What an audience has voted no seat has played.
      actions: moves
        .filter(({ move }) => move === null || votesOf(move) === null)
        .map(move => [move.seat, actionOf(move)] as const),
      summary: `Round ${round}`,
      scores: scoresOf(observation, agents, end),
    }
    return [turnUpdate(gameId, agents, update)]
  },
})

/** As far as the game counts rounds in what it shows. */
const roundOf = ({ round }: Observation) => (typeof round === 'number' ? round : 1)

const resolved = (observation: Observation) =>
  observation.toMove === -1 ? roundOf(observation) : roundOf(observation) - 1

const scoresOf = (
  { scores }: Observation,
  agents: readonly Agent[],
  end: End | null,
): readonly number[] =>
  Array.isArray(scores)
    ? (scores as readonly number[])
    : agents.map(({ agentId }) => {
        const ranked = end?.rankings.find(ranked => ranked.agentId === agentId)
        return ranked?.finalScore ?? 0
      })

const actionOf = ({ move, label }: Told) => {
  if (move === null) return 'Acted'
  return `Played ${label ?? (typeof move === 'string' ? move : JSON.stringify(move))}`
}
