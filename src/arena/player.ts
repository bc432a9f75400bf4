// The contract between the arena and the players at its tables. Protocols translate it into their own messages.

import type { Game, GameEvent, Json, Seat, View } from '../games/game.ts'
import type { Account, AccountId } from './account.ts'
import type { Refusal } from './codes.ts'
import type { Fault, Outcome } from './ending.ts'
import type { Ladder } from './ladder.ts'
import type { Change, MatchId, Played } from './match-store.ts'
import type { Opening } from './opening.ts'
import type { SeatPoints } from './points.ts'
import type { EloChange } from './room-elo.ts'
import type { Terms } from './terms.ts'
import type { Unrated } from './unrated.ts'

/** Hears the news of a seat: a session of a protocol, a person in the hub, or a house player. */
export interface Listener {
  /** The id of the connection in the log. House players have none. */
  readonly connection?: string
  /** Set for one that wants to be told of moves and falls: `accepted`, `played` and `fell`. Others are shown boards only. */
  readonly followsMoves?: true
  tell(news: News): void
}

/**
 * A player that asks for a match, or for whom one is opened. Its account and its terms belong to the seat until the match
 * is over. It is the first to hear the news of that seat; another listener may be attached to it later (`LiveSeat`). The
 * referee treats agents, people and house players alike.
 */
export interface Player extends Listener {
  readonly account: Account
  readonly terms: Terms
  /** The id of the protocol that it came by, `hubProtocol` for a person who plays in the hub. House players have none. */
  readonly protocol?: string
}

/** Stands for a protocol where a person plays in the hub. */
export const hubProtocol = 'hub'

/**
 * What a listener holds of its seat: everything that it can do in the match. Whatever is asked here is answered by news, and
 * never before the call returns. A move that is late or out of turn is refused, never queued. The handle is dead, and does
 * nothing, once it has said `lost` or another listener has been attached to the seat.
 */
export interface SeatHandle {
  /**
   * `turn`: the turn of the board that the move answers. A player may name it where seats may act out of turn. `note`: as
   * `readNote` has answered it; it is kept with the move, and spectators read it one move late.
   */
  move(move: Json | undefined, turn?: Json, note?: string): void
  /** `words`: what the player says as it leaves, for the other seats. */
  resign(words?: string): void
  /**
   * Detaches the listener: its connection is lost. It hears nothing more. The terms of the seat say what that costs;
   * `LiveSeat.attach` ends the absence, where they allow one. `cause`: the code of why the host ended the connection, if it
   * did; a `banned` or `revoked` player loses at once, and the others are told why.
   */
  lost(cause?: string): void
  /**
   * Tells all players that this house player's next move is random, for lack of time to think, and makes the match
   * unrated.
   */
  announceRandomMove(): void
  /**
   * The state of the game, for house players and for the boards of people. In a game with secrets it is a random state
   * that this seat cannot tell from the true one, another one with each call.
   */
  position(): unknown
  /** All moves and falls so far, as far as this seat may see them: for a player that comes back. Made by a replay. */
  history(): readonly PastMove[]
}

/** The news that a listener hears. All that is about a match carries its number. */
export type News =
  /** The request for a match is accepted, and the wait begins. */
  | { readonly kind: 'queued'; readonly game: Game }
  | Seated
  | Accepted
  | MovePlayed
  | Fell
  | Shown
  /** `retries`: of an illegal move that may be tried again. */
  | ({ readonly kind: 'refused'; readonly match: MatchId; readonly retries?: Retries } & Refusal)
  /** A house player makes a random move; `detail` says so in words. */
  | {
      readonly kind: 'at-random'
      readonly match: MatchId
      readonly seat: Seat
      readonly detail: string
    }
  | {
      readonly kind: 'strike'
      readonly match: MatchId
      readonly strikes: number
      readonly of: number
    }
  /** Another seat is absent, and loses in so many milliseconds. A later stage of its absence may tell so again. */
  | {
      readonly kind: 'away'
      readonly match: MatchId
      readonly seat: Seat
      readonly grace: number
    }
  /** Another seat, of which `away` was told, is back. */
  | { readonly kind: 'back'; readonly match: MatchId; readonly seat: Seat }
  | Clocks
  | VotingNews
  /** Another listener has been attached to this seat. This one hears nothing more of it. */
  | { readonly kind: 'replaced'; readonly match: MatchId; readonly seat: Seat }
  | Ended
  | Aborted
  /** The wait timed out without an opponent. `onlyOwn`: only agents of the same owner were waiting. */
  | { readonly kind: 'unmatched'; readonly onlyOwn: boolean }
  /** The request for a match is refused, or the wait is ended. */
  | ({ readonly kind: 'dismissed' } & Refusal)
  /** The host is stopping, which ends the wait. */
  | { readonly kind: 'closing' }

/** How many illegal moves a seat has made, and how many more are refused at no cost; null for any number. */
export interface Retries {
  readonly made: number
  readonly left: number | null
}

/**
 * The clocks run again, or stand still. While the match is paused all moves are refused; when it goes on, the board is
 * shown again.
 */
interface Clocks {
  readonly kind: 'clocks'
  readonly match: MatchId
  readonly play: 'runs' | 'stands' | 'paused'
  /** Milliseconds left for the move that the seat owes; null where it owes none. */
  readonly timeLeft: number | null
}

/**
 * The audience votes, and no seat can do anything. Told when the vote begins, again when it opens if that was later, and
 * to a listener that is attached meanwhile. Times in milliseconds.
 */
interface VotingNews {
  readonly kind: 'voting'
  readonly match: MatchId
  /** 0 once it is open. */
  readonly opensIn: number
  readonly closesIn: number
}

/** The listener is attached to a seat: at the start of a match, or to a seat that it comes back to. The board follows. */
export interface Seated {
  readonly kind: 'seated'
  readonly handle: SeatHandle
  readonly match: MatchId
  readonly game: Game
  readonly seat: Seat
  /** The accounts of all players, by seat: of guests with the names by which they are shown. */
  readonly accounts: readonly Account[]
  /** What each seat is promised, by seat: another seat may have more time for its moves. */
  readonly terms: readonly Terms[]
  /** When the match began, as a Unix time in milliseconds. */
  readonly startedAt: number
  readonly unrated: Unrated | null
  /** The ladder on which it counts; an unrated match is played as those of this ladder are. */
  readonly ladder: Ladder
}

/** The seat's own move was accepted. It is told before anything that follows from the move. */
export interface Accepted {
  readonly kind: 'accepted'
  readonly match: MatchId
  /** The turn of the board that the move answered. */
  readonly turn: number
  /** The move as it is recorded. */
  readonly move: Json
  /** The milliseconds that the move took; 0 for a side action. */
  readonly ms: number
  /** Whether it was the move that the seat owed, not a side action. */
  readonly isTurn: boolean
}

/**
 * A seat has made a move. Every seat is told, the mover too, before the next board is shown. Seats that may see the same
 * get the same object.
 */
export interface MovePlayed {
  readonly kind: 'played'
  readonly match: MatchId
  readonly seat: Seat
  /** The move as it is recorded. Null where this seat may not see it: while it is sealed, and in games with secrets. */
  readonly move: Json | null
  /** The move as people write it, where that differs: `Nf3` for `g1f3`. */
  readonly label?: string
  readonly isTurn: boolean
  /** Whether the referee made the game's fallback move for the seat. */
  readonly isFallback: boolean
  /** What the move caused, as far as this seat may know of it. */
  readonly events: readonly GameEvent[]
}

/**
 * A seat is out of the match: by a fault, or eliminated by the rules. A fault that ends the match is told at once, and
 * `ended` follows once the result is kept. Of an elimination that ends it, `ended` alone tells.
 */
export interface Fell {
  readonly kind: 'fell'
  readonly match: MatchId
  readonly seat: Seat
  /** Null for a seat that the rules have eliminated. */
  readonly fault: Fault | null
  /** Why, in words. */
  readonly detail: string
  /** What a seat that resigned said. */
  readonly words?: string
  /** What its fall caused, as far as this seat may know of it. */
  readonly events: readonly GameEvent[]
}

/** What a seat was told of an earlier move or fall. */
export interface PastMove {
  readonly seat: Seat
  /** Null where this seat may not see it, and for a fall. */
  readonly move: Json | null
  readonly label?: string
  /** Why the seat fell; null for a move. */
  readonly fault: Fault | null
  readonly events: readonly GameEvent[]
}

/** The current board. */
export interface Shown {
  readonly kind: 'shown'
  readonly match: MatchId
  readonly observation: Observation
  /** The number of the board in this match; it grows with every board shown. */
  readonly turn: number
  readonly yourTurn: boolean
  /** The seat owes no move, but may make one. */
  readonly mayAct: boolean
  /** Milliseconds left for the move that the seat owes; null where it owes none. */
  readonly timeLeft: number | null
  /** The same for each seat, by seat. All seats get one array. */
  readonly clocks: readonly (number | null)[]
}

/**
 * What a player may see. Players that may see the same get the same object, so that a protocol can serialise it once.
 */
export type Observation = View & {
  /** The seat to move; in games with simultaneous moves all seats that owe one; −1 while none does: the audience votes, or the match is over. */
  readonly toMove: Seat | readonly Seat[]
  /** The legal moves, where the game can list them, all or some, and the ladder is not blind. */
  readonly legal?: readonly Json[]
  /** The moves with which the match began, where it has an opening. */
  readonly opening?: Opening
}

export interface Ended {
  readonly kind: 'ended'
  readonly match: MatchId
  readonly seat: Seat
  readonly outcome: Outcome
  readonly observation: Observation
  /** All moves, sealed ones included: nothing is hidden any more. */
  readonly moves: readonly Played[]
  readonly unrated: Unrated | null
  /** A seat was faulted so early that the others gain only a share. */
  readonly quick: boolean
  /** What it changed for this seat, and for all by seat. */
  readonly change: Change
  readonly changes: readonly Change[]
  /** By seat; null for a match that was not at a table of a room. */
  readonly points: readonly SeatPoints[] | null
  /** The ratings in the room of the match, by seat; null where it changed none. */
  readonly elo: readonly EloChange[] | null
}

/** The match ends without a result, and changes no rating. */
export interface Aborted {
  readonly kind: 'aborted'
  readonly match: MatchId
  readonly detail: string
}

/** The accounts of players, without house players and guests: those are in no queue and on no ladder. */
export const rankedAccounts = (players: readonly Player[]): readonly AccountId[] =>
  players.flatMap(({ account }) => (account.kind === 'player' ? [account.id] : []))
