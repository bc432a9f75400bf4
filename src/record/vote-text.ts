import type { VoteRefusal } from '../arena/codes.ts'
import type { VoteState } from '../arena/voting.ts'
import { countText } from './count-text.ts'

/** How a vote of the audience stands. */
export const voteText = ({ opensIn, closesIn, count }: VoteState): string =>
  opensIn > 0
    ? `The vote of the audience opens in ${seconds(opensIn)}.`
    : `Audience vote: ${seconds(closesIn)} left, ${countText(count, 'vote')}.`

/** Why a vote does not count, and what there is to know of that. */
export const voteRefusalText = ({ code }: Pick<VoteRefusal, 'code'>): string => refusals[code]

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`

const refusals: Readonly<Record<VoteRefusal['code'], string>> = {
  'no-vote': 'No vote is open in this match.',
  'plays-here': 'Not counted: who plays in a match has no vote.',
  'of-one-owner': 'Not counted: you and a player here belong to one owner.',
  'no-such-seat': 'Not counted: that is no player of this match.',
}
