import { describe, expect, it } from 'vitest'
import { EventLog } from '../../../test/support/event-log.ts'
import { swiss } from './swiss.ts'

const format = { kind: 'swiss', rounds: 9 } as const

const drawn = (log: EventLog) => {
  const { boards, byes } = swiss(log.state, 9)!
  return { boards: boards.map(pair => pair.toSorted((a, b) => a - b).join('-')).sort(), byes }
}

describe('a Swiss', () => {
  it('begins with the upper half against the lower half', () => {
    expect(drawn(new EventLog({ format }).start(8))).toEqual({
      boards: ['1-5', '2-6', '3-7', '4-8'],
      byes: [],
    })
  })

  it('gives the bye to the last of those with the fewest points', () => {
    const log = new EventLog({ format }).start(5)
    expect(drawn(log)).toEqual({ boards: ['1-3', '2-4'], byes: [5] })
    log.add({
      kind: 'drawn',
      round: 1,
      boards: [
        { board: 1, accounts: [1, 3] },
        { board: 2, accounts: [4, 2] },
      ],
      byes: [5],
    })
    log.play(1, [1, 2]).play(2, [2, 1])
    expect(drawn(log).byes).toEqual([4])
  })

  it('pairs those with equal points, and of those who want other seats', () => {
    const log = new EventLog({ format }).start(8).draw([1, 5], [6, 2], [3, 7], [8, 4])
    for (const board of [1, 2, 3, 4]) log.play(board, board % 2 === 1 ? [1, 2] : [2, 1])
    expect(drawn(log).boards).toEqual(['1-4', '2-3', '5-8', '6-7'])
  })

  it('lets the first seat go to the one that has had it less often', () => {
    const log = new EventLog({ format }).start(4).draw([1, 2], [3, 4])
    log.play(1, [1, 2]).play(2, [2, 1])
    expect(swiss(log.state, 9)!.boards).toEqual([
      [4, 1],
      [2, 3],
    ])
  })

  it('does not let two meet again, even where that is the only equal pair', () => {
    const log = new EventLog({ format }).start(4).draw([1, 2], [3, 4])
    log.play(1, [1, 1]).play(2, [1, 2]).draw([2, 3], [4, 1])
    log.play(1, [2, 1]).play(2, [2, 1])
    expect(drawn(log).boards).toEqual(['1-3', '2-4'])
  })

  it('draws pairs again only once everybody has met everybody', () => {
    const log = new EventLog({ format }).start(4)
    const pairs: string[] = []
    for (let round = 1; round <= 4; round++) {
      log.draw(...swiss(log.state, 9)!.boards)
      for (const { board, accounts } of log.state.rounds.at(-1)!.boards) {
        pairs.push(accounts.toSorted().join('-'))
        log.play(board, [1, 2])
      }
    }
    expect(new Set(pairs.slice(0, 6)).size).toBe(6)
    expect(pairs).toHaveLength(8)
  })

  it('leaves out who has withdrawn, and takes in who comes late', () => {
    const log = new EventLog({ format, lateEntry: true }).start(4).draw([1, 3], [4, 2])
    log.play(1, [1, 2]).play(2, [2, 1])
    log.add({ kind: 'withdrew', account: 1, why: 'by itself' })
    log.add({ kind: 'entered', account: 9, name: 'P9', rating: 2500 })
    expect(drawn(log).boards.join(' ').match(/\d/g)!.sort()).toEqual(['2', '3', '4', '9'])
  })

  it('ends where no entrant is left to play', () => {
    const log = new EventLog({ format }).start(2)
    log.add({ kind: 'withdrew', account: 2, why: 'by itself' })
    expect(swiss(log.state, 9)).toBeNull()
  })
})
