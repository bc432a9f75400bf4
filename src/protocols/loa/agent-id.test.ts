import { expect, it } from 'vitest'
import { agentIdOf } from './agent-id.ts'

const account = (id: number) => ({ id, name: 'Nova', kind: 'player' }) as const

it('an account has one id for ever', () => {
  expect(agentIdOf(account(1))).toBe('6ab3311b-fe7c-82d9-b098-e661558a14c2')
  expect(agentIdOf({ ...account(1), name: 'Pike' })).toBe(agentIdOf(account(1)))
})

it('an id is a UUID of version 8, and no two accounts have the same', () => {
  const ids = Array.from({ length: 1000 }, (_, n) => agentIdOf(account(n)))
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
})
