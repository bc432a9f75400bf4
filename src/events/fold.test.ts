import { describe, expect, it } from 'vitest'
import { EventLog } from '../../test/support/event-log.ts'
import { nextLeg } from './board.ts'
import { fold } from './fold.ts'
import type { EventPlan } from './plan.ts'

const board = ({ state }: EventLog, number = 1) => state.rounds.at(-1)!.boards[number - 1]!

const bestOf = (matches: number, more: Partial<EventPlan> = {}) =>
  new EventLog({ format: { kind: 'knockout', bestOf: matches, thirdPlace: false }, ...more })
    .start(2)
    .draw([1, 2])

describe('the state of an event', () => {
  it('is the same whether its log is folded at once or entry by entry', () => {
    const log = new EventLog().start(4).draw([1, 4], [2, 3]).play(1, [1, 2]).settle(2, [1, 2], [3])
    expect(fold(log.entries)).toEqual(log.state)
    expect(log.state).toMatchObject({ status: 'running', entries: 9, startedAt: 5 })
  })

  it('numbers those who enter for good, and seeds them at the start', () => {
    const log = new EventLog()
    for (const account of [7, 8, 9])
      log.add({ kind: 'entered', account, name: `A${account}`, rating: 1500 })
    log.add({ kind: 'withdrew', account: 8, why: 'by itself' })
    log.add({ kind: 'entered', account: 8, name: 'A8', rating: 1500 })
    const entrants = [8, 7, 9].map(account => ({ account, name: `A${account}`, rating: 1600 }))
    log.add({ kind: 'started', entrants })
    expect(log.state.entrants.map(({ account, number }) => [account, number])).toEqual([
      [8, 4],
      [7, 1],
      [9, 3],
    ])
  })

  it('counts a match once, however often its result is entered', () => {
    const log = new EventLog().start(2).draw([1, 2]).play(1, [1, 2])
    log.add({ ...log.entries.at(-1)!, kind: 'played' } as never)
    expect(board(log).legs).toHaveLength(1)
    expect(board(log)).toMatchObject({ isOver: true, places: [1, 2] })
  })

  it('lets what is settled stand above what is played, whichever came first', () => {
    const log = new EventLog().start(2).draw([1, 2])
    expect(board(log.play(1, [1, 2]).settle(1, [2, 1])).places).toEqual([2, 1])
    expect(board(log.settle(1, null))).toMatchObject({ isOver: true, places: null })
    const late = new EventLog().start(2).draw([1, 2]).settle(1, [2, 1]).play(1, [1, 2])
    expect(board(late).places).toEqual([2, 1])
  })

  it('withdraws who has missed two boards, and gives its next board to the other', () => {
    const log = new EventLog().start(4).draw([1, 4], [2, 3]).settle(1, [1, 2], [4])
    expect(log.state.entrants[3]).toMatchObject({ missed: 1, withdrawn: false })
    log.draw([1, 3], [4, 2]).settle(2, [2, 1], [4])
    expect(log.state.entrants[3]).toMatchObject({ missed: 2, withdrawn: true })
    expect(board(log.draw([1, 2], [3, 4]), 2)).toMatchObject({ isOver: true, places: [1, 2] })
  })

  it('takes a missed board back where the operator settles it otherwise', () => {
    const log = new EventLog().start(2).draw([1, 2]).settle(1, [1, 2], [2]).settle(1, [1, 1])
    expect(log.state.entrants[1]).toMatchObject({ missed: 0 })
  })

  it('knows for how long it was paused', () => {
    const log = new EventLog().start(2).add({ kind: 'paused' }, 1000).add({ kind: 'resumed' }, 4000)
    expect(log.state).toMatchObject({ status: 'running', pausedAt: null, pausedFor: 3000 })
  })

  it.each([
    ['a board that was not drawn', 'there is no board 2', (log: EventLog) => log.settle(2, [1, 2])],
    ['a stranger', 'has not entered', (log: EventLog) => log.draw([1, 9])],
    [
      'a second start',
      'started already',
      (log: EventLog) => log.add({ kind: 'started', entrants: [] }),
    ],
    [
      'a second entry of one account',
      'has entered already',
      (log: EventLog) => log.add({ kind: 'entered', account: 1, name: 'P1', rating: 1500 }),
    ],
    [
      'anything after the end',
      'the event is cancelled',
      (log: EventLog) => log.add({ kind: 'cancelled', reason: 'rain' }).add({ kind: 'paused' }),
    ],
  ])('refuses %s', (_what, reason, enter) => {
    const log = new EventLog().start(2).draw([1, 2])
    expect(() => enter(log)).toThrow(reason)
  })
})

describe('a board', () => {
  it('of a best of three is over once it cannot be turned', () => {
    const log = bestOf(3).play(1, [1, 2])
    expect(nextLeg(log.state.plan, board(log))).toEqual({ leg: 2, accounts: [2, 1], opening: null })
    expect(board(log.play(1, [1, 2]))).toMatchObject({ isOver: true, places: [1, 2] })
    expect(nextLeg(log.state.plan, board(log))).toBeNull()
  })

  it('of a best of three with a win and a draw is not over yet', () => {
    expect(board(bestOf(3).play(1, [1, 2]).play(1, [1, 1])).isOver).toBe(false)
  })

  it('of a knockout that is drawn goes on until a match is won', () => {
    const log = bestOf(1).play(1, [1, 1]).play(1, [1, 1])
    expect(board(log).isOver).toBe(false)
    expect(board(log.play(1, [2, 1]))).toMatchObject({ isOver: true, places: [2, 1] })
  })

  it('of a knockout that stays drawn is decided by lot, which another seed may throw otherwise', () => {
    const drawn = (seed: string) => {
      const log = bestOf(1, { seed })
      for (let leg = 0; leg < 4; leg++) log.play(1, [1, 1])
      expect(board(log).isOver).toBe(true)
      return board(log).places!.join()
    }
    const seeds = Array.from({ length: 40 }, (_, n) => n.toString(16).padStart(32, '0'))
    const won = seeds.filter(seed => drawn(seed) === '1,2').length
    expect(seeds.filter(seed => drawn(seed) === '2,1')).toHaveLength(40 - won)
    expect(won).toBeGreaterThan(10)
    expect(won).toBeLessThan(30)
  })

  it('of a series may end drawn', () => {
    const log = new EventLog({ format: { kind: 'series', bestOf: 3 } }).start(2).draw([1, 2])
    log.play(1, [1, 2]).play(1, [2, 1]).play(1, [1, 1])
    expect(board(log)).toMatchObject({ isOver: true, places: [1, 1] })
  })

  it('with openings has two matches from each, with seats exchanged', () => {
    const log = new EventLog({ openings: true }).start(2).draw([1, 2])
    const first = nextLeg(log.state.plan, board(log))!
    log.play(1, [1, 2])
    const second = nextLeg(log.state.plan, board(log))!
    expect([first.accounts, second.accounts]).toEqual([
      [1, 2],
      [2, 1],
    ])
    expect(second.opening).toBe(first.opening)
    expect(board(log.play(1, [2, 1]))).toMatchObject({ isOver: true, places: [1, 1] })
    const next = nextLeg(log.state.plan, board(log.draw([2, 1])))!
    expect(next.opening).toBe(first.opening! + 1)
  })

  it('is lost by both where the referee has found both at fault', () => {
    expect(board(new EventLog().start(2).draw([1, 2]).play(1, [2, 2])).places).toEqual([2, 2])
  })

  it('of four adds the places of its matches up, and seats go round', () => {
    const log = new EventLog({
      seats: { least: 4, most: 4 },
      format: { kind: 'knockout', bestOf: 3, thirdPlace: false },
    })
    log.start(8).draw([1, 2, 3, 4], [5, 6, 7, 8]).play(1, [1, 2, 3, 4])
    expect(nextLeg(log.state.plan, board(log))).toMatchObject({ accounts: [2, 3, 4, 1] })
    log.play(1, [4, 1, 2, 3])
    expect(board(log).isOver).toBe(false)
    expect(board(log.play(1, [3, 1, 2, 4]))).toMatchObject({ isOver: true, places: [3, 1, 2, 4] })
  })

  it('of a group counts who was not seated behind all that were', () => {
    const log = new EventLog({ seats: { least: 2, most: 4 } }).start(3).draw([1, 2, 3])
    log.add({
      kind: 'played',
      round: 1,
      board: 1,
      leg: 1,
      match: 1,
      accounts: [3, 1],
      places: [1, 2],
      scores: [null, null],
    })
    expect(board(log).places).toEqual([2, 3, 1])
  })
})
