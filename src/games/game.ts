// The contract between a game and the rest of the server. A game knows its rules and nothing more: no clock, no log,
// no dice but those grown from its seed.

import type { Dice, Seed } from './dice.ts'
import { isRecord, isWhole } from './json.ts'
import type { Look, Text } from './look.ts'
import type { GameSchema } from './schema.ts'
import { oneLine } from './words.ts'

export type { Look, Seed }

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** The options of the rules that a match was opened with, in plain JSON. It is public and is kept with the match. */
export type Setup = { readonly [option: string]: Json | undefined }

/** A seat at the table, counted from 0. */
export type Seat = number

/**
 * Who may see: a seat; the spectators of a live match, who may tell a player what they see; or the readers of a match
 * that is over, from whom nothing is hidden.
 */
export type Viewer = Seat | 'audience' | 'replay'

/** What a viewer may see, apart from whose turn it is and the listed moves, which the arena adds. */
export type View = { readonly [key: string]: Json | undefined }

export type Status =
  | {
      /** The seats that owe a move, in ascending order, never empty: their clocks run. */
      readonly toMove: readonly Seat[]
      /** Seats that owe nothing but may act all the same, such as to answer a trade: see `outOfTurn`. */
      readonly mayAct?: readonly Seat[]
      /** Seats whose turn waits until those in `toMove` have paid a debt or answered: their clocks stand still. */
      readonly held?: readonly Seat[]
      /**
       * Seats that the rules have put out for good, none of which is in the lists above. Nothing that they do is a fault.
       * A seat that is faulted later ranks above them.
       */
      readonly eliminated?: readonly Seat[]
      readonly vote?: undefined
    }
  | Voting
  | Final

/**
 * The audience votes, and no seat can do anything. When the vote is over, the referee plays its `Tally` as a move of seat 0.
 * No seat can make that move itself, because none is asked while the status is this one.
 */
export type Voting = {
  /** Empty. */
  readonly toMove: readonly Seat[]
  readonly mayAct?: undefined
  readonly held?: undefined
  readonly eliminated?: readonly Seat[]
  readonly vote: Vote
}

export type Vote = {
  /** The seats that can be voted for, in ascending order. */
  readonly between: readonly Seat[]
  /** What has led to it. After a seat has left, the vote opens somewhat later. */
  readonly after: 'message' | 'leaving'
}

/** The move that ends a vote: how many votes each seat of the match has got, by seat. */
export type Tally = { readonly votes: readonly number[] }

/** How a game ended by its own rules. */
export type Final = {
  /** One place a seat, 1 is best, equal numbers share a place: `[1, 2]` seat 0 won, `[1, 1]` a draw. */
  readonly places: readonly number[]
  readonly scores?: readonly number[]
  /** Why, in a few words for people: "five in a row", "checkmate". */
  readonly because: string
}

/**
 * A move that the rules refuse, with the reason in words that its sender can act on. A class, because a state or
 * part of one may hold what a player sent, and no JSON can pose as an instance.
 */
export class Illegal {
  readonly reason: string

  /** The reason may quote what came: it is made one line of 200 characters at most, without control characters. */
  constructor(reason: string) {
    this.reason = oneLine(reason)
  }
}

export const illegal = (reason: string): Illegal => new Illegal(reason)

/** An event of a game: what a move caused, in plain JSON. `kind` names it within its game. */
export type GameEvent = { readonly kind: string; readonly [field: string]: Json | undefined }

/**
 * A new state, and what happened on the way to it, in order. A class for the same reason as `Illegal`. What follows from
 * the state alone is no event. Events are not stored: a replay computes them again.
 */
export class Moved<State = unknown, Event extends GameEvent = GameEvent> {
  readonly state: State
  readonly events: readonly Event[]

  constructor(state: State, events: readonly Event[]) {
    this.state = state
    this.events = events
  }
}

export const moved = <State, Event extends GameEvent>(
  state: State,
  events: readonly Event[],
): Moved<State, Event> => new Moved(state, events)

/** A new state, with its events in a game that has any. */
type Next<State, Event extends GameEvent> = [Event] extends [never]
  ? State
  : State | Moved<State, Event>

export interface SeatRange {
  readonly min: number
  readonly max: number
}

export const seatRange = ({ seats }: { readonly seats: number | SeatRange }): SeatRange =>
  typeof seats === 'number' ? { min: seats, max: seats } : seats

/**
 * One game. `State` is plain JSON with everything in it that the rules need, the state of the dice
 * included, so that a state can be stored, copied and compared as text. `Event` is a union of what can happen in it.
 */
export interface Game<
  State = unknown,
  Event extends GameEvent = unknown extends State ? GameEvent : never,
> {
  /** Lower case, as agents write it in `join`. */
  readonly id: string
  readonly title: string
  /** One sentence for lists. */
  readonly summary: string
  /** The number of seats, or the fewest and the most that a match can have: none begins with fewer players. */
  readonly seats: number | SeatRange
  /** What the seats are called in this game, such as White and Black. */
  readonly sides?: readonly string[]
  readonly facts: {
    /** `together`: all seats owe a move at once, and a round resolves when all moves are in. */
    readonly turns: 'alternate' | 'together'
    /**
     * The outcome hangs on the seed as well as on the moves. Without secrets, all that is still to be thrown
     * is in the state's `dice`, so that players who look ahead can throw others in their thoughts.
     */
    readonly luck: boolean
    /** Viewers see different things. When false, `view` ignores its viewer; when true, the game has `imagine`. */
    readonly secrets: boolean
    /**
     * Seats may act out of turn (`mayAct`), so that a move may cross another seat's action. Where turns alternate, a
     * move that leaves its seat to move is then a side action, which buys no time: the turn's clock runs on.
     */
    readonly outOfTurn?: boolean
    /** The longest move in bytes of JSON, as `read` answers it. Left out where moves are listed. */
    readonly moveBytes?: number
  }

  /**
   * How many bits the seed of a new match has; 32 unless given. `start` takes seeds of both kinds, because matches
   * are kept with either. 128 is for games whose luck must not be predicted and whose generator no protocol prescribes.
   */
  readonly seedBits?: 32 | 128

  /** The setup of a new match that asks for no other; none unless given. */
  readonly setup?: Setup

  /** The setup of a match between people, or people and house players: rules that agents could not know of. */
  readonly setupForPeople?: Setup

  /**
   * Without a setup the oldest rules of the game hold: a rule that changes becomes an option of the setup,
   * so that matches kept earlier are still played again as they were.
   */
  start(seed: Seed, seats: number, setup?: Setup | null): State
  status(state: State): Status

  /**
   * Every move this seat can make now, none when it may not act; asked only while the game runs. Where this exists, legal means listed:
   * `play` takes exactly these strings. Left out by games whose moves cannot be listed.
   */
  moves?(state: State, seat: Seat): readonly string[]

  /**
   * The moves that can be listed where not all can be, as JSON in canonical form: each is legal, and others may be.
   * Only in games without `moves`, and asked like it. What it lists has at least one move for a seat that owes one.
   */
  listed?(state: State, seat: Seat): readonly Json[]

  /**
   * The move in its one canonical form, which is what is recorded and shown: another notation turned into the one that
   * `play` takes, and only the fields that the game knows. It is played as what came would be. What `read` cannot make
   * out it hands back, and `play` says what is wrong with it.
   */
  read?(state: State, seat: Seat, move: Json): Json

  /**
   * The state after this seat's move. Called only for a seat in `toMove` or `mayAct`. Takes anything that
   * JSON can hold, never throws, never changes its argument. Events are told to all seats before the new state is shown.
   * While a simultaneous round waits for other seats there are none; when it resolves, they tell what the rules reveal
   * of its moves.
   */
  play(state: State, seat: Seat, move: Json): Next<State, Event> | Illegal

  /**
   * An event as this viewer may see it, null where it may not know of it; as it is unless given. Required in games with
   * both secrets and events. It shows no more than `view` does of the state that followed.
   */
  seen?(event: Event, viewer: Viewer): GameEvent | null

  /** Events in words for people, in order. Pages show them below the move that caused them. Only for games without secrets. */
  told?(events: readonly Event[]): readonly Text[]

  /**
   * What is kept of a legal move; all of it unless given. Notes that only their own seat ever sees may be left out, where no
   * other seat, no spectator and no result depends on them: a host holds every move of a live match in memory.
   */
  kept?(move: Json): Json

  /**
   * While the game runs the spectators see no more than every single seat does. What a seat does not see, nothing it is
   * given depends on: not its look, its listed moves, whose turn it is, nor whether and why a move is refused.
   */
  view(state: State, viewer: Viewer): View

  /**
   * What the position looks like to this viewer: the board, and what stands beside it. It shows no more than `view` does.
   * Terminals, pages and pictures draw it alike for every game.
   */
  look(state: State, viewer: Viewer): Look

  /** A move as people write it, where that is not how it is recorded. `state` is the one before the move. */
  label?(state: State, move: Json): string

  /** How people type moves, where moves are JSON and words are easier. Agents send JSON. */
  readonly typing?: Typing<State>

  /** What a seat has written in a move, as `read` answers it: the operator's list of blocked words is held against it. */
  freeText?(move: Json): readonly string[]

  /** Some legal move of a seat that owes one or may act. Only for games that have no `moves`. */
  anyMove?(state: State, seat: Seat, dice: Dice): Json

  /**
   * A state that this viewer cannot tell from the given one, with all that it does not see drawn anew: hands, sealed
   * moves, luck to come. Only for games with secrets. House players get it in place of the true state, and the tests
   * compare what is seen of both. Asked only while the game runs.
   */
  imagine?(state: State, viewer: Seat | 'audience', dice: Dice): State

  /** How the match would end if it ended now. It decides a match at its time limit, which is otherwise a draw. */
  standings?(state: State): Final

  /** The move that is made for a late seat, where its terms say so. */
  fallback?(state: State, seat: Seat): Json

  /**
   * An estimate of how this seat stands, from −1 lost to 1 won, by no more than what it may see. House players use it
   * to look ahead; the rules do not. Asked only while the game runs.
   */
  guess?(state: State, seat: Seat): number

  /**
   * The game goes on without this seat, which ranks behind all that stay. Only for games of more than
   * two seats; without it a forfeit ends the match.
   */
  drop?(state: State, seat: Seat): Next<State, Event>
}

interface Typing<State> {
  /** How, in a sentence. */
  readonly help: string
  /** The same for this seat now, where that is shorter. */
  now?(state: State, seat: Seat): string
  /** The move that a text stands for; `play` says what is wrong with it. */
  read(text: string): Json
}

/** A game of the list in `index.ts`, which also says what its moves and views look like. */
export interface CatalogueGame<
  State = unknown,
  Event extends GameEvent = unknown extends State ? GameEvent : never,
> extends Game<State, Event> {
  readonly schema: GameSchema
}

export const isIllegal = (result: unknown): result is Illegal => result instanceof Illegal

/** The state that `play` or `drop` has answered, without events; a refusal stays what it is. */
export const stateOf = <State>(result: State | Moved<State>): State =>
  result instanceof Moved ? result.state : result

/** The events that `play` or `drop` has answered. */
export const eventsOf = (result: unknown): readonly GameEvent[] =>
  result instanceof Moved ? result.events : noEvents

const noEvents: readonly GameEvent[] = []

/** The state after a move, for those who do not ask what happened. */
export const stateAfter = <State>(
  game: Pick<Game<State, GameEvent>, 'play'>,
  state: State,
  seat: Seat,
  move: Json,
): State | Illegal => stateOf(game.play(state, seat, move))

/** The events that a viewer may know of, as it may see them. */
export const eventsSeen = (
  game: Pick<Game<unknown, GameEvent>, 'seen'>,
  events: readonly GameEvent[],
  viewer: Viewer,
): readonly GameEvent[] =>
  game.seen === undefined ? events : events.flatMap(event => game.seen?.(event, viewer) ?? [])

/** The legal moves of a seat as far as the game lists them; undefined where it lists none. */
export const listedMovesOf = (
  game: Pick<Game<unknown, GameEvent>, 'moves' | 'listed'>,
  state: unknown,
  seat: Seat,
): readonly Json[] | undefined => game.moves?.(state, seat) ?? game.listed?.(state, seat)

/** Whether the game lists legal moves, all or some. */
export const listsMoves = ({ moves, listed }: Pick<Game, 'moves' | 'listed'>): boolean =>
  moves !== undefined || listed !== undefined

/** Asked only of what a game's `status` answers, which it makes itself: no player's JSON goes into it. */
export const isFinal = (status: Status): status is Final => 'places' in status

/** Whether the audience is to vote. */
export const isVoting = (status: Status): status is Voting => 'vote' in status

/**
 * The votes of a recorded move that is a tally; null for what a seat has played. Such a move is recorded under seat 0, which
 * has not made it: what shows moves by their seats asks this first.
 */
export const votesOf = (move: Json): readonly number[] | null => {
  const votes = isRecord(move) ? move.votes : undefined
  return Array.isArray(votes) && votes.every(count => isWhole(count, 0, mostVotes)) ? votes : null
}

const mostVotes = 1_000_000

/** The tally of a vote without voters. */
export const noVotes = (seats: number): Tally => ({ votes: Array<number>(seats).fill(0) })
