/**
 * What a protocol promises a seat. Two seats of one match may have different terms. The referee alone applies them.
 * All times are in milliseconds.
 */
export interface Terms {
  /** The time for a move. */
  readonly move: number
  /** Another time for the first move of this seat (`seat`), or only for the first move of the match (`match`). */
  readonly first?: { readonly of: 'seat' | 'match'; readonly time: number }
  /**
   * So much more time for all moves of the seat together. A move has its own time first; what it takes beyond that comes
   * out of the bank. What is left of its own time is lost. A move is late when both are used up.
   */
  readonly bank?: number
  readonly illegal: IllegalTerms
  readonly late: LateTerms
  readonly away: AwayTerms
  /** After a stop a clock has the full time of its move again. Unless given, it has the time that was left. */
  readonly fullTimeAfterStop?: true
  /** A turn that another seat's debt has held has its full time again. Unless given, it has the time that was left. */
  readonly fullTimeAfterHold?: true
  /**
   * The match ends this long after its start, not counting pauses by the host. `standings`: the standings of the game
   * decide it, and it is a draw where the game has none. `forfeit`: the seats that owe a move lose. The shortest limit
   * of all seats holds.
   */
  readonly limit?: { readonly time: number; readonly result: 'standings' | 'forfeit' }
}

/** What an illegal move costs a seat that owes one. A retry leaves the clock running. */
export type IllegalTerms =
  /** The match. */
  | 'forfeit'
  /** Nothing, however often. */
  | 'retry'
  | {
      /** So many illegal moves cost nothing: since the seat's last accepted move, or in the whole match. */
      readonly retries: number
      readonly counted: 'in a row' | 'in all'
      /**
       * What the next one costs: the match; as much as a late move; or the turn, in which the game's fallback move is
       * made. In a game without fallback moves the turn is not lost.
       */
      readonly penalty: 'forfeit' | 'late' | 'fallback'
    }

/** What a late move costs. */
type LateTerms =
  /** The match. */
  | 'forfeit'
  | {
      /** This many late moves lose; each one before that is a strike. Infinity: none ever loses. */
      readonly strikes: number
      /** `in a row`: an accepted move clears the strikes; a side action does not. */
      readonly counted: 'in a row' | 'in all'
      /** What follows a strike: the game's fallback move, where the game has one; or a new clock of this much time. */
      readonly next: 'fallback' | { readonly clock: number }
    }

/** What a lost connection costs. A player that is banned or revoked loses at once by any terms. */
type AwayTerms =
  /** The match. */
  | 'forfeit'
  /** Nothing: the clocks run, and the other seats are not told. */
  | 'ignored'
  | {
      /** The stages of an absence. The seat loses when the last one is over. */
      readonly stages: readonly [AwayStage, ...AwayStage[]]
      /** A seat may be absent this often in a match. The next lost connection loses at once. */
      readonly times: number
      /** If another seat's absence is over while this seat is absent too, both lose and share a place. */
      readonly together?: true
    }

export type AwayStage = {
  /** How long the stage lasts. */
  readonly time: number
  /** The other seats are told when it begins, and are told later when the seat is back. */
  readonly told?: true
} & (
  | {
      readonly play: 'runs'
      /** The absent seat's own clock has no more time than this. */
      readonly within?: number
    }
  /** After this time the game's fallback move is made for the absent seat, without a strike. A game without one: `runs`. */
  | { readonly play: 'falls back'; readonly within: number }
  /** All clocks stand still, and seats that are present may move. */
  | { readonly play: 'stands' }
  /** All clocks stand still, and all moves are refused. */
  | { readonly play: 'paused' }
)
