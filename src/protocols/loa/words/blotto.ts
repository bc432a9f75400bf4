import type { Seat } from '../../../games/game.ts'
import { pointGame, type Seen } from './point-game.ts'
import { byId } from './texts.ts'

interface Battle extends Seen {
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

export const blotto = pointGame<Round>(
  ({ allocations }) => allocations.map(allocation => `Deployed ${allocation.join('-')}`),
  (seen, agents) => {
    const { soldiers, battlefields, history } = seen as Battle
    return {
      soldiers,
      battlefields,
      history: history.map(({ round, allocations, fieldsWon, winner }) => ({
        round,
        allocations: byId(agents, allocations),
        fieldsWon: byId(agents, fieldsWon),
        winner: winner === null ? null : agents[winner]!.agentId,
      })),
    }
  },
)
