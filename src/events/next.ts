import type { AccountId } from '../arena/account.ts'
import type { Board } from './entry.ts'
import { arena, arenaEnds } from './formats/arena.ts'
import type { Drawing } from './formats/drawing.ts'
import { knockout } from './formats/knockout.ts'
import { knockoutGroups } from './formats/knockout-groups.ts'
import { schedule } from './formats/round-robin.ts'
import { roundRobinGroups } from './formats/round-robin-groups.ts'
import { swiss } from './formats/swiss.ts'
import { swissGroups } from './formats/swiss-groups.ts'
import { activeOf } from './formats/who-plays.ts'
import type { EventState } from './state.ts'

/** What has to happen in an event. */
export type Step =
  /** Enter this as `drawn`, and call its boards. */
  | {
      readonly kind: 'draw'
      readonly round: number
      readonly boards: readonly Board[]
      readonly byes: readonly AccountId[]
    }
  | { readonly kind: 'wait' }
  | { readonly kind: 'finish' }

/**
 * `free`: those who are here and have no board. Only an arena asks, which is drawn again as soon as entrants are free. The
 * entry that follows from a step has to have `now` as its time, so that `verify` can make the step again.
 */
export const next = (state: EventState, now: number, free: ReadonlySet<AccountId>): Step => {
  if (state.status !== 'running') return { kind: 'wait' }
  const ends = arenaEnds(state)
  if (ends !== null && now < ends) return stepOf(state, arena(state, free)) ?? { kind: 'wait' }
  if (state.rounds.some(({ boards }) => boards.some(board => !board.isOver)))
    return { kind: 'wait' }
  return stepOf(state, draw(state)) ?? { kind: 'finish' }
}

const stepOf = (state: EventState, drawing: Drawing | null): Step | null =>
  drawing && {
    kind: 'draw',
    round: state.rounds.length + 1,
    boards: drawing.boards.map((accounts, index) => ({ board: index + 1, accounts })),
    byes: drawing.byes,
  }

/** The next round; null after the last. */
const draw = (state: EventState): Drawing | null => {
  const { format, seats } = state.plan
  const inGroups = seats.most > 2
  switch (format.kind) {
    case 'round-robin':
      return inGroups
        ? roundRobinGroups(state, format.cycles)
        : (schedule(state)[state.rounds.length] ?? null)
    case 'swiss':
      return inGroups ? swissGroups(state, format.rounds) : swiss(state, format.rounds)
    case 'knockout':
      return inGroups ? knockoutGroups(state) : knockout(state)
    case 'series':
      return state.rounds.length === 0 ? series(activeOf(state)) : null
    case 'arena':
      return null
  }
}

const series = ([one, other]: readonly AccountId[]): Drawing | null =>
  one === undefined || other === undefined ? null : { boards: [[one, other]], byes: [] }
