import type { Game, Seat } from '../games/game.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { type Account, type AccountId, agentOf } from './account.ts'
import type { Ladder } from './ladder.ts'
import type { MatchId } from './match-store.ts'
import type { Aborted, Ended, Listener, Player } from './player.ts'
import type { Table } from './table.ts'
import type { Terms } from './terms.ts'
import type { Unrated } from './unrated.ts'

/** A seat in a live match. It belongs to an account, and outlives the connections of that account. */
export interface LiveSeat {
  readonly match: MatchId
  readonly game: Game
  readonly seat: Seat
  readonly account: Account
  /** The accounts of all players, by seat: of guests with the names by which they are shown. */
  readonly accounts: readonly Account[]
  readonly unrated: Unrated | null
  readonly ladder: Ladder
  /** The id of the protocol that its player came by. */
  readonly protocol: string | undefined
  /** When the match began, in milliseconds since 1970. */
  readonly startedAt: number
  /** What its protocol has promised the seat. */
  readonly terms: Terms
  /** Whether a listener is attached. */
  readonly isAttached: boolean
  /** Whether it still plays for its place. */
  readonly isIn: boolean
  /**
   * Attaches this listener in place of any other, which is told `replaced`. The new one is told `seated`, with a new
   * handle, and is shown the board. This ends an absence. If the match is over by then, it is told `seated` and `ended`.
   */
  attach(listener: Listener): void
}

/** How the match of a seat ended, as the seat was told, or would have been. */
export type LastNews = Ended | Aborted

/** So long after its end a match can be asked for, in milliseconds. */
const keptFor = 600_000
/** At most so many matches: 100 a second would end within that time on the busiest host that was measured. */
const mostKept = 10_000

/**
 * The seats that accounts hold in live matches, or are about to get, and for a while how those matches ended. Any
 * account will do, whether it is in the database or not.
 */
export class Seats {
  readonly #held = new Map<AccountId, HeldSeat[]>()
  readonly #ended = new BoundedMap<MatchId, Kept>(mostKept)

  /** Holds a seat for each player of a match that is about to open. */
  hold(players: readonly Player[], unrated: Unrated | null): readonly HeldSeat[] {
    return players.map((player, seat) => {
      const held = new HeldSeat(player, seat, unrated)
      for (const id of idsOf(player.account)) {
        const others = this.#held.get(id)
        if (others === undefined) this.#held.set(id, [held])
        else others.push(held)
      }
      return held
    })
  }

  release(seats: readonly HeldSeat[]): void {
    for (const seat of seats)
      for (const id of idsOf(seat.player.account)) {
        const held = this.#held.get(id)!
        // In place: the account of a house player holds thousands of seats.
        held.splice(held.indexOf(seat), 1)
        if (held.length === 0) this.#held.delete(id)
      }
  }

  /** Those of an agent, in whatever versions; or those of one version. */
  of(account: AccountId): readonly HeldSeat[] {
    return this.#held.get(account) ?? []
  }

  /**
   * Keeps how a match ended, if the terms of one of its seats give it time to come back. Where a lost connection loses at
   * once, no client comes back to ask, and where it is ignored, the protocol keeps its finished matches itself.
   */
  keep(match: MatchId, players: readonly Player[], news: (seat: Seat) => LastNews, at: number) {
    if (players.every(({ terms }) => typeof terms.away === 'string')) return
    const accounts = players.map(({ account }) => account.id)
    this.#ended.set(match, { at, accounts, news: accounts.map((_, seat) => news(seat)) })
  }

  /** How this match ended for this account; undefined if it is not over, or has been for too long. */
  ended(match: MatchId, account: AccountId, now: number): LastNews | undefined {
    const kept = this.#ended.get(match)
    if (kept === undefined || now - kept.at > keptFor) return undefined
    return kept.news[kept.accounts.indexOf(account)]
  }
}

/** A seat of a version is found by its agent, too. */
const idsOf = (account: Account): readonly AccountId[] =>
  account.parent == null ? [account.id] : [account.id, agentOf(account)]

interface Kept {
  readonly at: number
  readonly accounts: readonly AccountId[]
  readonly news: readonly LastNews[]
}

/** A seat of a match that is live, or about to open. */
export class HeldSeat {
  readonly player: Player
  readonly seat: Seat
  readonly unrated: Unrated | null
  /** Null until the match is open. */
  table: Table | null = null
  /** Set when the player has left before that. */
  #left: { readonly cause: string | undefined } | null = null

  constructor(player: Player, seat: Seat, unrated: Unrated | null) {
    this.player = player
    this.seat = seat
    this.unrated = unrated
  }

  /** The seat of an open match. */
  get live(): LiveSeat | null {
    const { table, seat, player } = this
    if (table === null) return null
    const { deal } = table
    return {
      match: table.id,
      game: deal.game,
      seat,
      account: player.account,
      accounts: table.accounts,
      unrated: deal.unrated,
      ladder: deal.ladder,
      protocol: player.protocol,
      startedAt: table.startedAt,
      terms: player.terms,
      get isAttached() {
        return table.listener(seat) !== null
      },
      get isIn() {
        return table.isIn(seat)
      },
      attach: listener => table.attach(seat, listener),
    }
  }

  /** The match is open. A player that has left meanwhile loses its connection. */
  opened(table: Table): void {
    this.table = table
    if (this.#left !== null) table.detach(this.seat, this.player, this.#left.cause)
  }

  /** This listener has left: its connection is lost, now or when it is seated. */
  leave(listener: Listener, cause: string | undefined): void {
    if (this.table !== null) this.table.detach(this.seat, listener, cause)
    else if (listener === this.player) this.#left = { cause }
  }
}
