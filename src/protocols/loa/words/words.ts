import type { Observation } from '../../../arena/player.ts'
import type { GameEvent, Json, Seat } from '../../../games/game.ts'

/** A player as its messages name it. Lists of agents are by seat. */
export interface Agent {
  readonly agentId: string
  readonly agentName: string
}

/** How a match ended, for the words that tell of it. */
export interface End {
  readonly reason?: 'timeout' | 'error'
  readonly draw: boolean
  readonly totalRounds: number
  /** From the first to the last. */
  readonly rankings: readonly (Agent & { readonly finalScore: number })[]
}

/** A move or a fall that was told since the last board. */
export interface Told {
  readonly seat: Seat
  /** Null where it may not be seen, and for a fall. */
  readonly move: Json | null
  /** The move as people write it, where that differs. */
  readonly label?: string | undefined
  readonly isFall: boolean
  /** What it caused, as far as this viewer may know of it. */
  readonly events: readonly GameEvent[]
}

/** What a game_state says of the game. Texts are JSON. */
export interface StateWords {
  /** The one being played, counted from 1; once the match is over, the last one resolved. */
  readonly round: number
  /** By seat. */
  readonly scores: readonly number[]
  /** `null` where there is none. */
  readonly grid: string
  readonly extra: string
  readonly publicState?: string
}

/** What the messages of League of Agents say of one game. Each observation is the recipient's own. */
export interface GameWords {
  /** Null for games that League of Agents does not have. */
  readonly maxRounds: number | null
  /** As whom the spectators of a live match see it. */
  readonly spectators: 'audience' | 'replay'
  /** The move in a submit_move as the game takes it; undefined where there is none. */
  move(move: { readonly [field: string]: Json | undefined }): Json | undefined
  /** How many rounds are resolved: in skill-gomoku moves, in resource-rush ticks. */
  resolved(observation: Observation): number
  state(observation: Observation, agents: readonly Agent[], end: End | null): StateWords
  /**
   * The skill_effect and turn_update messages, in order, of what was told before this board; none where no round was
   * resolved.
   */
  updates(
    gameId: string,
    told: readonly Told[],
    observation: Observation,
    agents: readonly Agent[],
    end: End | null,
  ): readonly string[]
}
