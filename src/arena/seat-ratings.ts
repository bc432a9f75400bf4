import type { MatchStore } from './match-store.ts'
import type { Deal } from './table.ts'

/**
 * What each seat has now on the ladder of its match; null for a house player, which is on no ladder. Every interface
 * takes from here what it shows of a live match, so that all show the same.
 */
export const seatRatings = (
  matchStore: Pick<MatchStore, 'standing'>,
  { players, ladder }: Pick<Deal, 'players' | 'ladder'>,
): readonly (number | null)[] =>
  players.map(({ account }) =>
    account.kind === 'house' ? null : matchStore.standing(account.id, ladder).rating,
  )
