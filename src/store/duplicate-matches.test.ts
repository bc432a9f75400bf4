import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { evenOdd } from '../games/even-odd.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { DuplicateMatches, type PastMatch } from './duplicate-matches.ts'

/** Two accounts that play each other in a real arena with a real store. */
const setUp = async (copyCap: number, folder = dataFolder()) => {
  const clock = new FakeClock()
  const store = await openStore(folder, clock, { copyCap })
  onTestFinished(() => store.close())
  for (const name of ['Agent-1', 'Agent-2']) store.users.find(name) ?? newAccount(store.users, name)
  const arena = new TestArena({
    clock,
    matchStore: store.matchStore,
    house: () => undefined,
    queueWait: 1000,
    roll: () => 0,
  })
  const pair = [new TestPlayer(arena, 1), new TestPlayer(arena, 2)] as const
  /** Pairs the two and plays these moves. If the match does not end by them, the first player resigns. */
  const play = async (moves: readonly string[], game: Game = ttt) => {
    for (const agent of pair) agent.seek({ game })
    const inOrder = [...pair].sort((x, y) => x.seated!.seat - y.seated!.seat)
    for (const [turn, move] of moves.entries()) inOrder[turn % 2]!.handle.move(move)
    inOrder[0]!.handle.resign()
    FakeClock.finishTick()
    clock.pass(0)
    await new Promise(setImmediate)
    return pair.map(({ ended }) => ({ unrated: ended?.unrated, change: ended?.change.change }))
  }
  return { clock, store, play }
}

const winning = ['0', '3', '1', '4', '2']
const copy = 'a copy of earlier matches'

describe('duplicate matches of a pair', () => {
  it('are rated up to the daily cap, and unrated after that, which both are told at the end', async () => {
    const { play } = await setUp(2)
    // The seats take turns, so that there are two different matches.
    for (let i = 0; i < 4; i++)
      for (const told of await play(winning)) expect(told.unrated).toBeNull()
    for (let i = 0; i < 2; i++)
      expect(await play(winning)).toEqual([
        { unrated: copy, change: 0 },
        { unrated: copy, change: 0 },
      ])
  })

  it('are those with the same moves and the same end', async () => {
    const { play } = await setUp(1)
    const courses = [winning, ['0', '3', '1', '4', '8'], ['0', '3', '1', '4'], ['0', '3']]
    for (const course of courses)
      for (let i = 0; i < 2; i++)
        for (const { unrated } of await play(course)) expect(unrated).toBeNull()
    for (const { unrated } of await play(courses[2]!)) expect(unrated).toBe(copy)
  })

  it('are no matches of a game with luck', async () => {
    const { play } = await setUp(1)
    for (let i = 0; i < 6; i++)
      for (const { unrated } of await play([], evenOdd)) expect(unrated).toBeNull()
  })

  it('are also found among those saved by an earlier process, until midnight', async () => {
    const folder = dataFolder()
    const first = await setUp(2, folder)
    for (let i = 0; i < 4; i++) await first.play(winning)
    await first.store.close()
    const { clock, play } = await setUp(2, folder)
    for (const { unrated } of await play(winning)) expect(unrated).toBe(copy)
    clock.pass(86_400_000)
    for (const { unrated } of await play(winning)) expect(unrated).toBeNull()
  })

  it('do not count a match whose result could not be kept', async () => {
    const { clock, store, play } = await setUp(1)
    // Enough matches that the check for duplicates begins.
    for (const moves of [['0'], ['0'], ['8'], ['8']]) await play(moves)
    store.db.file.pragma('query_only = on')
    const lost = play([])
    await lost
    clock.pass(13_000)
    store.db.file.pragma('query_only = off')
    clock.pass(1_000)
    // The same match again, with both orders of the seats, and once more.
    for (const expected of [null, null, copy])
      for (const { unrated } of await play([])) expect(unrated).toBe(expected)
  })
})

const past: PastMatch = {
  ending: 'resigned',
  places: [1, 2],
  moves: '[[0,"4",10],[1,"0",20]]',
}
const pair = { ladder: 'ttt', agents: [1, 2] }

/** The check for a pair with many rated matches today, none of them in memory, and a cap of one. */
const checkWithCapOne = () => new DuplicateMatches({ rated: () => 50, of: () => [] }, 1)

it('a match is counted once, however often its transaction is tried', () => {
  const check = checkWithCapOne()
  for (let i = 0; i < 3; i++) expect(check.isOneTooMany(1, pair, past, 0)).toBe(false)
  check.settled(1, true)
  for (let i = 0; i < 3; i++) expect(check.isOneTooMany(2, pair, past, 0)).toBe(true)
})

it('a match that is unrated after all is not counted as a duplicate', () => {
  const check = checkWithCapOne()
  for (const match of [1, 2, 3]) {
    expect(check.isOneTooMany(match, pair, past, 0)).toBe(false)
    check.settled(match, false)
  }
  expect(check.isOneTooMany(4, pair, past, 0)).toBe(false)
  check.settled(4, true)
  expect(check.isOneTooMany(5, pair, past, 0)).toBe(true)
  // A match over the cap was not counted, so settling it changes no count.
  check.settled(5, false)
  expect(check.isOneTooMany(6, pair, past, 0)).toBe(true)
})

it.each<[string, Partial<PastMatch>, boolean]>([
  ['the same with other times', { moves: '[[0,"4",99],[1,"0",99]]' }, true],
  ['another ending', { ending: 'gone' }, false],
  ['another winner', { places: [2, 1] }, false],
  ['another move', { moves: '[[0,"4",10],[1,"2",20]]' }, false],
  ['a move fewer', { moves: '[[0,"4",10]]' }, false],
  ['a seat that fell', { moves: '[[0,"4",10],[1,null,0,"gone"]]' }, false],
])('two matches are duplicates if moves and end are equal: %s', (_, other, isDuplicate) => {
  const check = checkWithCapOne()
  expect(check.isOneTooMany(1, pair, past, 0)).toBe(false)
  expect(check.isOneTooMany(2, pair, { ...past, ...other }, 0)).toBe(isDuplicate)
})
