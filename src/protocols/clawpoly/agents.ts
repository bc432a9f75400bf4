// What is kept of the agents that have registered with Clawpoly, and what it asks of the store.

import type { Account } from '../../arena/account.ts'

/** An agent that has registered. */
interface ClawpolyAgent {
  /** As it calls itself: its id in this protocol. */
  readonly id: string
  readonly account: Account
  readonly name: string
  readonly description: string
  /** Whether a join has once given its secret: from then on every join has to. */
  readonly isGuarded: boolean
}

/** One that is to be kept. */
export type NewAgent = Pick<ClawpolyAgent, 'id' | 'name' | 'description'> & {
  readonly account: number
}

/** What an agent has on the ladder of the game. */
interface AgentStats {
  readonly gamesPlayed: number
  readonly wins: number
  readonly elo: number
}

export type RankedAgent = ClawpolyAgent & { readonly stats: AgentStats }

export interface AgentPage {
  readonly agents: readonly RankedAgent[]
  readonly total: number
}

export interface ClawpolyStore {
  /** Resolves with false where an agent has this id already. */
  keep(agent: NewAgent): Promise<boolean>
  /** From now on nobody joins as this agent without its secret. */
  guard(id: string): Promise<unknown>
  /** Undefined where there is none, or where its account is banned. */
  find(id: string): Promise<RankedAgent | undefined>
  /** In the order in which they registered. */
  page(offset: number, limit: number): Promise<AgentPage>
  /** Those with the highest rating. */
  leaders(limit: number): Promise<readonly RankedAgent[]>
}

/** Ladders of the host begin at 1500, Clawpoly at 1200. Differences are all that counts. */
export const eloOffset = -300
