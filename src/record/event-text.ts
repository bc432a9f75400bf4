// Events in words, the same on pages, in the hub and in commands.

import type { AccountId } from '../arena/account.ts'
import { isFinal } from '../events/bracket.ts'
import type { Format, Points } from '../events/plan.ts'
import type { BoardState, EventState, EventStatus } from '../events/state.ts'
import type { TieBreak } from '../events/tie-breaks.ts'
import { gameOf } from '../games/index.ts'
import { countText } from './count-text.ts'
import { momentText } from './time-text.ts'

/** "Swiss, 7 rounds". */
export const formatText = (format: Format): string => {
  switch (format.kind) {
    case 'round-robin':
      return format.cycles === 1 ? 'round robin' : 'double round robin'
    case 'swiss':
      return `Swiss, ${countText(format.rounds, 'round')}`
    case 'knockout':
      return `knockout${bestOfText(format.bestOf)}`
    case 'arena':
      return `arena, ${countText(Math.round(format.lasts / 60_000), 'minute')}`
    case 'series':
      return `series${bestOfText(format.bestOf)}`
  }
}

const bestOfText = (bestOf: number) => (bestOf === 1 ? '' : `, best of ${bestOf}`)

/** "3 for a win, 1 for a draw, 0 for a loss". */
export const pointsRuleText = (points: Points): string =>
  points.by === 'result'
    ? `${pointsText(points.win)} for a win, ${pointsText(points.draw)} for a draw, ${pointsText(points.loss)} for a loss`
    : `${points.worth.map(pointsText).join(', ')} by place`

/** Points with halves and quarters: "2½". */
export const pointsText = (points: number): string => {
  const whole = Math.trunc(points)
  const part = ['', '¼', '½', '¾'][(points - whole) * 4]
  if (!part) return String(Math.round(points * 100) / 100)
  return `${whole === 0 ? '' : whole}${part}`
}

export const statusTexts: Readonly<Record<EventStatus, string>> = {
  open: 'open for entry',
  running: 'running',
  paused: 'paused',
  finished: 'finished',
  cancelled: 'cancelled',
}

/** "running, started 2026-11-21 18:00Z", and of one that was cancelled, why. */
export const stateText = (event: EventState): string =>
  event.cancelled === null
    ? `${statusTexts[event.status]}, ${whenText(event)}`
    : `${whenText(event)}: ${event.cancelled}`

/** "starts 2026-11-21 18:00Z", or what else there is to say of its time. */
export const whenText = ({
  plan,
  status,
  startedAt,
  endedAt,
}: Pick<EventState, 'plan' | 'status' | 'startedAt' | 'endedAt'>): string => {
  if (status === 'cancelled') return `cancelled ${momentText(endedAt!)}`
  if (endedAt !== null) return `ended ${momentText(endedAt)}`
  if (startedAt !== null) return `started ${momentText(startedAt)}`
  if (plan.startsAt !== null) return `starts ${momentText(plan.startsAt)}`
  if (plan.startsWith !== null) return `starts with ${countText(plan.startsWith, 'entrant')}`
  return 'starts when the operator says so'
}

export const eventGameText = ({ plan }: Pick<EventState, 'plan'>): string =>
  gameOf(plan.game)?.title ?? plan.game

/** What its column in a table is called. */
export const tieBreakTitles: Readonly<Record<TieBreak, string>> = {
  directEncounter: 'Direct',
  buchholzCut1: 'Buchholz',
  sonnebornBerger: 'S-B',
  wins: 'Wins',
  number: 'Id',
  seeding: 'Seed',
  lot: 'Lot',
}

export type NameOf = (account: AccountId) => string

/** The names of the entrants by account. */
export const namesOf = ({ entrants }: EventState): NameOf => {
  const names = new Map(entrants.map(({ account, name }) => [account, name]))
  return account => names.get(account) ?? `account ${account}`
}

/** "anna – bob". */
export const boardNames = ({ accounts }: Pick<BoardState, 'accounts'>, nameOf: NameOf): string =>
  accounts.map(nameOf).join(' – ')

/**
 * What each account of a board has, in their order: matches won, where a pairing has several; 1, ½ or 0 where it has one; its
 * place in a group. Null where there is nothing yet.
 */
export const boardScores = (board: BoardState): readonly string[] | null => {
  const { accounts, legs, settled, places, isOver } = board
  if (accounts.length !== 2) return places?.map(String) ?? null
  if (places !== null && isOver && (settled !== null || legs.length < 2)) {
    const best = places.filter(place => place === 1).length
    return places.map(place => (place === 1 ? pointsText(1 / best) : '0'))
  }
  return legs.length === 0 ? null : accounts.map(account => pointsText(sharesOf(account, legs)))
}

/** Matches won; a drawn one counts half. */
const sharesOf = (account: AccountId, legs: BoardState['legs']) =>
  legs.reduce((sum, leg) => {
    if (leg.places[leg.accounts.indexOf(account)] !== 1) return sum
    return sum + 1 / leg.places.filter(place => place === 1).length
  }, 0)

/** "2–1", or the places of a group: "1, 3, 2, 4". Null where there is nothing yet. */
export const boardScore = (board: BoardState): string | null =>
  board.settled !== null && board.settled.places === null
    ? 'not counted'
    : (boardScores(board)?.join(board.accounts.length === 2 ? '–' : ', ') ?? null)

/** Why a board ended otherwise than by its matches: "bob did not come". Null where it did not. */
export const boardNote = ({ settled, legs, isOver }: BoardState, nameOf: NameOf): string | null => {
  if (settled === null) return isOver && legs.length === 0 ? 'walkover' : null
  const { absent, reason } = settled
  return absent.length > 0 ? `${absent.map(nameOf).join(', ')} did not come` : reason
}

/** What the rounds of a knockout are called, of `count`: "Round 1", "Quarterfinals", "Semifinals", "Final". */
export const knockoutRoundText = (
  { plan, rounds }: EventState,
  round: number,
  count: number,
): string => {
  const drawn = rounds[round - 1]
  // How many rounds there will be of groups is not known before the last one is drawn.
  if (plan.seats.most > 2) return drawn !== undefined && isFinal(drawn) ? 'Final' : `Round ${round}`
  return ['Final', 'Semifinals', 'Quarterfinals'][count - round] ?? `Round ${round}`
}

/** What an entrant is told when the newest round has a board for it: "Spring Cup, round 2: you meet bob." */
export const callText = (event: EventState, account: AccountId): string | null => {
  const board = event.rounds.at(-1)?.boards.find(({ accounts }) => accounts.includes(account))
  if (board === undefined || board.isOver) return null
  const others = board.accounts.filter(other => other !== account).map(namesOf(event))
  return `${event.plan.title}, round ${board.round}: you meet ${others.join(', ')}.`
}

/** The boards that are still to be played or being played, in the order of their rounds. */
export const openBoards = ({ rounds }: EventState): readonly BoardState[] =>
  rounds.flatMap(({ boards }) => boards.filter(({ isOver }) => !isOver))
