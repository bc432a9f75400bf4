import type { Seat, Setup } from '../games/game.ts'
import { cut, unbroken } from '../games/words.ts'
import type { Account } from './account.ts'
import { isGuest } from './guests.ts'
import { isSpeed, type Speed } from './pace.ts'

/** What the setup of a match says of the table that its players set up, in its field `table`. No game reads it. */
export type TableSetup = {
  /** The id of the table. */
  readonly id: string
  /** What players type to sit down. */
  readonly code: string
  readonly name: string
  readonly speed: Speed
  /** By seat: what a guest calls itself; null for a seat with an account. */
  readonly guests: readonly (string | null)[]
}

/** The table at which a match was opened; null for one that was opened at none. */
export const tableSetupOf = (setup: Setup | null): TableSetup | null => {
  const table = setup?.table
  if (typeof table !== 'object' || table === null || !('guests' in table)) return null
  const { id, code, name, speed, guests } = table
  if (typeof id !== 'string' || typeof code !== 'string' || typeof name !== 'string') return null
  if (!isSpeed(speed) || !Array.isArray(guests) || !guests.every(isNameOrNull)) return null
  return { id, code, name, speed, guests }
}

const isNameOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'

/**
 * The accounts of a match with the names by which they are shown: a guest by what it calls itself, with a mark that no account
 * can have in its name.
 */
export const shownAccounts = <A extends Pick<Account, 'name' | 'kind'>>(
  accounts: readonly A[],
  setup: Setup | null,
): readonly A[] => {
  if (!accounts.some(isGuest)) return accounts
  const table = tableSetupOf(setup)
  return accounts.map((account, seat) =>
    isGuest(account) ? { ...account, name: guestText(table?.guests[seat] ?? '', seat) } : account,
  )
}

/** What a guest is called that calls itself so. */
export const guestText = (called: string, seat: Seat): string => {
  const name = cut(unbroken(called).trim(), longest)
  return name === '' ? `guest in seat ${seat}` : `${name} (guest)`
}

/** In characters, as the name of an account. */
const longest = 32
