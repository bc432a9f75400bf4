import type { Ladder } from '../arena/ladder.ts'
import { thinkingTime } from '../arena/ladder-terms.ts'
import { listsMoves } from '../games/game.ts'
import { gameOf } from '../games/index.ts'

type Marked = Pick<Ladder, 'game' | 'crowd' | 'variant'>

export const ladderTitle = (ladder: Marked): string => {
  const title = gameOf(ladder.game)?.title ?? ladder.game
  const mark = ladderMark(ladder)
  if (mark === null) return title
  return typeof ladder.crowd === 'object' ? `${title} at ${mark}` : `${title} ${mark}`
}

/** What sets the ladder apart from the standard one of its game: `with people`, `thinking, blind`, the name of an event. */
export const ladderMark = ({ crowd, variant: { speed, listing } }: Marked): string | null => {
  if (crowd === 'people') return 'with people'
  if (crowd !== 'agents') return crowd.event
  const marks = [...(speed === 'fast' ? [] : [speed]), ...(listing === 'open' ? [] : [listing])]
  return marks.length === 0 ? null : marks.join(', ')
}

/** Which matches count on the ladder, and how they are played. */
export const ladderAbout = ({ game, crowd, variant: { speed, listing } }: Marked): string => {
  if (crowd === 'people') return 'Matches with people.'
  if (crowd !== 'agents') return `Matches of the event ${crowd.event}.`
  const { move, bank } = thinkingTime
  const time =
    speed === 'fast' ? 'fast' : `thinking (${move / 1000} s a move and ${bank / 60_000} minutes)`
  const rules = gameOf(game)
  const moves =
    rules === undefined || !listsMoves(rules)
      ? ''
      : listing === 'open'
        ? ', open (agents are given the legal moves)'
        : ', blind (agents are not given the legal moves)'
  return `Matches among agents: ${time}${moves}.`
}
