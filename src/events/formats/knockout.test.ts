import { BracketsManager } from 'brackets-manager'
import { InMemoryDatabase } from 'brackets-memory-db'
import type { Match } from 'brackets-model'
import { describe, expect, it } from 'vitest'
import { EventLog } from '../../../test/support/event-log.ts'
import { simulatedEvent } from '../../../test/support/simulated-event.ts'
import { bracket } from '../bracket.ts'
import { champion } from '../champion.ts'
import { next } from '../next.ts'
import { table } from '../table.ts'
import { knockout } from './knockout.ts'

const format = { kind: 'knockout', bestOf: 1, thirdPlace: true } as const

/** All pairings of a knockout by brackets-manager in which the better seeded one always wins or always loses. */
const byBracketsManager = async (entrants: number, betterWins: boolean) => {
  const storage = new InMemoryDatabase()
  const manager = new BracketsManager(storage)
  const size = 2 ** Math.ceil(Math.log2(entrants))
  await manager.create.stage({
    tournamentId: 0,
    name: 'knockout',
    type: 'single_elimination',
    seeding: Array.from({ length: size }, (_, index) => (index < entrants ? `${index + 1}` : null)),
    settings: { seedOrdering: ['inner_outer'], consolationFinal: entrants > 3 },
  })
  const participants = (await storage.select('participant')) as { id: number; name: string }[]
  const seedOf = ({ id }: { readonly id: number | string | null }) =>
    Number(participants.find(own => own.id === id)?.name)
  const pairings: string[] = []
  const count = ((await storage.select('match')) as Match[]).length
  for (let index = 0; index < count; index++) {
    const match = ((await storage.select('match')) as Match[])[index]!
    const [one, two] = [match.opponent1, match.opponent2]
    if (!one || !two || one.id === null || two.id === null) continue
    const [a, b] = [seedOf(one), seedOf(two)]
    pairings.push([a, b].sort((x, y) => x - y).join('-'))
    const wins = a < b === betterWins
    await manager.update.match({
      id: match.id,
      opponent1: { score: wins ? 1 : 0, result: wins ? 'win' : 'loss' },
      opponent2: { score: wins ? 0 : 1, result: wins ? 'loss' : 'win' },
    })
  }
  return pairings.sort()
}

const played = (entrants: number, betterWins: boolean, plan = {}) => {
  const log = new EventLog({ format, ...plan }).start(entrants)
  for (let step = next(log.state, 0, new Set()); step.kind === 'draw'; ) {
    log.add({ ...step, kind: 'drawn' })
    for (const { board, accounts } of step.boards)
      log.play(board, accounts[0]! < accounts[1]! === betterWins ? [1, 2] : [2, 1])
    step = next(log.state, 0, new Set())
  }
  return log.add({ kind: 'finished' }).state
}

describe('a knockout', () => {
  it.each(
    Array.from({ length: 32 }, (_, index) => index + 2).flatMap(count => [
      [count, true] as const,
      [count, false] as const,
    ]),
  )(
    'of %i is drawn as brackets-manager draws it (the better one wins: %s)',
    async (count, wins) => {
      const boards = played(count, wins).rounds.flatMap(round => round.boards)
      const own = boards.map(({ accounts }) => accounts.toSorted((a, b) => a - b).join('-')).sort()
      expect(own).toEqual(await byBracketsManager(count, wins))
    },
  )

  it('gives the byes to the best, and ranks by the round that one came to', () => {
    const state = played(6, true)
    expect(state.rounds[0]!.byes).toEqual([1, 2])
    expect(table(state).map(({ account }) => account)).toEqual([1, 2, 3, 4, 5, 6])
    expect(champion(state)?.account).toBe(1)
  })

  it('shows rounds to come in its bracket, with places that are not known yet', () => {
    const log = new EventLog({ format }).start(5)
    const [first, second, third] = bracket(log.state).rounds
    expect(first!.map(({ accounts }) => accounts)).toEqual([
      [1, null],
      [4, 5],
      [2, null],
      [3, null],
    ])
    expect([second!.length, third!.length]).toEqual([2, 1])
    log.add({ kind: 'drawn', round: 1, boards: [{ board: 1, accounts: [5, 4] }], byes: [1, 2, 3] })
    expect(bracket(log.state).rounds[1]).toEqual([
      { board: null, accounts: [1, null], winners: [], isOver: false },
      { board: null, accounts: [2, 3], winners: [], isOver: false },
    ])
    expect(bracket(log.play(1, [1, 2]).state).rounds[1]![0]!.accounts).toEqual([1, 5])
    expect(bracket(log.state).rounds[0]![1]).toMatchObject({ board: 1, winners: [5], isOver: true })
  })

  it('lets those go on who were to meet one that has withdrawn', () => {
    const log = new EventLog({ format }).start(4).draw([1, 4], [3, 2]).play(1, [1, 2])
    log.play(2, [1, 2]).add({ kind: 'withdrew', account: 1, why: 'by itself' })
    expect(knockout(log.state)).toEqual({ boards: [[2, 4]], byes: [3] })
    log.add({ kind: 'drawn', round: 2, boards: [{ board: 1, accounts: [2, 4] }], byes: [3] })
    expect(bracket(log.state)).toMatchObject({
      rounds: [{}, [{ board: null, winners: [3], isOver: true }]],
      thirdPlace: { board: 1, isOver: false },
    })
    expect(champion(log.play(1, [1, 2]).add({ kind: 'finished' }).state)?.account).toBe(3)
  })

  it('keeps what is drawn where a board of an earlier round is settled otherwise afterwards', () => {
    const log = new EventLog({ format }).start(4).draw([1, 4], [2, 3]).play(1, [1, 2])
    log.play(2, [1, 2]).draw([1, 2], [3, 4]).play(1, [2, 1]).play(2, [1, 2])
    const reason = 'a mistake'
    log.add({ kind: 'settled', round: 1, board: 2, places: [2, 1], absent: [], reason })
    expect(bracket(log.state)).toMatchObject({
      rounds: [[{}, { winners: [3] }], [{ board: 1, accounts: [1, 2], winners: [2] }]],
      thirdPlace: { board: 2, accounts: [3, 4], winners: [3] },
    })
    expect(champion(log.add({ kind: 'finished' }).state)?.account).toBe(2)
  })

  it('lets no entrant go on from a board that counts for nothing', () => {
    const log = new EventLog({ format }).start(4).draw([1, 4], [2, 3]).play(1, [1, 2])
    expect(knockout(log.settle(2, null).state)).toEqual({ boards: [], byes: [1] })
  })

  it('of groups lets the best halves go on to one final', () => {
    for (let number = 0; number < 60; number++) {
      const seats = { least: 4, most: 4 }
      const { state } = simulatedEvent(number, 4 + (number % 29), { format, seats })
      for (const { boards } of state.rounds)
        for (const { accounts } of boards) expect(accounts).toHaveLength(4)
      const final = state.rounds.at(-1)!
      expect([final.boards.length, final.byes.length]).toEqual([1, 0])
      for (const [index, nodes] of bracket(state).rounds.slice(0, -1).entries()) {
        const { boards, byes } = state.rounds[index + 1]!
        const there = [...byes, ...boards.flatMap(({ accounts }) => accounts)]
        const { byes: rested } = state.rounds[index]!
        expect([...rested, ...nodes.flatMap(({ winners }) => winners)].toSorted()).toEqual(
          there.toSorted(),
        )
      }
      const [first] = bracket(state).rounds.at(-1)![0]!.winners
      expect(champion(state)?.account).toBe(first)
      expect(table(state)[0]!.account).toBe(first)
    }
  })
})
