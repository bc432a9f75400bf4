import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { gameOf } from '../games/index.ts'
import { openingsOf } from '../games/openings.ts'

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const house = () => undefined
  let rolls = 0
  const roll = (n: number) => rolls++ % n
  const arena = new TestArena({ clock, matchStore, house, queueWait: 120_000, roll })
  /** Two players meet. Answers with the opening of their match, and who has which seat. */
  const meet = (game: string, asks: readonly [boolean, boolean], ids = [1, 2]) => {
    const players = ids.map((id, i) =>
      new TestPlayer(arena, id).seek({ game: gameOf(game)!, openings: asks[i]! }),
    )
    // Those that have just met wait for others before they meet again.
    clock.pass(60_000)
    const { match } = players[0]!.seated!
    const { deal } = arena.tables.get(match)!
    const seats = deal.players.map(({ account }) => account.id)
    for (const player of players) player.seated!.handle.resign()
    return { opening: deal.setup?.opening, seats }
  }
  return { meet }
}

describe('two players that both ask for openings', () => {
  it('get two matches from the same one, the second with exchanged seats, and then another one', () => {
    const { meet } = setUp()
    for (let n = 0; n < 5; n++) {
      const [first, second] = [meet('c4', [true, true]), meet('c4', [true, true])]
      expect(openingsOf('c4')).toContainEqual(first.opening)
      expect(second.opening).toEqual(first.opening)
      expect(second.seats).toEqual(first.seats.toReversed())
    }
  })

  it('play the whole suite before an opening comes again', () => {
    const { meet } = setUp()
    const suite = openingsOf('c4')
    const played = suite.map(() => {
      meet('c4', [true, true])
      return JSON.stringify(meet('c4', [true, true]).opening)
    })
    expect(new Set(played).size).toBe(suite.length)
  })

  it('have their own pairs of matches, whoever else plays between', () => {
    const { meet } = setUp()
    const first = meet('c4', [true, true])
    const other = meet('c4', [true, true], [1, 3])
    const second = meet('c4', [true, true])
    expect(second).toEqual({ opening: first.opening, seats: first.seats.toReversed() })
    expect(meet('c4', [true, true], [3, 1])).toEqual({
      opening: other.opening,
      seats: other.seats.toReversed(),
    })
  })
})

it.each([
  ['only one of them asks', 'c4', [true, false]],
  ['none of them asks', 'c4', [false, false]],
  ['the game has no openings', 'echo', [true, true]],
] as const)('a match begins as ever where %s', (_, game, asks) => {
  expect(setUp().meet(game, asks).opening).toBe(undefined)
})
