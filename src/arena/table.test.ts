import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { Dice } from '../games/dice.ts'
import { echo } from '../games/echo.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { unmetered } from '../meter.ts'
import { lag } from './clocks.ts'
import type { News, Player, Seated, SeatHandle, Shown } from './player.ts'
import type { Terms } from './terms.ts'

/** A table with two players: the first has these terms, the second the same unless given. `messages` returns what each seat was told since the last call. */
const tableWith = (terms: Terms, others = terms, game: Game = ttt) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => undefined,
    levels: () => [],
    queueWait: 1e6,
    failed: error => {
      throw error
    },
    roll: n => dice.roll(n),
    meter: unmetered,
  })
  const handles: SeatHandle[] = []
  const told: News[][] = [[], []]
  for (const id of [1, 2]) {
    let seat = 0
    const player: Player = {
      account: { id, name: `Agent-${id}`, kind: 'player' },
      terms: id === 1 ? terms : others,
      tell: message => {
        if (message.kind === 'seated') {
          seat = message.seat
          handles[seat] = message.handle
        }
        told[seat]!.push(message)
      },
    }
    arena.seek(player, { game })
  }
  const messages = () => {
    FakeClock.finishTick()
    return told.map(to => to.splice(0))
  }
  const opening = messages()
  const [table] = arena.tables.values()
  const accounts = table!.deal.players.map(({ account }) => account.id)
  const seatOf = (seat: number) => arena.seatsOf(accounts[seat]!)[0]!
  return { clock, handles, opening, messages, table: table!, arena, accounts, seatOf, matchStore }
}

/** A listener that collects its news. */
const listening = () => {
  const news: News[] = []
  return {
    news,
    tell: (message: News) => void news.push(message),
    get handle(): SeatHandle {
      FakeClock.finishTick()
      return (news.find(({ kind }) => kind === 'seated') as Seated).handle
    },
  }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

it('a player is told how many retries an illegal move leaves, and its opponent is told nothing', () => {
  const { handles, messages } = tableWith({
    ...strictTerms,
    illegal: { retries: 2, counted: 'in a row', penalty: 'forfeit' },
  })
  handles[0]!.move('x')
  expect(messages()).toEqual([
    [expect.objectContaining({ code: 'illegal-move', retries: { made: 1, left: 2 } })],
    [],
  ])
})

it('every seat is told the terms of all seats, and with each board the clocks of all', () => {
  const slow: Terms = { ...strictTerms, move: 90_000, first: { of: 'seat', time: 180_000 } }
  const { opening, clock, handles, messages, accounts } = tableWith(slow, strictTerms)
  const terms = accounts.map(id => (id === 1 ? slow : strictTerms))
  for (const news of opening)
    expect(news.find(({ kind }) => kind === 'seated')).toMatchObject({ terms })
  const boards = (news: readonly News[][]) => news.map(of => of.at(-1) as Shown)
  const [first, second] = boards(opening)
  expect(first!.clocks).toEqual([terms[0] === slow ? 180_000 : 15_000, null])
  expect(second!.clocks).toBe(first!.clocks)
  expect([first!.timeLeft, second!.timeLeft]).toEqual(first!.clocks)
  clock.pass(1_000)
  handles[0]!.move('4')
  for (const board of boards(messages()))
    expect(board.clocks).toEqual([null, terms[1] === slow ? 180_000 : 15_000])
})

it('a player is told of its strike and of its new clock', () => {
  const { clock, messages } = tableWith({
    ...strictTerms,
    late: { strikes: 3, counted: 'in all', next: { clock: 7_000 } },
  })
  clock.pass(15_000 + lag)
  expect(messages()[0]).toEqual([
    { kind: 'strike', match: 1, strikes: 1, of: 3 },
    expect.objectContaining({ kind: 'shown', yourTurn: true, timeLeft: 7_000 }),
  ])
})

it('the opponent is told of an absence and of the return, and all players are told of the clocks', () => {
  const { clock, handles, messages, table, seatOf } = tableWith({
    ...strictTerms,
    away: {
      stages: [
        { time: 15_000, play: 'stands' },
        { time: 15_000, play: 'stands', told: true },
      ],
      times: 5,
    },
  })
  clock.pass(5_000)
  handles[1]!.lost()
  expect(messages()).toEqual([[{ kind: 'clocks', match: 1, play: 'stands', timeLeft: 10_000 }], []])
  clock.pass(15_000 + lag)
  expect(messages()).toEqual([[{ kind: 'away', match: 1, seat: 1, grace: 15_000 }], []])
  clock.pass(1_000)
  const newer = listening()
  seatOf(1).attach(newer)
  expect(messages()).toEqual([
    [
      { kind: 'back', match: 1, seat: 1 },
      { kind: 'clocks', match: 1, play: 'runs', timeLeft: 10_000 },
    ],
    [],
  ])
  expect(newer.news).toEqual([
    expect.objectContaining({ kind: 'seated', match: 1, seat: 1 }),
    { kind: 'clocks', match: 1, play: 'runs', timeLeft: null },
    expect.objectContaining({ kind: 'shown', yourTurn: false }),
  ])
  clock.pass(10_000 - 1)
  expect(table.clocks).toEqual([1, null])
  clock.pass(1 + lag)
  expect(table.clocks).toEqual([null, null])
})

it('a listener that another one replaces is told so, and its handle is dead', async () => {
  const { handles, messages, table, seatOf } = tableWith(strictTerms)
  const [newer, newest] = [listening(), listening()]
  seatOf(0).attach(newer)
  seatOf(0).attach(newest)
  expect(messages()).toEqual([[{ kind: 'replaced', match: 1, seat: 0 }], []])
  expect(newer.news.map(({ kind }) => kind)).toEqual(['seated', 'shown', 'replaced'])
  for (const handle of [handles[0]!, newer.handle]) {
    handle.move('4')
    handle.resign()
    handle.lost()
  }
  newest.handle.move('0')
  FakeClock.finishTick()
  expect(table.moves.map(([, move]) => move)).toEqual(['0'])
  expect(messages()[0]).toEqual([])
  newest.handle.lost()
  await settled()
  expect(messages()[1]!.at(-1)).toMatchObject({ kind: 'ended', outcome: { ending: 'gone' } })
})

it('a handle that has said that its connection is lost is dead', async () => {
  const { handles, messages, table } = tableWith({ ...strictTerms, away: 'ignored' })
  handles[0]!.lost()
  handles[0]!.move('4')
  handles[0]!.resign()
  await settled()
  expect(messages()).toEqual([[], []])
  expect(table.moves).toEqual([])
})

it('a listener attached after the last move is told the end once it is on disk', async () => {
  const { handles, messages, seatOf } = tableWith(strictTerms)
  handles[1]!.resign()
  FakeClock.finishTick()
  // The match is over, and its result is not on disk yet.
  const newer = listening()
  seatOf(1).attach(newer)
  FakeClock.finishTick()
  expect(newer.news.map(({ kind }) => kind)).toEqual(['seated'])
  await settled()
  expect(newer.news.map(({ kind }) => kind)).toEqual(['seated', 'ended'])
  expect(messages()[1]).toMatchObject([{ kind: 'replaced' }])
})

it('a paused table tells all players, stops their clocks, and shows the board when it is resumed', () => {
  const { clock, messages, table } = tableWith(strictTerms)
  clock.pass(5_000)
  table.pause()
  clock.pass(1e6)
  expect(messages()).toEqual([
    [{ kind: 'clocks', match: 1, play: 'paused', timeLeft: 10_000 }],
    [{ kind: 'clocks', match: 1, play: 'paused', timeLeft: null }],
  ])
  expect(table.clocks).toEqual([10_000, null])
  table.resume()
  expect(messages()[0]).toEqual([
    { kind: 'clocks', match: 1, play: 'runs', timeLeft: 10_000 },
    expect.objectContaining({ kind: 'shown', yourTurn: true, timeLeft: 10_000 }),
  ])
})

it('spectators read the note of a move once the next one is recorded, and the last one once the match is over', async () => {
  const { handles, messages, table, matchStore } = tableWith(strictTerms)
  const play = (seat: number, move: string, note?: string) => {
    handles[seat]!.move(move, undefined, note)
    messages()
  }
  expect(table.notes).toEqual({})
  play(0, '0', 'the corner')
  expect(table.notes).toEqual({})
  play(1, '3')
  expect(table.notes).toEqual({ 1: 'the corner' })
  play(0, '1', 'two of three')
  play(1, '4', 'no way out')
  expect(table.notes).toEqual({ 1: 'the corner', 3: 'two of three' })
  play(0, '2', 'three in a row')
  const all = { 1: 'the corner', 3: 'two of three', 4: 'no way out', 5: 'three in a row' }
  expect(table.notes).toEqual(all)
  await settled()
  expect(matchStore.matches[0]!.notes).toEqual(all)
})

it('where moves are hidden, spectators read the notes once the match is over', () => {
  const { handles, messages, table } = tableWith(strictTerms, strictTerms, echo as Game)
  handles[0]!.move({ number: 7 }, undefined, 'lucky')
  handles[1]!.move({ number: 9 }, undefined, 'odd')
  messages()
  expect(table.moves).toHaveLength(2)
  expect(table.notes).toEqual({})
  handles[0]!.resign()
  messages()
  expect(table.notes).toEqual({ 1: 'lucky', 2: 'odd' })
})

it('no player is told of a note', () => {
  const { handles, messages, seatOf, accounts } = tableWith(strictTerms)
  const followers = accounts.map((_, seat) => {
    const listener = Object.assign(listening(), { followsMoves: true as const })
    seatOf(seat).attach(listener)
    return listener
  })
  messages()
  const now = () =>
    followers.map(({ news }) => (news.find(({ kind }) => kind === 'seated') as Seated).handle)
  for (const [i, move] of ['0', '3', '1', '4', '2'].entries())
    now()[i % 2]!.move(move, undefined, `a-secret-${i}`)
  messages()
  expect(followers.map(({ news }) => news.filter(({ kind }) => kind === 'played').length)).toEqual([
    5, 5,
  ])
  expect(JSON.stringify(followers.map(({ news }) => news))).not.toContain('a-secret')
  expect(JSON.stringify(handles.map(handle => handle.history()))).not.toContain('a-secret')
})

it('the note of a move that is refused is dropped with it', () => {
  const { handles, messages, table } = tableWith({
    ...strictTerms,
    illegal: { retries: 2, counted: 'in a row', penalty: 'forfeit' },
  })
  handles[0]!.move('x', undefined, 'a mistake')
  handles[1]!.move('0', undefined, 'out of turn')
  handles[0]!.move('4')
  handles[1]!.move('0')
  handles[0]!.resign()
  messages()
  expect(table.moves).toHaveLength(2)
  expect(table.notes).toEqual({})
})
