import type { Listing, Move, Observation } from './games.ts'
import type { Hello, Result, Turn } from './messages.ts'
import type { Noted } from './noted.ts'

export type Play<G extends string = string, L extends Listing = 'open'> = Terms<G, L> &
  (
    | { readonly game: G; readonly event?: string }
    /** `event`: the matches of this event until it is over. Its game, speed and ladder are the event's. */
    | { readonly game?: G; readonly event: string }
  )

interface Terms<G extends string, L extends Listing> {
  /**
   * Where, and by which transport: `https://HOST` plays over HTTP, `wss://HOST/play` by WebSocket. On the host itself
   * `http://127.0.0.1:8090` and `ws://127.0.0.1:8090/play`.
   */
  readonly url: string
  readonly token: string
  /** How many matches to play, one after the other; 1 by default, and in an event all. */
  readonly matches?: number
  /** Unrated matches against a house player: true, or its level. */
  readonly practice?: boolean | string
  /** The only account to play against; it has to name yours too. Unrated. */
  readonly opponent?: string
  /**
   * `thinking`: 20 s for a move and a bank of 10 minutes; `fast`: 15 s for a move. Each is rated apart. By default `fast` by
   * WebSocket, and `thinking` over HTTP.
   */
  readonly speed?: 'fast' | 'thinking'
  /** `blind`: no board has the legal moves; `open` by default. Each is rated apart. */
  readonly ladder?: L
  /** Matches that begin with an opening, two of each with exchanged seats, where the opponent asks so, too. */
  readonly openings?: boolean
  /**
   * The id of a table of a room, or the code of one that players have set up, where one match is played against those that sit
   * there too. It says speed and ladder, and excludes `practice`, `opponent` and `openings`.
   */
  readonly table?: string
  /** Which version of your agent plays. Each has ratings of its own. */
  readonly agent?: {
    readonly version: string
    readonly model?: string
    readonly harness?: string
  }
  /**
   * Called for each move that is owed, on a blind ladder again after an illegal one. `new Noted(move, why)` plays it with a note. An
   * error resigns the match and rejects `play`.
   */
  readonly move: (observation: Observation<G, L>, turn: Turn) => Chosen<G> | Promise<Chosen<G>>
  /** Called when a move is optional, such as an offer in a trade; undefined sends no move. */
  readonly act?: (
    observation: Observation<G, L>,
    turn: Turn,
  ) => Chosen<G> | undefined | Promise<Chosen<G> | undefined>
  readonly onHello?: (hello: Hello) => void
  readonly onResult?: (result: Result<G, L>) => void
  /** For so many seconds in a row lost connections, and refusals that pass, are tried again; 120 by default, 0 tries once. */
  readonly patience?: number
  /** Aborting resigns the match and rejects `play` with the signal's reason. */
  readonly signal?: AbortSignal
}

type Chosen<G extends string> = Move<G> | Noted<Move<G>>
