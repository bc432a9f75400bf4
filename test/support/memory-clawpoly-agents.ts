import type { Account } from '../../src/arena/account.ts'
import type {
  AgentPage,
  ClawpolyStore,
  NewAgent,
  RankedAgent,
} from '../../src/protocols/clawpoly/agents.ts'

/** The agents of Clawpoly in memory. */
export class MemoryClawpolyAgents implements ClawpolyStore {
  readonly #agents = new Map<string, RankedAgent>()

  async keep({ id, account, name, description }: NewAgent): Promise<boolean> {
    if (this.#agents.has(id)) return false
    this.add({ id: account, name, kind: 'player' }, id, description)
    return true
  }

  add(account: Account, id: string, description = ''): void {
    const stats = { gamesPlayed: 0, wins: 0, elo: 1200 }
    const { name } = account
    this.#agents.set(id, { id, account, name, description, isGuarded: false, stats })
  }

  async guard(id: string): Promise<void> {
    const agent = this.#agents.get(id)
    if (agent !== undefined) this.#agents.set(id, { ...agent, isGuarded: true })
  }

  async find(id: string): Promise<RankedAgent | undefined> {
    return this.#agents.get(id)
  }

  async page(offset: number, limit: number): Promise<AgentPage> {
    const all = [...this.#agents.values()]
    return { agents: all.slice(offset, offset + limit), total: all.length }
  }

  async leaders(limit: number): Promise<readonly RankedAgent[]> {
    return [...this.#agents.values()].slice(0, limit)
  }
}
