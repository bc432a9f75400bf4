// How a match ended, in the words of AGON: the result in `match_end`, in `matches/:id/result`, and in the messages about ratings.

import type { Ending as HostEnding, Outcome } from '../../arena/ending.ts'
import type { SeatPoints } from '../../arena/points.ts'
import type { EloChange } from '../../arena/room-elo.ts'
import type { RoomSetup } from '../../arena/room-setup.ts'
import type { Game, Seat, View } from '../../games/game.ts'
import type { Person, PersonType } from './people.ts'

/** What the host says of the end. */
export interface Ending {
  /** Null for a match that was aborted. */
  readonly outcome: Pick<Outcome, 'ending' | 'places' | 'scores' | 'faults' | 'detail'> | null
  /** By seat: the ratings in the room; null where it has changed none. */
  readonly elo: readonly EloChange[] | null
  /** By seat; null where it earned none. */
  readonly points: readonly number[] | null
}

interface Source extends Ending {
  readonly room: RoomSetup
  /** By seat. */
  readonly people: readonly Person[]
  readonly game: Game
  /** The last position, with nothing hidden. */
  readonly finalView: View
  readonly messages: number
  /** In seconds. */
  readonly duration: number
}

type EndReason =
  | 'checkmate'
  | 'stalemate'
  | 'draw'
  | 'go_score'
  | 'cap'
  | 'leave'
  | 'trade_scored'
  | 'forfeit'
  | 'disconnect'
  | 'both_disconnect'

export interface MatchResult {
  readonly winner_id: string | null
  readonly winner_type: PersonType | null
  readonly loser_id: string | null
  readonly end_reason: EndReason
  readonly participant_1_score: number
  readonly participant_2_score: number
  readonly vote_count: { readonly [participant: string]: number }
  readonly total_votes: number
  readonly elo_changes: { readonly [participant: string]: number }
  readonly points_awarded?: { readonly [participant: string]: number }
  readonly trade_result?: object
  readonly draw_reason?: 'audience_vote_tie'
  readonly duration_seconds: number
  readonly total_messages: number
}

export const resultOf = (source: Source): MatchResult => {
  const { room, people, outcome, elo, points, finalView, messages, duration } = source
  const winner = winnerOf(outcome)
  const reason = reasonOf(source)
  const scores = scoresOf(source, reason, winner)
  const votes = votesOf(finalView)
  const [one, two] = room.participants
  const byId = <T>(values: readonly T[]): { readonly [participant: string]: T } => ({
    [people[one]!.id]: values[one]!,
    [people[two]!.id]: values[two]!,
  })
  return {
    winner_id: winner === null ? null : people[winner]!.id,
    winner_type: winner === null ? null : people[winner]!.type,
    loser_id: winner === null ? null : people[1 - winner]!.id,
    end_reason: reason,
    participant_1_score: scores[one]!,
    participant_2_score: scores[two]!,
    vote_count: votes === null ? {} : byId(votes),
    total_votes: votes === null ? 0 : votes.reduce((sum, count) => sum + count, 0),
    elo_changes: byId(people.map((_, seat) => elo?.[seat]?.change ?? 0)),
    ...(points !== null && { points_awarded: byId(points) }),
    ...(room.id === 'trade_deal' && { trade_result: tradeResult(source) }),
    ...(votes !== null && winner === null && { draw_reason: 'audience_vote_tie' as const }),
    duration_seconds: duration,
    total_messages: messages,
  }
}

/** What the seat is told of its points: how it fared. */
export const fared = ({ winner_id }: MatchResult, { id }: Person): 'win' | 'draw' | 'loss' =>
  winner_id === null ? 'draw' : winner_id === id ? 'win' : 'loss'

/** What each seat has earned; null where the match earned nothing. */
export const earnedOf = (points: readonly SeatPoints[] | null): readonly number[] | null =>
  points?.some(({ earned }) => earned > 0) === true ? points.map(({ earned }) => earned) : null

const winnerOf = (outcome: Ending['outcome']): Seat | null => {
  const places = outcome?.places ?? []
  return places.filter(place => place === 1).length === 1 ? places.indexOf(1) : null
}

const reasonOf = ({ outcome, room, finalView }: Source): EndReason => {
  // The host has stopped, or had a fault: the reference has no word for it, and both were sent away.
  if (outcome === null) return 'both_disconnect'
  const { ending, faults, detail } = outcome
  const causes: readonly (HostEnding | null)[] = faults
  if (causes.every(fault => fault === 'gone')) return 'both_disconnect'
  if (causes.includes('gone')) return 'disconnect'
  if (causes.includes('resigned')) return 'leave'
  if (ending !== 'rules' && ending !== 'limit') return 'forfeit'
  switch (room.id) {
    case 'chess':
      return detail === 'checkmate' || detail === 'stalemate' ? detail : 'draw'
    case 'go':
      return 'go_score'
    case 'trade_deal':
      return 'trade_scored'
    case 'regular_debate':
    case 'spicy_debate':
      return finalView.left == null ? 'cap' : 'leave'
  }
}

const scoresOf = (
  { outcome, people }: Source,
  reason: EndReason,
  winner: Seat | null,
): readonly number[] => {
  if (reason === 'both_disconnect') return people.map(() => 0)
  const isByRules = outcome?.ending === 'rules' || outcome?.ending === 'limit'
  if (isByRules && outcome.scores !== undefined) return outcome.scores
  return people.map((_, seat) => (winner === null ? 0.5 : winner === seat ? 1 : 0))
}

/** The votes of the audience by seat; null where it has not voted. */
const votesOf = ({ votes }: View): readonly number[] | null =>
  Array.isArray(votes) ? (votes as readonly number[]) : null

/** Made of what each holds and wants, so that a match that ended before its last message has one, too. */
const tradeResult = ({ finalView, room }: Source): object => {
  const { holdings, goals } = finalView as unknown as Traded
  const of = (seat: Seat) => {
    const goal = goals[seat]!
    const held = holdings[seat]![goal.resource]!
    const progress = Math.min(1, held / goal.amount)
    const total_units = Object.values(holdings[seat]!).reduce((sum, units) => sum + units, 0)
    return { goal, held, progress, goal_met: progress === 1, total_units }
  }
  const [one, two] = room.participants
  return { participant_1: of(one), participant_2: of(two) }
}

interface Traded {
  readonly holdings: readonly { readonly [resource: string]: number }[]
  readonly goals: readonly {
    readonly resource: string
    readonly amount: number
    readonly points: number
  }[]
}
