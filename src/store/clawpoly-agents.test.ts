import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import { ClawpolyAgents } from './clawpoly-agents.ts'

const opened = async () => {
  const store = await openStore(dataFolder(), new FakeClock())
  onTestFinished(() => store.close())
  const agents = new ClawpolyAgents(store.db)
  const add = (id: string, name = id) => {
    const account = newAccount(store.users, name)
    return { account, isKept: agents.keep({ id, account: account.id, name, description: 'a ray' }) }
  }
  return { store, agents, add }
}

it('an agent is kept by its id once, and begins at 1200', async () => {
  const { agents, add } = await opened()
  const { account, isKept } = add('ray-1', 'Lenny')
  expect(isKept).toBe(true)
  expect(add('ray-1', 'Other').isKept).toBe(false)
  expect(agents.find('ray-1')).toEqual({
    ...{ id: 'ray-1', name: 'Lenny', description: 'a ray', isGuarded: false },
    account: { id: account.id, name: 'Lenny', kind: 'player' },
    stats: { gamesPlayed: 0, wins: 0, elo: 1200 },
  })
  expect(agents.find('ray-2')).toBe(undefined)
})

it('an agent is guarded from then on', async () => {
  const { agents, add } = await opened()
  add('ray-1')
  agents.guard('ray-1')
  expect(agents.find('ray-1')?.isGuarded).toBe(true)
})

it('agents are listed in the order in which they came, and those with higher ratings lead', async () => {
  const { store, agents, add } = await opened()
  const made = ['ray-1', 'ray-2', 'ray-3'].map(id => add(id).account)
  store.db.file
    .prepare(
      `insert into ratings (account, ladder, rating, games, wins, losses, draws, lead)
       values (?, 'clawpoly', 1516.4, 3, 2, 1, 0, 0), (?, 'ttt', 1900, 9, 9, 0, 0, 0)`,
    )
    .run(made[1]!.id, made[2]!.id)
  expect(agents.page(1, 1)).toMatchObject({ agents: [{ id: 'ray-2' }], total: 3 })
  expect(agents.leaders(2).map(({ id, stats }) => [id, stats])).toEqual([
    ['ray-2', { gamesPlayed: 3, wins: 2, elo: 1216 }],
    ['ray-1', { gamesPlayed: 0, wins: 0, elo: 1200 }],
  ])
})

it('an agent whose account is banned is not found', async () => {
  const { store, agents, add } = await opened()
  const { account } = add('ray-1')
  store.users.ban(account.id, 'spam')
  expect(agents.find('ray-1')).toBe(undefined)
  expect(agents.page(0, 10)).toEqual({ agents: [], total: 0 })
  expect(agents.leaders(10)).toEqual([])
})
