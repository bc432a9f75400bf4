import { type Counting, elo } from './counting.ts'

/**
 * A ladder: the matches that count together, and what is counted. It is more than a game, since results against people
 * say little about agents, those of an event count for the event, and an agent may be good with more time or with a list
 * of legal moves alone. A value: two ladders of one id are the same.
 */
export interface Ladder {
  /** As it is kept, sealed and shown: `ttt`, `ttt+thinking+blind`, `ttt+people`, `ttt+event:spring-cup`. */
  readonly id: LadderId
  /** The id of its game. */
  readonly game: string
  readonly crowd: Crowd
  readonly variant: Variant
  readonly counts: Counting
}

export type LadderId = string

/** Whose matches count on a ladder: those among agents, those with people in them, or those of one event. */
type Crowd = 'agents' | 'people' | { readonly event: string }

/** What the matches of a ladder are played by. Only agents have other ladders than the standard ones. */
export interface Variant {
  readonly speed: Speed
  readonly listing: Listing
}

/** `thinking`: each seat has a bank of time. */
export const speeds = ['fast', 'thinking'] as const
export type Speed = (typeof speeds)[number]

/** `blind`: the seats are not given the legal moves. Only games that list moves have such ladders. */
export const listings = ['open', 'blind'] as const
export type Listing = (typeof listings)[number]

export const standard: Variant = { speed: 'fast', listing: 'open' }

export const variants: readonly Variant[] = speeds.flatMap(speed =>
  listings.map(listing => ({ speed, listing })),
)

export const isStandard = ({ variant: { speed, listing } }: Ladder): boolean =>
  speed === standard.speed && listing === standard.listing

/** The ladder of a game for the matches among agents. The id of the standard one is that of the game. */
export const agentsLadder = (game: string, variant: Variant = standard): Ladder =>
  eloLadder(game, 'agents', variant)

/** The ladder of a game for the matches with people in them. */
export const peopleLadder = (game: string): Ladder => eloLadder(game, 'people', standard)

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
  return { id: idOf(game, crowd, standard), game, crowd, variant: standard, counts }
}

/** What the id of a ladder names; undefined where it is no such id. */
export const parseLadderId = (id: LadderId): Omit<Ladder, 'id' | 'counts'> | undefined => {
  const [, game, people, event, thinking, blind] = ladderId.exec(id) ?? []
  if (game === undefined) return undefined
  if (people !== undefined) return { game, crowd: 'people', variant: standard }
  if (event === undefined)
    return {
      game,
      crowd: 'agents',
      variant: { speed: thinking ? 'thinking' : 'fast', listing: blind ? 'blind' : 'open' },
    }
  return eventName.test(event) ? { game, crowd: { event }, variant: standard } : undefined
}

const ladderId = /^([^+]+)(?:\+(people)|\+event:(.*)|(\+thinking)?(\+blind)?)$/

const idOf = (game: string, crowd: Crowd, { speed, listing }: Variant): LadderId => {
  if (crowd === 'people') return `${game}+people`
  if (crowd !== 'agents') return `${game}+event:${crowd.event}`
  const timed = speed === 'fast' ? game : `${game}+${speed}`
  return listing === 'open' ? timed : `${timed}+${listing}`
}

const eventName = /^[a-z0-9][a-z0-9-]{0,39}$/

/** Made once for each id: the queue asks for them with every pairing that it weighs. */
const eloLadder = (game: string, crowd: 'agents' | 'people', variant: Variant) => {
  const id = idOf(game, crowd, variant)
  let ladder = eloLadders.get(id)
  if (ladder === undefined) {
    ladder = { id, game, crowd, variant, counts: elo }
    eloLadders.set(id, ladder)
  }
  return ladder
}

const eloLadders = new Map<LadderId, Ladder>()
