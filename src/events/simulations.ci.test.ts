import { describe, expect, it } from 'vitest'
import { simulatedEvent, type Trouble } from '../../test/support/simulated-event.ts'
import { checkEvent } from './check-event.ts'
import { crossTable } from './cross-table.ts'
import { fold } from './fold.ts'
import { meetings } from './meetings.ts'
import type { EventPlan, Format } from './plan.ts'
import type { EventState } from './state.ts'
import { table } from './table.ts'

const pairs = { least: 2, most: 2 }
const fours = { least: 4, most: 4 }
const threeToSix = { least: 3, most: 6 }

const formats: Readonly<Record<string, Format>> = {
  'round robin': { kind: 'round-robin', cycles: 1 },
  'double round robin': { kind: 'round-robin', cycles: 2 },
  Swiss: { kind: 'swiss', rounds: 5 },
  knockout: { kind: 'knockout', bestOf: 1, thirdPlace: true },
  'knockout of best of three': { kind: 'knockout', bestOf: 3, thirdPlace: false },
  arena: { kind: 'arena', lasts: 80 },
}

/** Each of these is simulated so often, with 2 to 15 entrants or two groups more. */
const times = 150

const cases = Object.entries(formats).flatMap(([name, format]) =>
  [pairs, fours, threeToSix].flatMap(seats => {
    const late = format.kind === 'swiss' || format.kind === 'arena'
    const trouble: Trouble = { absences: 8, withdrawals: 4, entries: late ? 4 : 0 }
    const many = seats === pairs ? times : times / 5
    return [
      [`${name} of ${seats.least} to ${seats.most}`, format, seats, {}, many],
      [`${name} of ${seats.least} to ${seats.most} with troubles`, format, seats, trouble, many],
    ] as const
  }),
)

const everyEvent = (
  plan: Partial<EventPlan> & Pick<EventPlan, 'seats'>,
  trouble: Trouble,
  many: number,
  check: (state: EventState) => void,
) => {
  for (let number = 0; number < many; number++) {
    const entrants = plan.seats.least + (number % 14)
    const { entries, state } = simulatedEvent(number, entrants, plan, trouble)
    const problem = checkEvent(entries)
    if (problem !== null) throw new Error(`event ${number} of ${entrants}: ${problem}`)
    const again = fold(entries)
    expect(table(again)).toEqual(table(state))
    check(again)
  }
}

describe('seeded events', () => {
  it.each(cases)(
    'end and are recomputed to the same table: %s',
    (_name, format, seats, trouble, many) => {
      everyEvent({ format, seats }, trouble, many, state => {
        expect(state.status).toBe('finished')
        expect(table(state).map(({ rank }) => rank)).toEqual(
          state.entrants.map((_, index) => index + 1),
        )
      })
    },
  )

  it.each([1, 2] as const)('let each pair meet in each of %i cycles, with even seats', cycles => {
    const format = { kind: 'round-robin', cycles } as const
    everyEvent({ format, seats: pairs }, {}, times, state => {
      const met = meetings(state)
      for (const { account } of state.entrants)
        for (const other of state.entrants)
          if (other.account !== account) expect(met(account, other.account)).toBe(cycles)
      expect(widestLead(state)).toBeLessThanOrEqual(cycles === 1 ? 1 : 0)
      for (const { cells } of crossTable(state))
        for (const cell of cells) expect(cell?.length ?? cycles).toBe(cycles)
    })
  })

  it('in a Swiss give no rematch, one bye each and even seats, with half as many rounds as entrants', () => {
    for (let number = 0; number < times; number++) {
      const rounds = 3 + (number % 5)
      const { state } = simulatedEvent(number, 2 * rounds + (number % 9), {
        format: { kind: 'swiss', rounds },
      })
      expect(state.rounds).toHaveLength(rounds)
      const met = meetings(state)
      for (const { account } of state.entrants) {
        for (const other of state.entrants) expect(met(account, other.account)).toBeLessThan(2)
        const byes = state.rounds.flatMap(round => round.byes).filter(own => own === account)
        expect(byes.length).toBeLessThan(2)
      }
      expect(widestLead(state)).toBeLessThanOrEqual(2)
    }
  })

  it('in a Swiss of pairs leave one entrant out at most', () => {
    everyEvent({ format: { kind: 'swiss', rounds: 3 }, seats: pairs }, {}, times, state => {
      for (const { byes } of state.rounds) expect(byes.length).toBe(state.entrants.length % 2)
    })
  })

  it('in an arena draw no pair twice running, unless no other entrant plays', () => {
    everyEvent({ format: formats.arena!, seats: pairs }, {}, times, state => {
      if (state.entrants.length < 4) return
      const last = new Map<number, string>()
      for (const { accounts } of state.rounds.flatMap(({ boards }) => boards)) {
        const pair = accounts.toSorted((a, b) => a - b).join()
        const isRematch = accounts.every(account => last.get(account) === pair)
        expect(isRematch).toBe(false)
        for (const account of accounts) last.set(account, pair)
      }
    })
  })

  it('in a round robin of groups let pairs meet about equally often, and give as many byes and seats', () => {
    const spreads: number[] = []
    everyEvent(
      { format: { kind: 'round-robin', cycles: 2 }, seats: fours },
      {},
      times / 3,
      state => {
        const met = meetings(state)
        const accounts = state.entrants.map(({ account }) => account)
        const counts = accounts.flatMap(a => accounts.filter(b => b > a).map(b => met(a, b)))
        spreads.push(Math.max(...counts) - Math.min(...counts))
        expect(
          spread(
            accounts,
            state.rounds.flatMap(({ byes }) => byes),
          ),
        ).toBeLessThan(2)
        for (const seat of [0, 1, 2, 3]) {
          const there = state.rounds.flatMap(({ boards }) => boards.map(b => b.accounts[seat]!))
          expect(spread(accounts, there)).toBeLessThanOrEqual(2)
        }
      },
    )
    expect(Math.max(...spreads)).toBeLessThanOrEqual(3)
  })
})

const widestLead = (state: EventState) => {
  const boards = state.rounds.flatMap(round => round.boards)
  return Math.max(
    ...state.entrants.map(({ account }) => {
      const first = boards.filter(({ accounts }) => accounts[0] === account).length
      const second = boards.filter(({ accounts }) => accounts[1] === account).length
      return Math.abs(first - second)
    }),
  )
}

/** How much more often one is in a list than another. */
const spread = (accounts: readonly number[], list: readonly number[]) => {
  const counts = accounts.map(account => list.filter(other => other === account).length)
  return Math.max(...counts) - Math.min(...counts)
}
