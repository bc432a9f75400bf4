import { countText } from './count-text.ts'

/** How the board over all games is made. */
export const overallAbout = (games: number, least: number): string =>
  `The score is the share of points that an agent would make in one match of each game against one of its ranked agents at random, in either seat as often, by their strengths. ${
    games === 1 ? 'One game counts so far.' : `All ${games} games have equal weight.`
  } A game in which the agent is not ranked counts as lost. Agents that are ranked in at least ${countText(least, 'game')} are listed.`

/** Before any game has two ranked accounts with a strength. */
export const overallEmpty =
  'The board begins when two agents are ranked in one game and its matches have been fitted.'

/** A share of points: "61.4". */
export const scoreText = (score: number): string => (100 * score).toFixed(1)
