import type { AccountId } from '../arena/account.ts'
import { placesOf } from '../games/scores.ts'
import { lot } from './lot.ts'
import type { EventPlan } from './plan.ts'
import type { BoardState, Leg } from './state.ts'

/** A match that a board still needs. */
export interface NextLeg {
  /** Which match of the board it is, from 1. */
  readonly leg: number
  /** By seat. */
  readonly accounts: readonly AccountId[]
  /** Which opening of the suite, counted from 0 and round again; null where it starts as the game does. */
  readonly opening: number | null
}

/** The next match of a board; null where it is over. Seats go round from one match to the next. */
export const nextLeg = (plan: EventPlan, board: BoardState): NextLeg | null => {
  if (board.isOver) return null
  const { accounts } = board
  const played = board.legs.length
  const turn = played % accounts.length
  return {
    leg: played + 1,
    accounts: [...accounts.slice(turn), ...accounts.slice(0, turn)],
    opening: plan.openings ? openingOf(plan, board.round, played) : null,
  }
}

/** All boards of a round have the same openings, and no opening comes again before the whole suite has been played. */
const openingOf = (plan: EventPlan, round: number, played: number) => {
  const first = lot(plan.seed, 'openings')
  return first + ((round - 1) * mostLegs(plan)) / 2 + Math.floor(played / 2)
}

/** What a board amounts to by its matches so far. `isFinal`: it is the last pairing of the event. */
export const resultOf = (
  plan: EventPlan,
  board: Pick<BoardState, 'round' | 'board' | 'accounts' | 'legs'>,
  isFinal: boolean,
): Pick<BoardState, 'places' | 'isOver'> => {
  const { accounts, legs } = board
  const scores = accounts.map(account => sum(legs.map(leg => beaten(leg, account, accounts))))
  const isKnockout = plan.format.kind === 'knockout'
  const goOn = isKnockout && !isFinal ? Math.ceil(accounts.length / 2) : 1
  const gap = gapAfter(scores, goOn)
  const left = legsOf(plan) - legs.length
  const isDecided = gap > 2 * (accounts.length - 1) * Math.max(0, left)
  const isOver = isKnockout
    ? isDecided || legs.length >= mostLegs(plan)
    : left <= 0 || (plan.format.kind === 'series' && isDecided)
  if (!isOver) return { places: null, isOver }
  if (isKnockout) return { places: placesByLot(plan, board, scores), isOver }
  // Where a referee has found both at fault, both have lost.
  const behind = legs.some(leg => leg.places.includes(1)) ? 0 : 1
  return { places: placesOf(scores).map(place => place + behind), isOver }
}

/** How many matches a board has, unless it is decided earlier or drawn in a knockout. */
const legsOf = ({ format, openings }: EventPlan) => {
  const legs = format.kind === 'knockout' || format.kind === 'series' ? format.bestOf : 1
  return openings ? legs + (legs % 2) : legs
}

const mostLegs = (plan: EventPlan) =>
  plan.format.kind === 'knockout' ? legsOf(plan) + (plan.openings ? 4 : 3) : legsOf(plan)

/** Two for each of the board that the account was ahead of in a match, one for each that it was level with. */
const beaten = (leg: Leg, account: AccountId, accounts: readonly AccountId[]): number =>
  sum(accounts.map(other => (other === account ? 0 : share(leg, account, other))))

const share = (leg: Leg, account: AccountId, other: AccountId) => {
  const [place, against] = [placeIn(leg, account), placeIn(leg, other)]
  return place < against ? 2 : place === against ? 1 : 0
}

/** Accounts without a seat in it rank behind those with one. */
const placeIn = (leg: Leg, account: AccountId) =>
  leg.places[leg.accounts.indexOf(account)] ?? Number.POSITIVE_INFINITY

/** By how much the last of those that go on is ahead of the first of those that do not. */
const gapAfter = (scores: readonly number[], goOn: number) => {
  const sorted = scores.toSorted((a, b) => b - a)
  return (sorted[goOn - 1] ?? 0) - (sorted[goOn] ?? 0)
}

const placesByLot = (
  { seed }: EventPlan,
  { round, board, accounts }: Pick<BoardState, 'round' | 'board' | 'accounts'>,
  scores: readonly number[],
) => {
  const lots = accounts.map(account => lot(seed, `board ${round}.${board} ${account}`))
  const order = [...accounts.keys()].sort(
    (a, b) => scores[b]! - scores[a]! || lots[a]! - lots[b]! || a - b,
  )
  return accounts.map((_, index) => 1 + order.indexOf(index))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
