import { describe, expect, it } from 'vitest'
import { EventLog } from '../../test/support/event-log.ts'
import { champion } from './champion.ts'
import { crossTable } from './cross-table.ts'
import type { EventPlan } from './plan.ts'
import { table } from './table.ts'
import type { TieBreak } from './tie-breaks.ts'

const swiss = { kind: 'swiss', rounds: 3 } as const

const rows = ({ state }: EventLog) => table(state)
const order = (log: EventLog) => rows(log).map(({ account }) => account)
const tieBreakOf = (log: EventLog, account: number, name: TieBreak) =>
  rows(log)
    .find(row => row.account === account)!
    .tieBreaks.find(tieBreak => tieBreak.name === name)?.value
const values = (log: EventLog, name: TieBreak) =>
  log.state.entrants.map(({ account }) => tieBreakOf(log, account, name))

/** Four who have all met: 1 has 2½ points, 2 has 2, 3 has 1½ and 4 has none. */
const fourWhoMet = (given: Partial<EventPlan> = {}) => {
  const log = new EventLog({ format: swiss, ...given }).start(4)
  log.draw([1, 3], [2, 4]).play(1, [1, 2]).play(2, [1, 2])
  log.draw([1, 2], [3, 4]).play(1, [1, 1]).play(2, [1, 2])
  return log.draw([1, 4], [2, 3]).play(1, [1, 2]).play(2, [1, 1])
}

describe('the table', () => {
  it('counts boards and points', () => {
    expect(rows(fourWhoMet())).toMatchObject([
      { rank: 1, account: 1, points: 2.5, played: 3, wins: 2, draws: 1, losses: 0, byes: 0 },
      { rank: 2, account: 2, points: 2, played: 3, wins: 1, draws: 2, losses: 0, byes: 0 },
      { rank: 3, account: 3, points: 1.5, played: 3, wins: 1, draws: 1, losses: 1, byes: 0 },
      { rank: 4, account: 4, points: 0, played: 3, wins: 0, draws: 0, losses: 3, byes: 0 },
    ])
  })

  it('has the Buchholz and Sonneborn-Berger figures that one gets by hand', () => {
    // Opponents of 4 have 2½, 2 and 1½ points, and those of 1 have 2, 1½ and 0.
    expect(values(fourWhoMet(), 'buchholzCut1')).toEqual([3.5, 4, 4.5, 4.5])
    expect(values(fourWhoMet(), 'sonnebornBerger')).toEqual([2.5, 2, 1, 0])
  })

  it('counts a bye in a Swiss as a win, and in the Buchholz as a board against oneself', () => {
    const log = new EventLog({ format: swiss }).start(3)
    log.add({ kind: 'drawn', round: 1, boards: [{ board: 1, accounts: [1, 2] }], byes: [3] })
    log.play(1, [1, 2])
    log.add({ kind: 'drawn', round: 2, boards: [{ board: 1, accounts: [1, 3] }], byes: [2] })
    log.play(1, [2, 1])
    expect(rows(log)[0]).toMatchObject({ account: 3, points: 2, played: 1, wins: 1, byes: 1 })
    expect(values(log, 'buchholzCut1')).toEqual([2, 1, 2])
  })

  it('lets the direct encounter decide only among those who have all met', () => {
    const log = new EventLog({ format: swiss }).start(4)
    log.draw([1, 2], [3, 4]).play(1, [2, 1]).play(2, [1, 2])
    expect(tieBreakOf(log, 2, 'directEncounter')).toBeNull()
    log.draw([2, 3], [1, 4]).play(1, [2, 1]).play(2, [1, 2])
    expect(values(log, 'directEncounter')).toEqual([0, 1, null, null])
    expect(order(log)).toEqual([3, 2, 1, 4])
  })

  it('decides what is left by a lot that the seed throws', () => {
    const seeds = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(32, '0'))
    const orders = seeds.map(seed => {
      const log = new EventLog({ seed }).start(2).draw([1, 2]).play(1, [1, 1])
      expect(order(log)).toEqual(order(log))
      return order(log).join()
    })
    expect(new Set(orders)).toEqual(new Set(['1,2', '2,1']))
  })

  it('of a league.v2 goes by the ids that were granted, not by who registered first', () => {
    const log = new EventLog({ protocol: 'league.v2' })
    const granted = [3, undefined, 1]
    for (const [i, number] of granted.entries()) {
      const account = 7 + i
      const id = number === undefined ? {} : { granted: number }
      log.add({ kind: 'entered', account, name: `A${account}`, rating: 1500, ...id })
    }
    const entrants = [7, 8, 9].map(account => ({ account, name: `A${account}`, rating: 1500 }))
    log.add({ kind: 'started', entrants })
    expect(order(log)).toEqual([9, 8, 7])
  })

  it('of a league.v2 goes by points, wins and ids, which are by entry unless granted', () => {
    const points = { by: 'result', win: 3, draw: 1, loss: 0 } as const
    const log = new EventLog({ protocol: 'league.v2', points })
    for (const account of [8, 6, 7, 5])
      log.add({ kind: 'entered', account, name: `P${account}`, rating: 1500 })
    const entrants = [5, 6, 7, 8].map(account => ({ account, name: `P${account}`, rating: 1500 }))
    log.add({ kind: 'started', entrants }).draw([8, 5], [6, 7]).play(1, [1, 1]).play(2, [1, 1])
    expect(order(log)).toEqual([8, 6, 7, 5])
    expect(rows(log)[0]!.tieBreaks).toEqual([
      { name: 'wins', value: 0 },
      { name: 'number', value: 1 },
    ])
  })

  it('strikes the boards of one who leaves a round robin before half of them are played', () => {
    const log = new EventLog().start(4).draw([1, 4], [2, 3]).play(1, [1, 2]).play(2, [1, 2])
    expect(rows(log)[0]!.points).toBe(1)
    log.add({ kind: 'withdrew', account: 4, why: 'by itself' })
    const points = new Map(rows(log).map(row => [row.account, row.points]))
    expect(points).toEqual(
      new Map([
        [2, 1],
        [1, 0],
        [3, 0],
        [4, 0],
      ]),
    )
  })

  it('gives the boards of one who leaves later to those it has not met', () => {
    const log = new EventLog().start(4).draw([1, 4], [2, 3]).play(1, [2, 1]).play(2, [1, 2])
    log.draw([1, 3], [4, 2]).play(1, [1, 2]).play(2, [1, 2])
    log.add({ kind: 'withdrew', account: 4, why: 'by itself' }).draw([1, 2], [3, 4])
    const ofThree = rows(log).find(row => row.account === 3)
    expect(ofThree).toMatchObject({ points: 1, wins: 1, losses: 2 })
    expect(rows(log)[0]).toMatchObject({ account: 4, points: 2, withdrawn: true })
  })

  it('shares the points of places among equal ones, to the last third', () => {
    const points = { by: 'places', worth: [4, 2, 1, 0] } as const
    const log = new EventLog({ points, seats: { least: 4, most: 4 } }).start(4)
    for (let round = 0; round < 3; round++) log.draw([1, 2, 3, 4]).play(1, [1, 2, 2, 2])
    expect(rows(log).map(row => row.points)).toEqual([12, 3, 3, 3])
    expect(new EventLog({ points }).start(2).draw([1, 2]).play(1, [1, 1]).state).toSatisfy(state =>
      table(state as never).every(row => row.points === 3),
    )
  })

  it('counts both as having lost where both were at fault', () => {
    const log = new EventLog().start(2).draw([1, 2]).play(1, [2, 2])
    expect(rows(log)).toMatchObject([
      { points: 0, losses: 1 },
      { points: 0, losses: 1 },
    ])
  })

  it('counts no board that is settled as void', () => {
    const log = new EventLog().start(2).draw([1, 2]).play(1, [1, 2]).settle(1, null)
    expect(rows(log)).toMatchObject([{ played: 0 }, { played: 0 }])
  })
})

describe('the cross table', () => {
  it('has each result twice, once from each side', () => {
    const cells = crossTable(fourWhoMet().state).map(row =>
      row.cells.map(cell => cell?.map(({ share }) => share).join() ?? 'x').join(' '),
    )
    expect(cells).toEqual(['x 0.5 1 1', '0.5 x 0.5 1', '0 0.5 x 1', '0 0 0 x'])
  })
})

describe('the champion', () => {
  const series = () =>
    new EventLog({ format: { kind: 'series', bestOf: 3 } }).start(2).draw([1, 2]).play(1, [1, 2])

  it('is first in the table of a finished event', () => {
    expect(champion(fourWhoMet().state)).toBeNull()
    expect(champion(fourWhoMet().add({ kind: 'finished' }).state)).toMatchObject({ name: 'P1' })
    expect(champion(series().play(1, [1, 2]).add({ kind: 'finished' }).state)?.account).toBe(1)
  })

  it('is null for a drawn series, and for one without matches', () => {
    const drawn = series().play(1, [2, 1]).play(1, [1, 1])
    expect(champion(drawn.add({ kind: 'finished' }).state)).toBeNull()
    expect(champion(new EventLog().start(2).add({ kind: 'finished' }).state)).toBeNull()
  })
})
