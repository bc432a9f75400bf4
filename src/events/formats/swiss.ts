import type { AccountId } from '../../arena/account.ts'
import { lot } from '../lot.ts'
import { meetings } from '../meetings.ts'
import { pointsOf } from '../results.ts'
import { seatLeads } from '../seat-leads.ts'
import type { EventState } from '../state.ts'
import type { Drawing } from './drawing.ts'
import { matching } from './matching.ts'
import { activeOf, byesOf } from './who-plays.ts'

/**
 * The next round of a Swiss of pairs; null after the last. No entrant meets another one twice, has a second bye, or has the
 * first seat three times more often than the second, or less often. Within that those meet whose points are nearest, then
 * seats are evened out, and then the upper half of those with equal points meets the lower half. Rules give way, seats
 * first, only where no round could be drawn otherwise.
 */
export const swiss = (state: EventState, rounds: number): Drawing | null => {
  const active = activeOf(state)
  if (state.rounds.length >= rounds || active.length < 2) return null
  const field = fieldOf(state, active)
  for (const rules of [strict, anySeats, anything]) {
    const drawing = drawBy(state, field, rules)
    if (drawing !== null) return drawing
  }
  return null
}

interface Rules {
  readonly seats: boolean
  readonly rematches: boolean
}

const strict: Rules = { seats: true, rematches: false }
const anySeats: Rules = { seats: false, rematches: false }
const anything: Rules = { seats: false, rematches: true }

interface Contender {
  readonly account: AccountId
  /** Those with equal points, counted from 0 for the most points. */
  readonly group: number
  /** Its place in that group by seeding, from 0, and how many are in it. */
  readonly place: number
  readonly size: number
  readonly lead: number
}

const fieldOf = (state: EventState, active: readonly AccountId[]): readonly Contender[] => {
  const points = pointsOf(state)
  const leads = seatLeads(state)
  const worths = [...new Set(active.map(account => points(account)))].sort((a, b) => b - a)
  return worths.flatMap((worth, group) => {
    const equal = active.filter(account => points(account) === worth)
    return equal.map((account, place) => ({
      account,
      group,
      place,
      size: equal.length,
      lead: leads.get(account) ?? 0,
    }))
  })
}

const drawBy = (state: EventState, field: readonly Contender[], rules: Rules): Drawing | null => {
  const met = meetings(state)
  const bye = field.length % 2 === 1 ? field.length : null
  const resting = bye === null ? new Set() : mayRest(state, field)
  const pairs = matching(field.length + (bye === null ? 0 : 1), (left, right) => {
    const one = field[left]!
    if (right === bye) return resting.has(one.account) ? byeCost(field, one) : null
    const other = field[right]!
    const times = met(one.account, other.account)
    if (times > 0 && !rules.rematches) return null
    if (rules.seats && Math.abs(one.lead + other.lead) >= 4) return null
    return Math.min(times, 3) * 2 ** 44 + costOf(one, other)
  })
  if (pairs.length < Math.ceil(field.length / 2)) return null
  return {
    boards: pairs
      .filter(([, right]) => right !== bye)
      .map(([left, right]) => seated(state, field[left]!, field[right]!)),
    byes: pairs.flatMap(([left, right]) => (right === bye ? [field[left]!.account] : [])),
  }
}

/** Those who have had the fewest byes, which is none unless there are more rounds than entrants. */
const mayRest = (state: EventState, field: readonly Contender[]): ReadonlySet<AccountId> => {
  const byes = byesOf(state)
  const fewest = Math.min(...field.map(({ account }) => byes(account)))
  return new Set(field.map(({ account }) => account).filter(account => byes(account) === fewest))
}

/** In one number, each part too large to be made up for by the ones behind it: up to 500 pairs. */
const costOf = (one: Contender, other: Contender): number =>
  apart(other.group - one.group) * 2 ** 31 + clash(one, other) * 2 ** 18 + offCentre(one, other)

const apart = (groups: number) => Math.min(groups, 63) ** 2

/** How much both want the same seat. */
const clash = (one: Contender, other: Contender): number =>
  one.lead * other.lead > 0 ? Math.min(Math.abs(one.lead), Math.abs(other.lead), 4) ** 2 : 0

/** In one group number 1 of 8 is to meet number 5; of two groups the last of the upper one is to meet the first of the other. */
const offCentre = (one: Contender, other: Contender): number =>
  one.group === other.group
    ? Math.abs(other.place - one.place - Math.floor(one.size / 2))
    : one.size - 1 - one.place + other.place

/** The bye is for the last: the lowest group, and its last place. */
const byeCost = (field: readonly Contender[], one: Contender): number =>
  apart(field.at(-1)!.group - one.group) * 2 ** 31 + one.size - 1 - one.place

/** Who has had the first seat less often has it now, or who did not have it last, or by lot. */
const seated = (state: EventState, one: Contender, other: Contender): readonly AccountId[] => {
  const round = state.rounds.length + 1
  const wasFirst = ({ account }: Contender) =>
    state.rounds
      .flatMap(({ boards }) => boards)
      .findLast(({ accounts }) => accounts.includes(account))?.accounts[0] === account
  const lotOf = ({ account }: Contender) => lot(state.plan.seed, `seat ${round} ${account}`)
  return [one, other]
    .sort(
      (a, b) => a.lead - b.lead || Number(wasFirst(a)) - Number(wasFirst(b)) || lotOf(a) - lotOf(b),
    )
    .map(({ account }) => account)
}
