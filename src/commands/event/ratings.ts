import { agentsLadder } from '../../arena/ladder.ts'
import type { EventPlan } from '../../events/plan.ts'
import type { Entrant } from '../../events/state.ts'
import type { Tables } from '../../store/store.ts'

/** The ratings on the ladder of an event, by which its entrants are seeded. */
export const ratingIn =
  ({ ratings }: Tables, { game, variant }: EventPlan) =>
  ({ account }: Pick<Entrant, 'account'>): number =>
    ratings.standing(account, agentsLadder(game, variant)).rating
