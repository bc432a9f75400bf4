import type { AccountId } from '../../src/arena/account.ts'
import type { Entry, Numbered } from '../../src/events/entry.ts'
import { add, fold } from '../../src/events/fold.ts'
import type { EventPlan } from '../../src/events/plan.ts'
import type { EventState } from '../../src/events/state.ts'
import { eventPlan } from './event-plan.ts'

/** A plan of an event of Connect Four, with whatever else is given. */
export const planOf = (given: Partial<EventPlan> = {}): EventPlan =>
  eventPlan({
    game: 'c4',
    title: 'Spring cup',
    points: { by: 'result', win: 1, draw: 0.5, loss: 0 },
    entrants: { least: 2, most: 1000 },
    ...given,
  })

/** The log of an event in memory, folded entry by entry. */
export class EventLog {
  readonly entries: Numbered[] = []
  state: EventState

  constructor(given: Partial<EventPlan> = {}) {
    this.entries.push({ kind: 'created', plan: planOf(given), number: 1, at: 0 })
    this.state = fold(this.entries)
  }

  /** Enters and starts accounts 1 to `count`, the strongest first, who are called P1, P2 and so on. */
  start(count: number): this {
    const entrants = Array.from({ length: count }, (_, index) => ({
      account: index + 1,
      name: `P${index + 1}`,
      rating: 2000 - index,
    }))
    for (const entrant of entrants) this.add({ kind: 'entered', ...entrant })
    return this.add({ kind: 'started', entrants })
  }

  add(entry: Entry, at = this.entries.length): this {
    const numbered = { ...entry, number: this.entries.length + 1, at }
    this.entries.push(numbered)
    this.state = add(this.state, numbered)
    return this
  }

  draw(...boards: (readonly AccountId[])[]): this {
    return this.add({
      kind: 'drawn',
      round: this.state.rounds.length + 1,
      boards: boards.map((accounts, index) => ({ board: index + 1, accounts })),
      byes: [],
    })
  }

  /** The next match of a board of the last round, with places in the order of the board's accounts. */
  play(board: number, places: readonly number[]): this {
    const { round, boards } = this.state.rounds.at(-1)!
    const { accounts, legs } = boards[board - 1]!
    return this.add({
      kind: 'played',
      round,
      board,
      leg: legs.length + 1,
      match: this.entries.length,
      accounts,
      places,
      scores: places.map(() => null),
    })
  }

  settle(board: number, places: readonly number[] | null, absent: readonly AccountId[] = []): this {
    const { round } = this.state.rounds.at(-1)!
    return this.add({ kind: 'settled', round, board, places, absent, reason: 'did not come' })
  }
}
