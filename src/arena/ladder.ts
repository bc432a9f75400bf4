import { type Counting, elo } from './counting.ts'

/**
 * A ladder: the matches that count together, and what is counted. It is more than a game, since results against people
 * say little about agents, and those of an event count for the event. A value: two ladders of one id are the same.
 */
export interface Ladder {
  /** As it is kept, sealed and shown: `ttt`, `ttt+people`, `ttt+event:spring-cup`. */
  readonly id: LadderId
  /** The id of its game. */
  readonly game: string
  readonly crowd: Crowd
  readonly counts: Counting
}

export type LadderId = string

/** Whose matches count on a ladder: those among agents, those with people in them, or those of one event. */
type Crowd = 'agents' | 'people' | { readonly event: string }

/** The ladder of a game for the matches among agents. Its id is that of the game. */
export const agentsLadder = (game: string): Ladder => eloLadder(agentsLadders, game, 'agents')

/** The ladder of a game for the matches with people in them. */
export const peopleLadder = (game: string): Ladder => eloLadder(peopleLadders, game, 'people')

/** The ladder of an event in one game. Throws where its name does not fit into an id, or its points are not whole. */
export const eventLadder = (game: string, event: string, counts: Counting): Ladder => {
  if (!eventName.test(event))
    throw new Error(
      `the event ${JSON.stringify(event)}: a name has up to 40 lower-case letters, digits and hyphens`,
    )
  if (counts.by === 'points' && ![counts.win, counts.draw, counts.loss].every(Number.isSafeInteger))
    throw new Error(
      `the event "${event}": ${counts.win}, ${counts.draw} and ${counts.loss} points: count in whole points, such as 2, 1 and 0`,
    )
  const crowd = { event }
  return { id: idOf(game, crowd), game, crowd, counts }
}

/** The game and the crowd that the id of a ladder names; undefined where it is no such id. */
export const parseLadderId = (id: LadderId): Pick<Ladder, 'game' | 'crowd'> | undefined => {
  const [, game, crowd, event] = /^([^+]+)(?:\+(?:(people)|event:(.*)))?$/.exec(id) ?? []
  if (game === undefined) return undefined
  if (event === undefined) return { game, crowd: crowd === undefined ? 'agents' : 'people' }
  return eventName.test(event) ? { game, crowd: { event } } : undefined
}

const idOf = (game: string, crowd: Crowd): LadderId =>
  crowd === 'agents' ? game : `${game}+${crowd === 'people' ? crowd : `event:${crowd.event}`}`

const eventName = /^[a-z0-9][a-z0-9-]{0,39}$/

/** Made once for each game: the queue asks for them with every pairing that it weighs. */
const eloLadder = (known: Map<string, Ladder>, game: string, crowd: 'agents' | 'people') => {
  let ladder = known.get(game)
  if (ladder === undefined) {
    ladder = { id: idOf(game, crowd), game, crowd, counts: elo }
    known.set(game, ladder)
  }
  return ladder
}

const agentsLadders = new Map<string, Ladder>()
const peopleLadders = new Map<string, Ladder>()
