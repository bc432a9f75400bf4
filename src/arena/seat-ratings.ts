import type { Account, AccountId } from './account.ts'
import type { Ladder } from './ladder.ts'

/**
 * What each seat has now on the ladder of its match; null for a house player or a guest, which are on no ladder. Every interface
 * takes from here what it shows of a live match, so that all show the same.
 */
export const seatRatings = (
  ratings: { standing(account: AccountId, ladder: Ladder): { readonly rating: number } },
  { players, ladder }: Seated,
): readonly (number | null)[] =>
  players.map(({ account }) =>
    account.kind === 'player' ? ratings.standing(account.id, ladder).rating : null,
  )

interface Seated {
  readonly players: readonly { readonly account: Pick<Account, 'id' | 'kind'> }[]
  readonly ladder: Ladder
}
