// An event as JSON, for commands, the API and exports alike.

import type { AccountId } from '../arena/account.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { champion } from '../events/champion.ts'
import type { BoardMatch } from '../events/log.ts'
import type { EventPlan } from '../events/plan.ts'
import type { BoardState, EventState, EventStatus } from '../events/state.ts'
import { table } from '../events/table.ts'
import { type NameOf, namesOf } from './event-text.ts'
import { isoTime } from './time-text.ts'

/** What lists say of an event. */
export const eventSummary = ({ plan, status, entrants, ...event }: Summary) => ({
  id: plan.id,
  title: plan.title,
  game: plan.game,
  format: plan.format.kind,
  status,
  rated: plan.rated,
  entrants,
  most: plan.entrants.most,
  startsAt: isoTime(plan.startsAt),
  createdAt: isoTime(event.createdAt),
  startedAt: isoTime(event.startedAt),
  endedAt: isoTime(event.endedAt),
})

interface Summary {
  readonly plan: EventPlan
  readonly status: EventStatus
  readonly entrants: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Everything of an event. `matches`: all of its matches, live ones, too. */
export const eventRecord = (state: EventState, matches: readonly BoardMatch[]) => {
  const { entrants, rounds } = state
  const nameOf = namesOf(state)
  const count = entrants.filter(({ withdrawn }) => !withdrawn).length
  return {
    ...eventSummary({ ...state, entrants: count }),
    plan: publicPlan(state),
    champion: champion(state)?.name ?? null,
    reason: state.cancelled,
    players: entrants.map(({ number, name, rating, checkedIn, missed, withdrawn }) => ({
      number,
      name,
      rating,
      checkedIn,
      missed,
      withdrawn,
    })),
    rounds: rounds.map(({ round, drawnAt, boards, byes }) => ({
      round,
      drawnAt: isoTime(drawnAt),
      boards: boards.map(board => boardRecord(board, nameOf, matches)),
      byes: byes.map(nameOf),
    })),
    table: table(state).map(({ account: _, tieBreaks, ...row }) => ({
      ...row,
      tieBreaks: tieBreaks.map(({ name, value }) => ({ name, value })),
    })),
  }
}

/** The seed decides what is still to be drawn, so it is shown when nothing is. */
const publicPlan = ({ plan, endedAt }: EventState) => {
  const { format, points, seats, variant, time, entrants, ...rest } = plan
  return {
    format,
    points,
    seats,
    ladder: agentsLadder(plan.game, variant).id,
    time: time === null ? null : { move: time.move / 1_000, bank: time.bank / 1_000 },
    seed: endedAt === null ? null : rest.seed,
    startsWith: rest.startsWith,
    invitationOnly: rest.invited !== null,
    checkIn: rest.checkIn / 1_000,
    showUp: rest.showUp / 1_000,
    lateEntry: rest.lateEntry,
    entrants,
    openings: rest.openings,
    protocol: rest.protocol,
    options: rest.options,
  }
}

const boardRecord = (board: BoardState, nameOf: NameOf, matches: readonly BoardMatch[]) => {
  const { legs, settled, places } = board
  const prefix = `${board.round}.${board.board}.`
  const live = matches.find(match => match.status === 'live' && match.board.startsWith(prefix))
  return {
    board: board.board,
    players: board.accounts.map(nameOf),
    places,
    isOver: board.isOver,
    live: live?.match ?? null,
    matches: legs.map(({ leg, match, accounts, places, scores }) => ({
      leg,
      match,
      players: accounts.map((account: AccountId) => nameOf(account)),
      places,
      scores,
    })),
    settled:
      settled === null ? null : { reason: settled.reason, absent: settled.absent.map(nameOf) },
  }
}
