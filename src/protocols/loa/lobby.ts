import type { Account, AccountId } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Player, Seated } from '../../arena/player.ts'
import type { LiveSeat } from '../../arena/seats.ts'
import type { Table } from '../../arena/table.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock } from '../../clock.ts'
import type { Seat } from '../../games/game.ts'
import type { Matchmaking } from '../../matchmaking/matchmaking.ts'
import type { Audience } from '../audience.ts'
import type { LoaSettings } from '../protocol.ts'
import { Finished } from './finished.ts'
import { LiveGame, type Seen, seenOf } from './live-game.ts'
import type { AgentSession } from './session.ts'

interface LobbyOptions extends Pick<LoaSettings, 'firstMove' | 'move' | 'fog'> {
  readonly arena: Arena
  readonly matchmaking: Matchmaking
  readonly clock: Clock
  /** Called with each internal error. */
  failed(error: unknown): void
}

/** What all sessions of a host share: who is connected, and the games that are played or watched in this protocol. */
export class Lobby {
  readonly matchmaking: Matchmaking
  readonly clock: Clock
  readonly terms: Terms
  readonly finished: Finished
  /** The newest session of each account. */
  readonly sessions = new Map<AccountId, AgentSession>()
  readonly #arena: Arena
  readonly #fog: LoaSettings['fog']
  readonly #failed: (error: unknown) => void
  readonly #games = new Map<MatchId, LiveGame>()

  constructor({ arena, matchmaking, clock, firstMove, move, fog, failed }: LobbyOptions) {
    this.#arena = arena
    this.#fog = fog
    this.#failed = failed
    this.matchmaking = matchmaking
    this.clock = clock
    this.terms = {
      move,
      first: { of: 'seat', time: firstMove },
      illegal: 'retry',
      late: 'forfeit',
      away: 'ignored',
    }
    this.finished = new Finished(clock)
    arena.watch(event => this.#follow(event))
  }

  /** The seat that an account holds by the terms of this protocol. */
  seatOf({ id }: Account): LiveSeat | undefined {
    return this.#arena.seatsOf(id).find(({ terms }) => terms === this.terms)
  }

  /** Whether an account plays by them, or has been paired and is about to. */
  isSeated({ id }: Account): boolean {
    return this.#arena.isSeated(id, this.terms)
  }

  isLive(match: MatchId): boolean {
    return this.#arena.tables.has(match)
  }

  /** Whether moves are still taken in it. */
  isActive(match: MatchId): boolean {
    return this.#arena.tables.get(match)?.isOver === false
  }

  /** The game of a player that is seated. */
  gameOf(seated: Seated): LiveGame {
    const { match } = seated
    let live = this.#games.get(match)
    if (live === undefined) {
      live = new LiveGame(seated, this.#fog, this.#failed)
      if (this.isLive(match)) this.#games.set(match, live)
    }
    live.hasAgents = true
    return live
  }

  /** Lets a session watch a live game, and shows it the board; undefined if there is no such game. */
  watch(match: MatchId, session: AgentSession): Audience | undefined {
    const table = this.#arena.tables.get(match)
    if (table === undefined) return undefined
    let live = this.#games.get(match)
    if (live === undefined) {
      const { game, players } = table.deal
      const accounts = players.map(({ account }) => account)
      const { startedAt } = table
      live = new LiveGame({ match, game, accounts, startedAt }, this.#fog, this.#failed)
      this.#games.set(match, live)
    }
    live.watch(session, table)
    return live.audience
  }

  /** The board of a live game as a seat sees it now. */
  seen(match: MatchId, seat: Seat): Seen | undefined {
    const table = this.#arena.tables.get(match)
    return table && seenOf(table, seat)
  }

  left(session: AgentSession, player: Player | null): void {
    if (player !== null && this.sessions.get(player.account.id) === session)
      this.sessions.delete(player.account.id)
  }

  /** An agent may have come back between its pairing and its match: the newer session takes the seat. */
  #seatNewest(table: Table): void {
    for (const [seat, player] of table.deal.players.entries()) {
      if (player.terms !== this.terms) continue
      const newest = this.sessions.get(player.account.id)?.player ?? player
      if (newest !== player) table.attach(seat, newest)
    }
  }

  #follow(event: ArenaEvent): void {
    const { table } = event
    if (event.kind === 'began') {
      this.#seatNewest(table)
      return
    }
    const live = this.#games.get(table.id)
    if (
      live === undefined ||
      event.kind === 'voting' ||
      event.kind === 'voted' ||
      event.kind === 'reacted'
    )
      return
    if (event.kind === 'moved') {
      live.moved(event)
      return
    }
    this.#games.delete(table.id)
    try {
      const lines = live.ended(table, event, this.clock.date())
      if (lines.length > 0) this.finished.keep(table.id, lines)
    } catch (error) {
      // The arena would remove a listener that throws, and with it all spectators.
      this.#failed(error)
      live.audience.end()
    }
  }
}
