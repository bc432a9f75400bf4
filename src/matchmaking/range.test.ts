import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import type { Game } from '../games/game.ts'

/** Every seat moves once, in turn; the last seat wins. */
const round: Game<{ readonly seats: number; readonly made: number }> = {
  id: 'round',
  title: 'Round',
  summary: 'Say go.',
  seats: { min: 2, max: 4 },
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: (_, seats) => ({ seats, made: 0 }),
  status: ({ seats, made }) =>
    made < seats
      ? { toMove: [made] }
      : {
          places: Array.from({ length: seats }, (_, seat) => (seat === seats - 1 ? 1 : 2)),
          because: 'the last word',
        },
  moves: () => ['go'],
  play: ({ seats, made }) => ({ seats, made: made + 1 }),
  view: state => ({ ...state }),
  look: () => ({}),
}
const game = round as Game

const setUp = (queueWait = 120_000) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const house = (_: Game, level: string) => () => ({
    account: { id: 900, name: `house-${level}`, kind: 'house' as const },
    terms: strictTerms,
    tell: () => {},
  })
  const arena = new TestArena({ clock, matchStore, house, queueWait, roll: () => 0 })
  const seek = (...ids: number[]) => ids.map(id => new TestPlayer(arena, id).seek({ game }))
  /** The number of players at each table, in the order in which the tables opened. */
  const sizes = () => {
    FakeClock.finishTick()
    return matchStore.matches.map(({ accounts }) => accounts.length)
  }
  return { clock, matchStore, arena, seek, sizes }
}

describe('a game with a range of seats', () => {
  it('begins at once when a table is full', () => {
    const { seek, sizes } = setUp()
    seek(1, 2, 3)
    expect(sizes()).toEqual([])
    seek(4)
    expect(sizes()).toEqual([4])
  })

  it('begins with fewer when the longest wait has lasted 10 s', async () => {
    const { clock, seek, sizes } = setUp()
    const [first] = seek(1)
    clock.pass(6_000)
    seek(2)
    clock.pass(2_000)
    seek(3)
    clock.pass(1_999)
    expect(sizes()).toEqual([])
    clock.pass(101)
    expect(sizes()).toEqual([3])
    expect(first!.seated!.accounts).toHaveLength(3)
  })

  it('does not begin with fewer than the fewest, however long one waits', () => {
    const { clock, seek, sizes } = setUp()
    const [lone] = seek(1)
    clock.pass(60_000)
    expect(sizes()).toEqual([])
    seek(2)
    expect(sizes()).toEqual([2])
    expect(lone!.seated).toBeDefined()
  })

  it('begins within a quarter of the wait where players wait for less than 40 s', () => {
    const { clock, seek, sizes } = setUp(4_000)
    seek(1, 2)
    clock.pass(999)
    expect(sizes()).toEqual([])
    clock.pass(101)
    expect(sizes()).toEqual([2])
  })

  it('is played to its end by as many as came', async () => {
    const { clock, seek, matchStore } = setUp()
    const players = seek(1, 2, 3)
    clock.pass(10_100)
    for (const { handle } of players.toSorted((a, b) => a.seated!.seat - b.seated!.seat)) {
      handle.move('go')
      FakeClock.finishTick()
    }
    await new Promise(setImmediate)
    expect(matchStore.matches[0]!.outcome).toMatchObject({ ending: 'rules', places: [2, 2, 1] })
  })

  it('is practised with the fewest players, and can be played by appointment of two', () => {
    const { arena, sizes } = setUp()
    const [a, b] = [new TestPlayer(arena, 1), new TestPlayer(arena, 2)]
    a.seek({ game, practice: 'easy' })
    a.seek({ game, opponent: 'Agent-2' })
    b.seek({ game, opponent: 'Agent-1' })
    expect(sizes()).toEqual([2, 2])
  })
})
