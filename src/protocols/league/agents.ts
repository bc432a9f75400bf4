// What the store keeps of the servers that have registered.

import type { Account } from '../../arena/account.ts'

/** A player or a referee of a league, which is a server at an endpoint. */
export interface LeagueAgent {
  /** The event; or `queue` for a player that waits in the ordinary queue. */
  readonly league: string
  /** Such as `P01` or `REF01`. */
  readonly id: string
  /** Null for a referee. */
  readonly account: Account | null
  /** The URL that it is called at, as it has given it. */
  readonly endpoint: string
  /** The name that it has given. */
  readonly name: string
  /** The `game_types` that it has given. */
  readonly games: readonly string[]
  /** How many matches a referee holds at once; 1 for a player. */
  readonly concurrent: number
  /** SHA-256 of its token, in hex. */
  readonly token: string
}

export interface LeagueStore {
  /** Those of the ordinary queue, and of leagues that are not over. */
  liveAgents(): Promise<readonly LeagueAgent[]>
  /** In place of one with this id. */
  keepAgent(agent: LeagueAgent): Promise<unknown>
  removeAgent(league: string, id: string): Promise<unknown>
  /** The account that a player of this name has had at this endpoint, in whatever league. */
  accountAt(endpoint: string, name: string): Promise<Account | undefined>
}
