// Who may take part in an event, and when it starts. Each answers with the entries that follow, or with a refusal.

import { type AccountId, lookOf } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Fault } from '../arena/ending.ts'
import { quoted } from '../games/words.ts'
import type { Entry } from './entry.ts'
import { add } from './fold.ts'
import type { Entrant, EventState } from './state.ts'

export type Decision = readonly Entry[] | Refusal

/** The account of an agent, with its rating on the ladder of the event. */
export interface Candidate {
  readonly account: AccountId
  readonly name: string
  readonly rating: number
  /** The number in the id that its protocol has granted it. */
  readonly granted?: number | undefined
}

export const isOver = ({ status }: EventState): boolean =>
  status === 'finished' || status === 'cancelled'

export const entrantOf = (state: EventState, account: AccountId): Entrant | undefined =>
  state.entrants.find(entrant => entrant.account === account)

export const enter = (
  state: EventState,
  { account, name, rating, granted }: Candidate,
): Decision => {
  const { plan, status, entrants } = state
  const { id, invited } = plan
  const known = entrantOf(state, account)
  if (isOver(state)) return over(state)
  if (known !== undefined && !known.withdrawn) return []
  if (invited !== null && !invited.some(word => lookOf(word) === lookOf(name)))
    return {
      code: 'not-invited',
      detail: `${quoted(name)} is not among those who are invited to ${id}: ask its operator`,
    }
  if (status !== 'open' && !plan.lateEntry)
    return known === undefined
      ? { code: 'event-closed', detail: `${id} has started, and takes no late entrants` }
      : { code: 'event-closed', detail: `${name} has withdrawn from ${id}, or missed two pairings` }
  const present = entrants.filter(({ withdrawn }) => !withdrawn).length
  if (present >= plan.entrants.most)
    return { code: 'event-full', detail: `${id} has its ${plan.entrants.most} entrants` }
  return [{ kind: 'entered', account, name, rating, ...(granted !== undefined && { granted }) }]
}

export const withdraw = (
  state: EventState,
  account: AccountId,
  why: Extract<Entry, { kind: 'withdrew' }>['why'],
): Decision => {
  if (isOver(state)) return over(state)
  const entrant = entrantOf(state, account)
  if (entrant === undefined) return notIn(state)
  return entrant.withdrawn ? [] : [{ kind: 'withdrew', account, why }]
}

/** From when on entrants may say that they are there; null where they need not. */
export const checkInFrom = ({ plan }: EventState): number | null =>
  plan.checkIn > 0 && plan.startsAt !== null ? plan.startsAt - plan.checkIn : null

export const checkIn = (state: EventState, account: AccountId, now: number): Decision => {
  if (isOver(state)) return over(state)
  const entrant = entrantOf(state, account)
  if (entrant === undefined) return notIn(state)
  const from = checkInFrom(state)
  if (entrant.checkedIn || state.status !== 'open' || from === null) return []
  if (now < from)
    return {
      code: 'event-state',
      detail: `check-in for ${state.plan.id} begins at ${new Date(from).toISOString()}`,
      retryAfter: Math.ceil((from - now) / 1000),
    }
  return [{ kind: 'checked-in', account }]
}

/**
 * Starts an event with those that have entered. `isDue`: its time has come, so those that had to check in and have not are
 * left out, and it is cancelled where too few are there. A command starts it with all, or not.
 */
export const start = (
  state: EventState,
  ratingOf: (entrant: Entrant) => number,
  isDue: boolean,
): Decision => {
  const { plan, status } = state
  if (isOver(state)) return over(state)
  if (status !== 'open')
    return { code: 'event-state', detail: `${plan.id} has started already: it is ${status}` }
  const isLeftOut = ({ checkedIn }: Entrant) => isDue && checkInFrom(state) !== null && !checkedIn
  const there = state.entrants.filter(entrant => !isLeftOut(entrant))
  if (there.length < plan.entrants.least) {
    const few = `${there.length} of at least ${plan.entrants.least} entrants ${there.length === 1 ? 'is' : 'are'} there`
    return isDue
      ? [{ kind: 'cancelled', reason: few }]
      : { code: 'event-state', detail: `${plan.id} cannot start: ${few}` }
  }
  const seeded = there.map(entrant => ({
    account: entrant.account,
    name: entrant.name,
    rating: ratingOf(entrant),
  }))
  return [
    ...state.entrants
      .filter(isLeftOut)
      .map(({ account }) => ({ kind: 'withdrew', account, why: 'not checked in' }) as const),
    // Equal ratings stay in the order in which they entered.
    { kind: 'started', entrants: seeded.toSorted((a, b) => b.rating - a.rating) },
  ]
}

export const pause = (state: EventState): Decision =>
  isOver(state)
    ? over(state)
    : state.status === 'running'
      ? [{ kind: 'paused' }]
      : { code: 'event-state', detail: `${state.plan.id} is not running: it is ${state.status}` }

export const resume = (state: EventState): Decision =>
  isOver(state)
    ? over(state)
    : state.status === 'paused'
      ? [{ kind: 'resumed' }]
      : { code: 'event-state', detail: `${state.plan.id} is not paused: it is ${state.status}` }

export const cancel = (state: EventState, reason: string): Decision =>
  isOver(state) ? over(state) : [{ kind: 'cancelled', reason }]

export type Settlement = Omit<Extract<Entry, { kind: 'settled' }>, 'kind'>

/** An entrant that misses its second board by it is withdrawn. */
export const settle = (state: EventState, settlement: Settlement): Decision => {
  const { round, board, places, absent } = settlement
  if (isOver(state)) return over(state)
  const found = state.rounds[round - 1]?.boards[board - 1]
  const { id } = state.plan
  if (found === undefined)
    return { code: 'event-state', detail: `there is no pairing ${round}.${board} in ${id}` }
  if (places !== null && places.length !== found.accounts.length)
    return {
      code: 'event-state',
      detail: `pairing ${round}.${board} of ${id} has ${found.accounts.length} places, not ${places.length}`,
    }
  const earlier = found.settled?.absent ?? []
  const missed = absent
    .filter(account => !earlier.includes(account))
    .flatMap(account => entrantOf(state, account) ?? [])
    .filter(({ missed, withdrawn }) => missed + 1 >= 2 && !withdrawn)
  return [
    { kind: 'settled', ...settlement },
    ...missed.map(({ account }) => ({ kind: 'withdrew', account, why: twoMissed }) as const),
  ]
}

const twoMissed = 'two boards missed'

export type Result = Omit<Extract<Entry, { kind: 'played' }>, 'kind'>

/** A match has its result. A repeat is no entry. */
export const play = (state: EventState, result: Result): Decision => {
  if (isOver(state)) return over(state)
  const found = state.rounds[result.round - 1]?.boards[result.board - 1]
  if (
    found === undefined ||
    result.places.length !== result.accounts.length ||
    !result.accounts.every(account => found.accounts.includes(account))
  )
    return {
      code: 'event-state',
      detail: `there is no match ${result.round}.${result.board}.${result.leg} of these players in ${state.plan.id}`,
    }
  return found.legs.some(({ leg }) => leg === result.leg) ? [] : [{ kind: 'played', ...result }]
}

/** What a match has come to beside its result. */
interface Circumstances {
  readonly faults: readonly (Fault | null)[]
  /** Those of a group who did not come to it. */
  readonly absent: readonly AccountId[]
}

/** A match of the host has its result, and the board is settled with it where it needs to be: in one append, or a crash could come between. */
export const conclude = (
  state: EventState,
  result: Result,
  { faults, absent }: Circumstances,
): Decision => {
  const played = play(state, result)
  if ('code' in played || played.length === 0) return played
  const { round, board } = result
  const found = state.rounds[round - 1]!.boards[board - 1]!
  if (found.isOver) return played
  if (state.plan.protocol === 'league.v2' && faults.every(fault => fault !== null)) {
    const places = found.accounts.map(() => 2)
    const reason = 'neither player answered the referee'
    const settled = settle(state, { round, board, places, absent: [], reason })
    // First, so that no listener hears of a draw.
    return 'code' in settled ? settled : [...settled, ...played]
  }
  if (absent.length === 0) return played
  const after = add(state, { kind: 'played', ...result, number: state.entries + 1, at: 0 })
  const { places, isOver: isDecided } = after.rounds[round - 1]!.boards[board - 1]!
  if (!isDecided) return played
  const settled = settle(state, { round, board, places, absent, reason: 'not all came' })
  return 'code' in settled ? settled : [...played, ...settled]
}

export const over = ({ plan: { id }, cancelled }: EventState): Refusal => ({
  code: 'event-over',
  detail: cancelled === null ? `${id} is over` : `${id} was cancelled: ${cancelled}`,
})

const notIn = ({ plan: { id } }: EventState): Refusal => ({
  code: 'event-state',
  detail: `this account has not entered ${id}`,
})
