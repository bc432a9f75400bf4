import type { Registrar } from '../../src/protocols/credentials.ts'
import type { MemoryMatchStore } from './memory-match-store.ts'

/** Version `n` of an agent has the account with the id of the agent, times ten, plus `n`. Version `no` is refused. */
export const declaredIn =
  ({ owners }: MemoryMatchStore): Registrar['declare'] =>
  async (agent, { version }) => {
    if (version === 'no') return { detail: 'not this one', retryAfter: 60 }
    const id = agent.id * 10 + Number(version)
    owners.set(id, agent.id)
    return { id, name: `${agent.name}~${version}`, kind: 'player', parent: agent.id }
  }
