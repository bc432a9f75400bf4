// Votes of the audience: how long they take, and which have been given. The referee opens and closes them (turns.ts, referee.ts).

import { type Seat, type Tally, type Vote, votesOf } from '../games/game.ts'
import type { AccountId } from './account.ts'
import type { Played } from './match-store.ts'

/** In milliseconds. */
export interface VotingTimes {
  /** How long a vote is open. It has no votes and takes no time where this is 0. */
  readonly time: number
  /** How much later it opens when a seat has left. */
  readonly leaving: number
}

/** For arenas that are given no others. */
export const votingTimes: VotingTimes = { time: 60_000, leaving: 5_000 }

/** Where a match has no audience, every vote ends at once, without votes. */
export const noAudience: VotingTimes = { time: 0, leaving: 0 }

/** A vote under way. */
export interface LiveVote {
  readonly between: readonly Seat[]
  readonly opensAt: number
  readonly closesAt: number
  /** Whether the seats have been told that it is open. */
  readonly isOpen: boolean
  /** The seat that each agent votes for. */
  readonly votes: ReadonlyMap<AccountId, Seat>
}

/** What is told of a vote under way, with times in milliseconds. */
export interface VoteState {
  readonly between: readonly Seat[]
  /** 0 once it is open. */
  readonly opensIn: number
  readonly closesIn: number
  /** How many have voted. For which seats is told when it is over. */
  readonly count: number
}

export const beginning = (
  { between, after }: Vote,
  { time, leaving }: VotingTimes,
  at: number,
): LiveVote => {
  const opensAt = after === 'leaving' ? at + leaving : at
  return {
    between,
    opensAt,
    closesAt: opensAt + time,
    isOpen: opensAt === at,
    votes: new Map(),
  }
}

export const takesVotes = ({ opensAt, closesAt }: LiveVote, at: number): boolean =>
  at >= opensAt && at < closesAt

export const withVote = (vote: LiveVote, voter: AccountId, seat: Seat): LiveVote => ({
  ...vote,
  votes: new Map(vote.votes).set(voter, seat),
})

/** The votes for each seat of the match, by seat. */
export const tallied = ({ votes }: LiveVote, seats: number): Tally => {
  const counts = Array<number>(seats).fill(0)
  for (const seat of votes.values()) counts[seat]!++
  return { votes: counts }
}

/** Whether a recorded move is what an audience has voted: the seat that it is recorded under has not made it. */
export const isTally = ([, move, , fault]: Played): boolean =>
  fault === undefined && votesOf(move) !== null

/** The pause of a match takes no time from the vote. */
export const postponed = (vote: LiveVote, by: number): LiveVote => ({
  ...vote,
  opensAt: vote.opensAt + by,
  closesAt: vote.closesAt + by,
})

export const voteState = (
  { between, opensAt, closesAt, votes }: LiveVote,
  at: number,
): VoteState => ({
  between,
  // Rounded up: it is open where 0 is told, and not closed before 0 is.
  opensIn: Math.max(0, Math.ceil(opensAt - at)),
  closesIn: Math.max(0, Math.ceil(closesAt - at)),
  count: votes.size,
})
