import type { Account, AccountId } from './account.ts'

/**
 * The accounts of seats that have none of their own: all guests in seat 0 share the first one, those in seat 1 the second, and
 * so on. Migration 0022 has made them. They log in nowhere, and no rating belongs to them. No account can be given such a
 * name or such a number.
 */
export const guests: readonly Account[] = Array.from({ length: 6 }, (_, seat) => ({
  id: -1 - seat,
  name: `guest:${seat}`,
  kind: 'guest',
}))

/** The name of an account as it is kept and sealed, whatever name it is shown by in a match. */
export const keptName = ({
  account,
  name,
}: {
  readonly account: AccountId
  readonly name: string
}) => guests.find(({ id }) => id === account)?.name ?? name

export const isGuest = ({ kind }: Pick<Account, 'kind'>): boolean => kind === 'guest'
