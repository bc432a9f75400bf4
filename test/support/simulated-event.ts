import type { AccountId } from '../../src/arena/account.ts'
import { nextLeg } from '../../src/events/board.ts'
import { next } from '../../src/events/next.ts'
import type { EventPlan } from '../../src/events/plan.ts'
import type { EventState } from '../../src/events/state.ts'
import { Dice } from '../../src/games/dice.ts'
import { EventLog } from './event-log.ts'

export interface Trouble {
  /** One board in so many is missed by one of its entrants; never where left out. */
  readonly absences?: number
  /** After one round in so many, an entrant withdraws. */
  readonly withdrawals?: number
  /** After one round in so many, another one enters. */
  readonly entries?: number
}

/** A whole event with results by dice, in which a lower account is the stronger one. It must end, and is checked to. */
export const simulatedEvent = (
  number: number,
  entrants: number,
  plan: Partial<EventPlan>,
  trouble: Trouble = {},
): EventLog => {
  const dice = Dice.fromSeed(number)
  const seed = number.toString(16).padStart(32, '0')
  const log = new EventLog({ seed, ...plan }).start(entrants)
  const chance = (oneIn = 0) => oneIn > 0 && dice.roll(oneIn) === 0
  const playLeg = (round: number, board: number) => {
    const open = log.state.rounds[round - 1]!.boards[board - 1]!
    if (chance(trouble.absences)) {
      const absent = dice.pick(open.accounts)
      const places = open.accounts.map(account => (account === absent ? open.accounts.length : 1))
      const reason = 'did not come'
      return log.add({ kind: 'settled', round, board, places, absent: [absent], reason })
    }
    const leg = nextLeg(log.state.plan, open)!
    const strengths = leg.accounts.map(account => dice.roll(10) - Math.floor(account / 8))
    const places = strengths.map(own => 1 + strengths.filter(other => other > own).length)
    const scores = places.map(() => null)
    return log.add({ kind: 'played', round, board, match: 1, places, scores, ...leg })
  }
  let now = log.entries.length
  for (let steps = 0; steps < 20_000; steps++) {
    const open = log.state.rounds.flatMap(({ boards }) => boards.filter(board => !board.isOver))
    const step = next(log.state, ++now, freeOf(log.state))
    if (step.kind === 'finish') return log.add({ kind: 'finished' }, now)
    if (step.kind === 'draw') log.add({ ...step, kind: 'drawn' }, now)
    else if (open.length > 0) {
      const { round, board } = dice.pick(open)
      playLeg(round, board)
    } else if (log.state.plan.format.kind !== 'arena')
      throw new Error('the event waits for nothing')
    if (step.kind !== 'draw') continue
    const there = log.state.entrants.filter(({ withdrawn }) => !withdrawn)
    if (chance(trouble.withdrawals) && there.length > 2)
      withdraw(log, dice.pick(there).account, now)
    if (chance(trouble.entries)) {
      const account = log.state.entered + 1
      log.add({ kind: 'entered', account, name: `P${account}`, rating: 1500 }, now)
    }
  }
  throw new Error('the event did not end')
}

/** Its open boards are settled, as the director does. */
const withdraw = (log: EventLog, account: AccountId, now: number) => {
  log.add({ kind: 'withdrew', account, why: 'by itself' }, now)
  for (const { round, boards } of log.state.rounds)
    for (const { board, accounts, isOver } of boards)
      if (!isOver && accounts.includes(account)) {
        const places = accounts.map(own => (own === account ? accounts.length : 1))
        log.add({ kind: 'settled', round, board, places, absent: [], reason: 'withdrew' }, now)
      }
}

const freeOf = ({ entrants, rounds }: EventState): ReadonlySet<AccountId> => {
  const busy = new Set(
    rounds.flatMap(({ boards }) =>
      boards.flatMap(({ accounts, isOver }) => (isOver ? [] : accounts)),
    ),
  )
  return new Set(entrants.map(({ account }) => account).filter(account => !busy.has(account)))
}
