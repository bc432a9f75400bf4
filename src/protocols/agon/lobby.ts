import { type Account, type AccountId, agentOf } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import { agentsLadder } from '../../arena/ladder.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Player } from '../../arena/player.ts'
import { initialElo } from '../../arena/room-elo.ts'
import { type RoomId, roomIds } from '../../arena/room-setup.ts'
import type { LiveSeat } from '../../arena/seats.ts'
import type { Table } from '../../arena/table.ts'
import type { Points } from '../../arena/wagers.ts'
import type { Clock } from '../../clock.ts'
import type { Seat } from '../../games/game.ts'
import { BoundedMap } from '../../limits/bounded-map.ts'
import type { RoomEvent, Rooms, RoomTable, Sitter } from '../../matchmaking/rooms.ts'
import { Audience } from '../audience.ts'
import { type Fields, printed } from './messages.ts'
import { personOf } from './people.ts'
import type { AgonRecords, Versus } from './records.ts'
import { earnedOf, type MatchResult } from './result.ts'
import { RoomMatch } from './room-match.ts'
import type { AgentSession } from './session.ts'
import { currency, Wager } from './wagers.ts'

interface LobbyOptions {
  readonly arena: Arena
  readonly rooms: Rooms
  readonly clock: Clock
  readonly records: AgonRecords
  readonly points: Points
  /** Whether agents may wager points. */
  readonly wagers: boolean
  /** Actions that a connection may send in 10 s. */
  readonly actions: number
  /** Called with each internal error. */
  failed(error: unknown): void
}

/** How long a client is told that it has come back too late, in milliseconds. */
const expiresWithin = 600_000
const mostKept = 10_000
/** A spectator of a room may be so many messages behind; one that is further behind goes on with the last of them. */
const keptMessages = 256

/** What all sessions of a host share: who is in which room, and the matches at the tables of rooms. */
export class Lobby {
  readonly arena: Arena
  readonly rooms: Rooms
  readonly clock: Clock
  readonly actions: number
  readonly hasWagers: boolean
  /** The newest session of each account. */
  readonly sessions = new Map<AccountId, AgentSession>()
  /** The programs with which agents say that they were made. */
  readonly frameworks = new BoundedMap<AccountId, string | null>(mostKept)
  readonly #options: LobbyOptions
  readonly #present = new Map<RoomId, Set<AgentSession>>(roomIds.map(room => [room, new Set()]))
  readonly #audiences = new Map<RoomId, Audience>(
    roomIds.map(room => [room, new Audience(keptMessages)]),
  )
  readonly #matches = new Map<MatchId, RoomMatch>()
  readonly #wagers = new Map<MatchId, Wager>()
  /** By match: what its two participants have had of each other, as the first one has. */
  readonly #versus = new BoundedMap<MatchId, Versus>(mostKept)
  readonly #results = new BoundedMap<MatchId, MatchResult>(mostKept)
  /** The last match that each agent has lost by an absence that it does not know to be over. */
  readonly #expired = new BoundedMap<AccountId, { readonly room: RoomId; readonly at: number }>(
    mostKept,
  )

  constructor(options: LobbyOptions) {
    const { arena, rooms, clock, actions, wagers } = options
    this.#options = options
    this.arena = arena
    this.rooms = rooms
    this.clock = clock
    this.actions = actions
    this.hasWagers = wagers
    rooms.watch(event => this.#guarded(() => this.#followRooms(event)))
    arena.watch(event => this.#guarded(() => this.#follow(event)))
  }

  /** A connection comes to a room. It is a spectator there until it sits down. */
  enter(room: RoomId, session: AgentSession): void {
    this.#present.get(room)!.add(session)
  }

  leave(room: RoomId, session: AgentSession): void {
    this.#present.get(room)!.delete(session)
    this.#audiences.get(room)!.remove(session)
  }

  /** Tells this session of the matches of a room from now on. */
  spectate(room: RoomId, session: AgentSession): void {
    this.#audiences.get(room)!.add(session)
  }

  unspectate(room: RoomId, session: AgentSession): void {
    this.#audiences.get(room)!.remove(session)
  }

  drained(room: RoomId, session: AgentSession): void {
    this.#audiences.get(room)!.drained(session)
  }

  spectators(room: RoomId): number {
    return this.#audiences.get(room)!.size
  }

  /** `RoomSummary`. */
  summary(room: RoomId): Fields {
    const tables_open = this.rooms.tables(room).filter(isOpen).length
    return { room, ...this.#presence(room), tables_open }
  }

  get summaries(): readonly Fields[] {
    return roomIds.map(room => this.summary(room))
  }

  /** `room_state`. */
  roomState(room: RoomId): string {
    const tables = this.rooms.tables(room).map(tableState)
    return printed('room_state', { room, tables, ...this.#presence(room) })
  }

  /** The live match of this id at a table of a room; undefined if there is none, or it is over. */
  live(match: MatchId): { readonly live: RoomMatch; readonly table: Table } | undefined {
    const table = this.arena.tables.get(match)
    const live = table?.isOver === false ? this.matchOf(table) : null
    return table === undefined || live === null ? undefined : { live, table }
  }

  /** The match of a table; null for one that no room has opened. */
  matchOf(table: Table): RoomMatch | null {
    const known = this.#matches.get(table.id)
    if (known !== undefined) return known
    const made = RoomMatch.of(table, this.clock)
    if (made !== null && this.arena.tables.has(table.id)) this.#matches.set(table.id, made)
    return made
  }

  /** The seat that an agent of this protocol holds in a live match of a room. */
  seatOf({ id }: Account): LiveSeat | undefined {
    return this.arena
      .seatsOf(id)
      .find(({ match, protocol, isIn }) => protocol === 'agon' && isIn && this.live(match))
  }

  /** What was told of the end of a match; undefined for one that this host has forgotten, or that was before its start. */
  result(match: MatchId): MatchResult | undefined {
    return this.#results.get(match)
  }

  /** Whether a table of this host has opened the match, and its result is about to be told. */
  isEnding(match: MatchId): boolean {
    return this.#matches.has(match)
  }

  /** Whether this agent has come back too late to a match in this room. It is told so once. */
  takeExpired({ id }: Account, room: RoomId): boolean {
    const expired = this.#expired.get(id)
    if (expired?.room !== room) return false
    this.#expired.delete(id)
    return this.clock.elapsed() - expired.at <= expiresWithin
  }

  /** `MatchOpponent`: a seat as the other one is told of it. */
  opponent(live: RoomMatch, table: Table, seat: Seat): Fields {
    return {
      ...live.people[seat]!,
      framework: this.frameworks.get(live.accounts[seat]!.id) ?? null,
      elo: this.elo(live, seat),
      connected: table.listener(seat) !== null,
    }
  }

  /** The rating of a seat as it sat down, or after its match. */
  elo(live: RoomMatch, seat: Seat): number {
    const at = live.room.participants.indexOf(seat)
    return this.rooms.table(live.room.table)?.seats[at]?.elo ?? initialElo
  }

  /** `h2h_summary`: how a seat has fared against the other one; null if they have never met. */
  versus(live: RoomMatch, seat: Seat): Versus | null {
    const known = this.#versus.get(live.match)
    if (known === undefined || known.wins + known.losses + known.draws === 0) return null
    if (live.room.participants[0] === seat) return known
    return { wins: known.losses, losses: known.wins, draws: known.draws }
  }

  wagerOf(live: RoomMatch): Wager {
    let wager = this.#wagers.get(live.match)
    if (wager === undefined) {
      const { clock, points } = this.#options
      wager = new Wager({
        ...{ clock, points, match: live.match, accounts: live.accounts },
        tell: (event, fields) => {
          for (const { id } of live.accounts)
            this.sessions.get(id)?.tellOf(live, printed(event, { match_id: live.id, ...fields }))
        },
      })
      this.#wagers.set(live.match, wager)
    }
    return wager
  }

  left(session: AgentSession): void {
    if (this.sessions.get(session.account.id) === session) this.sessions.delete(session.account.id)
  }

  /** The result of a match that has ended, as all are told of it. */
  finish(
    live: RoomMatch,
    ended: Pick<Extract<ArenaEvent, { kind: 'ended' }>, 'outcome' | 'elo' | 'points'> | null,
  ): MatchResult {
    const result = live.ended({
      outcome: ended?.outcome ?? null,
      elo: ended?.elo ?? null,
      points: earnedOf(ended?.points ?? null),
    })
    this.#results.set(live.match, result)
    return result
  }

  #presence(room: RoomId): Fields {
    const agents = new Set([...this.#present.get(room)!].map(({ account }) => account.id))
    const humans = new Set<AccountId>()
    for (const { status, seats } of this.rooms.tables(room))
      if (status !== 'finished')
        for (const { player } of seats.filter(sitter => sitter !== null)) {
          const { type } = personOf(player.account, player.protocol)
          if (player.protocol !== 'agon')
            (type === 'human' ? humans : agents).add(player.account.id)
        }
    return { agents_present: agents.size, humans_present: humans.size }
  }

  #followRooms(event: RoomEvent): void {
    switch (event.kind) {
      case 'seated':
        this.#sessionOf(event.player)?.satDown(event.player, event.table)
        break
      case 'countdown': {
        const { table, match, seconds } = event
        void this.#askVersus(table, match)
        const text = printed('match_countdown', { match_id: `m-${match}`, seconds })
        for (const { player } of sittersOf(table)) this.#sessionOf(player)?.told(player, text)
        break
      }
      case 'cancelled':
        for (const { player } of sittersOf(event.table))
          this.#sessionOf(player)?.satDown(player, event.table)
        break
      case 'freed':
      case 'began':
      case 'finished':
      case 'changed':
        // Those that sit there are told by news, and no one is told of tables without asking.
        break
    }
  }

  #sessionOf({ account, protocol }: Player): AgentSession | undefined {
    return protocol === 'agon' ? this.sessions.get(account.id) : undefined
  }

  async #askVersus({ seats, prompt }: RoomTable, match: MatchId): Promise<void> {
    const [one, two] = seats
    if (one === null || two === null) return
    try {
      const ladder = agentsLadder(prompt.game.id).id
      const { records } = this.#options
      const found = await records.versus(one.player.account.id, two.player.account.id, ladder)
      this.#versus.set(match, found)
    } catch (error) {
      // Their match does without.
      this.#options.failed(error)
    }
  }

  #follow(event: ArenaEvent): void {
    const { table } = event
    const live = this.matchOf(table)
    if (live === null) return
    const audience = this.#audiences.get(live.room.id)!
    const publish = (lines: readonly string[]) => {
      if (audience.size > 0 && lines.length > 0) audience.publish(lines, false)
    }
    switch (event.kind) {
      case 'began':
        this.#seatNewest(table)
        break
      case 'moved': {
        live.follow(table.moves)
        publish(live.untold().map(({ toSpectators }) => toSpectators))
        this.#wagers.get(table.id)?.said(live.said.length)
        break
      }
      case 'voting':
        if (table.vote?.opensIn === 0) publish([votingOpen(live, table.vote.closesIn)])
        break
      case 'reacted':
        publish([printed('reaction', { match_id: live.id, reaction: event.reaction })])
        break
      case 'voted':
        // How a vote goes is told at its end.
        break
      case 'ended':
      case 'aborted':
        this.#end(event, live, publish)
    }
  }

  #end(
    event: Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>,
    live: RoomMatch,
    publish: (lines: readonly string[]) => void,
  ): void {
    const { table } = event
    const ended = event.kind === 'ended' ? event : null
    const result = this.finish(live, ended)
    const wager = ended?.points?.[0]?.wager ?? null
    const match_id = live.id
    publish([
      printed('match_end', { match_id, result }),
      ...(wager === null
        ? []
        : [
            printed('wager_result', {
              ...{ match_id, winner_id: result.winner_id, amount: wager.amount, currency },
            }),
          ]),
    ])
    this.#wagers.get(table.id)?.close()
    this.#wagers.delete(table.id)
    this.#matches.delete(table.id)
    // Of a vote that was held one may be absent, and has missed nothing.
    if (ended === null || Object.keys(result.vote_count).length > 0) return
    for (const [seat, { account, protocol }] of table.deal.players.entries())
      if (protocol === 'agon' && table.listener(seat) === null)
        this.#expired.set(agentOf(account), { room: live.room.id, at: this.clock.elapsed() })
  }

  /** An agent may have come back between its countdown and its match: the newer session takes the seat. */
  #seatNewest(table: Table): void {
    for (const [seat, { account, protocol }] of table.deal.players.entries())
      if (protocol === 'agon') this.sessions.get(account.id)?.takeSeat(table, seat)
  }

  /** A listener that throws would be removed, and with it all that this protocol tells. */
  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#options.failed(error)
    }
  }
}

/** `voting_open` for spectators. */
const votingOpen = (live: RoomMatch, closesIn: number): string =>
  printed('voting_open', {
    match_id: live.id,
    duration_seconds: Math.round(closesIn / 1000),
    participants: live.participants,
  })

const isOpen = ({ status, seats }: RoomTable): boolean =>
  status === 'waiting' && seats.includes(null)

/** `TableState`. */
const tableState = ({ id, status, seats, prompt }: RoomTable): Fields => ({
  ...{ id, status, seat_1: sitterState(seats[0]), seat_2: sitterState(seats[1]) },
  ...{ prompt_title: prompt.title, prompt_body: prompt.body },
})

const sitterState = (sitter: Sitter | null): Fields | null =>
  sitter && {
    ...personOf(sitter.player.account, sitter.player.protocol),
    elo: sitter.elo,
  }

const sittersOf = ({ seats }: RoomTable): readonly Sitter[] =>
  seats.filter(sitter => sitter !== null)
