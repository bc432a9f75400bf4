import type { Seat } from '../games/game.ts'
import type { Account, AccountId } from './account.ts'

/**
 * The accounts of seats that have none of their own: all guests in seat 0 share the first one, those in seat 1 the second, and
 * so on. Migration 0022 has made them. They log in nowhere, and have no ratings. No other account has a number below 0 or a
 * name with a colon.
 */
export const guests: readonly Account[] = Array.from({ length: 6 }, (_, seat) => ({
  id: -1 - seat,
  name: `guest:${seat}`,
  kind: 'guest',
}))

export const isGuest = ({ kind }: Pick<Account, 'kind'>): boolean => kind === 'guest'

export const isGuestId = (account: AccountId): boolean => account < 0

/** The name of an account as it is kept and sealed, whatever name it is shown by in a match. */
export const keptName = ({
  account,
  name,
}: {
  readonly account: AccountId
  readonly name: string
}) => guests.find(({ id }) => id === account)?.name ?? name

/**
 * The seats without those of guests. To ratings, strengths and meetings a match is one among these alone: the first of them
 * stands for seat 0.
 */
export const countedSeats = (accounts: readonly AccountId[]): readonly Seat[] =>
  accounts.flatMap((account, seat) => (isGuestId(account) ? [] : [seat]))

/** What is kept by seat, for these seats alone. */
export const ofSeats = <T>(all: readonly T[], seats: readonly Seat[]): readonly T[] =>
  seats.length === all.length ? all : seats.map(seat => all[seat]!)

/** The places of these seats among themselves. */
export const placesAmong = (
  places: readonly number[],
  seats: readonly Seat[],
): readonly number[] => {
  const own = ofSeats(places, seats)
  if (own === places) return places
  return own.map(place => 1 + own.filter(other => other < place).length)
}

/** Whether so few count that a match says nothing of them: it is one as against the house. */
export const areTooFew = (counted: readonly unknown[]): boolean => counted.length < 2
