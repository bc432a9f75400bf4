import { describe, expect, it } from 'vitest'
import { EventLog } from '../../../test/support/event-log.ts'
import { schedule } from './round-robin.ts'

const pairs = (count: number, protocol: string | null = null, cycles: 1 | 2 = 1) =>
  schedule(
    new EventLog({ protocol, format: { kind: 'round-robin', cycles } }).start(count).state,
  ).map(({ boards }) => boards.map(accounts => accounts.join('-')).join(' '))

const counts = Array.from({ length: 31 }, (_, index) => index + 2)

describe('a round robin', () => {
  it('of a league.v2 is drawn as its specification has it', () => {
    expect(pairs(4, 'league.v2')).toEqual(['1-4 2-3', '1-3 4-2', '1-2 3-4'])
    expect(pairs(5, 'league.v2')).toEqual(['2-5 3-4', '1-5 2-3', '1-4 5-3', '1-3 4-2', '1-2 4-5'])
  })

  it.each(counts)('of %i lets each pair meet once, and no entrant play twice in a round', count => {
    const rounds = schedule(new EventLog().start(count).state)
    expect(rounds).toHaveLength(count % 2 === 0 ? count - 1 : count)
    const met = rounds.flatMap(({ boards }) => boards).map(accounts => accounts.toSorted().join())
    expect(new Set(met).size).toBe(met.length)
    expect(met).toHaveLength((count * (count - 1)) / 2)
    for (const { boards, byes } of rounds)
      expect([...boards.flat(), ...byes].sort((a, b) => a - b)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      )
  })

  it.each(counts)('of %i gives each the first seat as often as not, within one', count => {
    const boards = schedule(new EventLog().start(count).state).flatMap(({ boards }) => boards)
    for (let account = 1; account <= count; account++) {
      const first = boards.filter(([one]) => one === account).length
      const second = boards.filter(([, two]) => two === account).length
      expect(Math.abs(first - second)).toBe(count % 2 === 0 ? 1 : 0)
    }
  })

  it('exchanges the seats in its second cycle', () => {
    expect(pairs(3, null, 2)).toEqual(['2-3', '3-1', '1-2', '3-2', '1-3', '2-1'])
  })
})
