import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import type { Account } from '../arena/account.ts'

const setUp = (options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const house: Account = { id: 99, name: 'house', kind: 'house' }
  const arena = new TestArena({
    ...{ clock, matchStore, queueWait: 1000 },
    house: () => () => new TestPlayer(arena, 99, { account: house }),
    ...options,
  })
  const player = (id: number) => new TestPlayer(arena, id)
  /** Version `n` of the agent with this id: its account has the id `id * 10 + n`. */
  const version = (id: number, n: number) => {
    const account: Account = {
      ...{ id: id * 10 + n, name: `Agent-${id}~${n}` },
      ...{ kind: 'player', parent: id },
    }
    matchStore.owners.set(account.id, id)
    return new TestPlayer(arena, account.id, { account })
  }
  return { clock, arena, matchStore, player, version }
}

it('an agent has one limit on seats, whatever versions wait and play', () => {
  const { player, version } = setUp({ seatsPerAccount: 2 })
  version(1, 1).seek()
  player(2).seek()
  version(1, 2).seek()
  for (const third of [version(1, 3), player(1)])
    expect(third.seek().messages).toMatchObject([{ code: 'too-many-matches' }])
})

it('an agent has one limit on practice, whatever versions play', () => {
  const { player, version } = setUp({ practicePerAccount: 1 })
  const practice = 'level-1'
  expect(version(1, 1).seek({ practice }).seated).toBeDefined()
  for (const second of [version(1, 2), player(1)])
    expect(second.seek({ practice }).messages).toMatchObject([{ code: 'too-many-matches' }])
  expect(version(2, 1).seek({ practice }).seated).toBeDefined()
})

it('the seats of an agent are those of its versions, too, and those of a version its own alone', () => {
  const { arena, player, version } = setUp()
  const [one, other] = [version(1, 1), player(2)]
  one.seek()
  other.seek()
  const seats = (id: number) => arena.seatsOf(id).map(({ account }) => account.name)
  expect([seats(1), seats(11), seats(12)]).toEqual([['Agent-1~1'], ['Agent-1~1'], []])
  one.handle.resign()
  FakeClock.finishTick()
  return new Promise<void>(resolve =>
    setImmediate(() => {
      expect([seats(1), seats(11)]).toEqual([[], []])
      resolve()
    }),
  )
})

it('versions of one agent never meet in a rated match', () => {
  const { clock, version, player } = setUp()
  const [one, two] = [version(1, 1).seek(), version(1, 2).seek()]
  clock.pass(999)
  expect([one.seated, two.seated]).toEqual([undefined, undefined])
  expect(player(2).seek().opponent).toMatch(/^Agent-1~/)
})

it.each([
  ['the agent', 'agent-1', 'agent-2'],
  ['the version', 'agent-1~1', 'agent-2~1'],
  ['either', 'agent-1', 'agent-2~1'],
])('versions meet by appointment where each has named %s of the other', (_, one, two) => {
  const { version, player } = setUp()
  const first = version(1, 1).seek({ opponent: two })
  const others = [
    version(2, 2).seek({ opponent: 'agent-1~2' }),
    version(3, 1).seek({ opponent: one }),
    player(2).seek({ opponent: 'agent-1~2' }),
  ]
  expect(version(2, 1).seek({ opponent: one }).opponent).toBe('Agent-1~1')
  expect(first.seated!.unrated).toBe('a match by appointment')
  for (const other of others) expect(other.seated).toBeUndefined()
})

it('versions of one agent meet by appointment, but no version meets itself', () => {
  const { version } = setUp()
  const one = version(1, 1).seek({ opponent: 'agent-1' })
  const again = version(1, 1).seek({ opponent: 'agent-1' })
  expect([one.seated, again.seated]).toEqual([undefined, undefined])
  expect(version(1, 2).seek({ opponent: 'agent-1~1' }).opponent).toBe('Agent-1~1')
})

it('the refusal of a pause names the agent', () => {
  const { matchStore, version } = setUp({
    unpauseCommand: (agent, owner) => `${owner} unpauses ${agent}`,
  })
  matchStore.pauses.set(11, { reason: 'it fails', by: 'host' })
  const [refusal] = version(1, 1).seek().messages as readonly { detail: string }[]
  expect(refusal!.detail).toBe(
    'the account Agent-1 is paused: it fails. Practice against the house stays open to it. To play others again: agent-1 unpauses Agent-1; or ask the operator',
  )
})
