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
 * The name by which a player of a match is shown: that of its account, or what a guest calls itself, with a mark that no
 * account can have in its name.
 */
export const shownName = (
  { name, kind }: Pick<Account, 'name' | 'kind'>,
  setup: Setup | null,
  seat: Seat,
): string => {
  if (!isGuest({ kind })) return name
  const called = tableSetupOf(setup)?.guests[seat] ?? null
  const own = called === null ? '' : cut(unbroken(called).trim(), longest)
  return own === '' ? `guest in seat ${seat}` : `${own} (guest)`
}

/** In characters, as the name of an account. */
const longest = 32

/** The same for all players, by seat. */
export const shownNames = (
  accounts: readonly Pick<Account, 'name' | 'kind'>[],
  setup: Setup | null,
): readonly string[] => accounts.map((account, seat) => shownName(account, setup, seat))
