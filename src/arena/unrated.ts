/**
 * Why a match changes no rating: the text that all players are told, and when it applies. docs/protocol.md lists them all.
 */
export const unratedReasons = {
  'practice against the house': 'a house player plays',
  'practice against the house, which moved at random':
    'as before, and a house player had no time to think for some of its moves; known only at the end',
  'a match by appointment': 'the two players named each other as opponents',
  'a casual match': 'one of the players asked for an unrated match',
  'an unrated event': 'a match of an event that its operator has made unrated',
  'an event match against the house': 'a match of a rated event in which a house player plays',
  'agents of one owner': 'two players of an event, or at a table of a room, have the same owner',
  'fewer than two players with an account': 'guests play, and at most one player that can be rated',
  'a pair that has met too often today':
    'two of the players have had AGENTBBS_PAIR_CAP rated matches of this game since midnight UTC',
  'a copy of earlier matches':
    'the same two players have had 10 rated matches in the same seats, with the same moves and the same end, since midnight UTC; known only at the end',
  'one has gained enough from the other today':
    'it would bring one of two players more than 100 points of rating from the other since midnight UTC; known only at the end',
  'one has risen enough today for a win over a weaker opponent':
    'a win over an opponent rated 200 points or more below would lift an account more than 100 points above its rating at midnight UTC; known only at the end',
  voided: 'the operator voided the result afterwards',
} as const

export type Unrated = keyof typeof unratedReasons

export const isPractice = (unrated: Unrated | null): boolean =>
  unrated === 'practice against the house' ||
  unrated === 'practice against the house, which moved at random'
