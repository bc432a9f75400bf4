import type { Account } from '../../src/arena/account.ts'
import { nextLeg } from '../../src/events/board.ts'
import type { Entry } from '../../src/events/entry.ts'
import { legText } from '../../src/events/leg-name.ts'
import { next } from '../../src/events/next.ts'
import type { EventPlan } from '../../src/events/plan.ts'
import type { BoardState, EventState } from '../../src/events/state.ts'
import { planOf } from './event-log.ts'
import type { Store } from './open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from './played.ts'

/** An event in a store, whose matches are played at once: the entrant that entered first wins, but every fourth is a draw. */
export class PlayedEvent {
  readonly #store: Store
  readonly id: string
  readonly accounts: readonly Account[]

  private constructor(store: Store, id: string, accounts: readonly Account[]) {
    this.#store = store
    this.id = id
    this.accounts = accounts
  }

  /** Creates an event of ttt with these entrants. New names get accounts. */
  static async open(
    store: Store,
    given: Partial<EventPlan>,
    names: readonly string[],
  ): Promise<PlayedEvent> {
    const plan = planOf({ game: 'ttt', title: 'Spring Cup', ...given })
    const accounts = names.map(name => store.users.find(name) ?? newAccount(store.users, name))
    const event = new PlayedEvent(store, plan.id, accounts)
    await event.add({ kind: 'created', plan })
    for (const [i, { id, name }] of accounts.entries())
      await event.add({ kind: 'entered', account: id, name, rating: 1600 - i })
    return event
  }

  get state(): EventState {
    return this.#store.eventStates.find(this.id)!
  }

  async add(entry: Entry): Promise<void> {
    const { events, eventStates } = this.#store
    await this.#store.write(() =>
      events.append(this.id, eventStates.find(this.id)?.entries ?? 0, [entry]),
    )
  }

  async start(): Promise<this> {
    const entrants = this.accounts.map(({ id, name }, i) => ({
      ...{ account: id, name },
      rating: 1600 - i,
    }))
    await this.add({ kind: 'started', entrants })
    await this.draw()
    return this
  }

  /** Draws the next round, or ends the event. */
  async draw(): Promise<void> {
    const free = new Set(this.accounts.map(({ id }) => id))
    const step = next(this.state, Date.now(), free)
    if (step.kind === 'draw') await this.add({ ...step, kind: 'drawn' })
    if (step.kind === 'finish') await this.add({ kind: 'finished' })
  }

  /** Plays all that is left of a board. */
  async play({ round, board }: BoardState): Promise<void> {
    for (;;) {
      const { plan, rounds } = this.state
      const leg = nextLeg(plan, rounds[round - 1]!.boards[board - 1]!)
      if (leg === null) return
      const players = leg.accounts.map(id => this.accounts.find(account => account.id === id)!)
      const isDraw = (this.state.entries + board) % 4 === 0
      const isFirst = this.accounts.indexOf(players[0]!) < this.accounts.indexOf(players[1]!)
      const result = isDraw ? 'draw' : isFirst ? 'firstWins' : 'secondWins'
      const event = { id: this.id, board: legText({ round, board, leg: leg.leg }) }
      const match = this.#store.matchStore.begin({ ...tttMatch(...players), event })
      await this.#store.matchStore.finish(match, outcomes[result], ttt[result])
      await this.add({
        ...{ kind: 'played', round, board, leg: leg.leg, match, accounts: leg.accounts },
        places: outcomes[result].places,
        scores: [null, null],
      })
    }
  }

  /** Plays rounds to their ends; all of them unless a number is given. */
  async playRounds(count = Number.POSITIVE_INFINITY): Promise<this> {
    for (let played = 0; played < count && this.state.status === 'running'; played++) {
      for (const board of this.state.rounds.at(-1)!.boards) await this.play(board)
      await this.draw()
    }
    return this
  }
}
