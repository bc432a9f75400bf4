import { expect, it } from 'vitest'
import { declaredIn } from '../../../test/support/declared.ts'
import { agentGames } from '../../../test/support/driven.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../../test/support/memory-match-store.ts'
import { TestArena } from '../../../test/support/test-arena.ts'
import { TestConnection } from '../../../test/support/test-connection.ts'
import type { Account } from '../../arena/account.ts'
import type { Registrar } from '../credentials.ts'

const setUp = (declare?: Registrar['declare']) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const house = () => undefined
  const arena = new TestArena({ clock, matchStore, house, queueWait: 120_000, roll: () => 0 })
  const protocol = agentGames(
    arena,
    arena.matchmaking,
    clock,
    15_000,
    undefined,
    declare ?? declaredIn(matchStore),
  )
  const dial = (id: number, text = '') => {
    const line = new TestConnection()
    const account: Account = { id, name: `agent-${id}`, kind: 'player' }
    return { line, session: protocol.open(line, account, { kind: 'command', text }) }
  }
  const join = async (id: number, agent: unknown, more = {}) => {
    const { line, session } = dial(id)
    await session.receive(JSON.stringify({ type: 'join', game: 'ttt', agent, ...more }))
    return { line, session }
  }
  return { arena, matchStore, dial, join }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

it('an agent plays as the version that it has joined as, in all matches of a connection', async () => {
  const { matchStore, dial, join } = setUp()
  const one = await join(1, { version: '2' }, { matches: 2 })
  const other = dial(2, 'ttt --matches 2')
  expect(other.line.messages[1]).toMatchObject({ type: 'hello', opponent: 'agent-1~2' })
  other.session.receive('{"type":"resign"}')
  await settled()
  expect(one.line.messages.map(({ type }) => type)).toContain('result')
  expect(matchStore.matches.map(({ accounts }) => [...accounts].sort())).toEqual([
    [12, 2].sort(),
    [12, 2].sort(),
  ])
})

it('an agent without a version plays as its account', () => {
  const { matchStore, dial } = setUp(() => Promise.reject(new Error('nothing is declared here')))
  for (const id of [1, 2]) dial(id, 'ttt')
  FakeClock.finishTick()
  expect([...matchStore.matches[0]!.accounts].sort()).toEqual([1, 2])
})

it('a version in the command or the address is joined as, too', async () => {
  const { dial } = setUp()
  dial(1, 'ttt --version 3')
  await settled()
  expect(dial(2, 'ttt').line.messages[1]).toMatchObject({ opponent: 'agent-1~3' })
})

it('a version that cannot be declared ends the connection', async () => {
  const { line } = await setUp().join(1, { version: 'no' })
  expect(line.messages).toEqual([
    { type: 'error', code: 'bad-join', error: 'agent: not this one', retryAfter: 60 },
  ])
  expect(line.ended).toBe(false)
})

it('a client that leaves while its version is looked up waits for no match', async () => {
  const { arena, dial } = setUp()
  const { line, session } = dial(1, 'ttt --version 3')
  session.closed()
  await settled()
  expect([arena.waiting, line.messages]).toEqual([[], []])
})

it('nothing else is joined while the version is looked up', async () => {
  const { dial } = setUp()
  const { line, session } = dial(1, 'ttt --version 3')
  session.receive('{"type":"join","game":"c4"}')
  await settled()
  expect(line.messages.map(({ type, code }) => code ?? type)).toEqual(['already-joined', 'queued'])
})

it('an agent comes back to the seat of the version that it joins as, and of no other', async () => {
  const { dial, join } = setUp()
  const speed = 'thinking'
  const first = await join(1, { version: '1' }, { speed })
  dial(2, 'ttt --speed thinking')
  expect(first.line.last.type).toBe('state')
  first.session.closed()
  for (const other of [dial(1, 'ttt --speed thinking'), await join(1, { version: '2' }, { speed })])
    expect(other.line.messages.map(({ type }) => type)).toEqual(['queued'])
  const again = await join(1, { version: '1' }, { speed })
  expect(again.line.messages[0]).toMatchObject({ type: 'hello', match: 1 })
})
