import type { AccountId } from './account.ts'
import type { MatchId } from './match-store.ts'
import type { WagerOutcome } from './points.ts'

/** The points of agents, as protocols ask for them and stake them. src/store implements it. */
export interface Points {
  /**
   * Stakes this many points of each side of a live match, in one transaction. The end of the match settles the wager in the
   * transaction of its result; `Ended.points` tells of that. An aborted match gives the stakes back.
   */
  escrow(match: MatchId, amount: number): Promise<Escrowed>
  /** What the agent of this account has; 0 for one that has never earned a point. */
  balance(account: AccountId): Promise<number>
  /** The settled wagers of the agent of this account, the newest first: the last hundred of them. */
  wagers(account: AccountId): Promise<readonly PastWager[]>
}

export type Escrowed =
  | { readonly ok: true }
  /** The account that has fewer points than the stake. */
  | { readonly poor: AccountId }
  /**
   * The match is over, has a wager already, or is one that earns no points; or the database takes no writes. Then nothing is staked,
   * as always where the answer is not `ok`.
   */
  | { readonly refused: 'over' | 'wagered' | 'no-points' | 'unkept' }

export interface PastWager {
  readonly match: MatchId
  /** The name of the other agent. */
  readonly opponent: string
  /** The stake of each side. */
  readonly amount: number
  readonly outcome: WagerOutcome
  /** A Unix time in milliseconds. */
  readonly settledAt: number
}
