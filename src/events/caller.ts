import type { AccountId } from '../arena/account.ts'
import type { Player } from '../arena/player.ts'
import type { EventState } from './state.ts'

/** A protocol that calls its players for their boards, in place of players that wait for them. */
export interface Caller {
  /** The id of the protocol. */
  readonly protocol: string
  /** The player for a seat of this board; undefined where this account is none of the protocol's players. */
  playerFor(state: EventState, round: number, board: number, account: AccountId): Player | undefined
  /** Whether this board is held by a referee from elsewhere: then its results come by `Director.report`. */
  takes(state: EventState, round: number, board: number): boolean
}
