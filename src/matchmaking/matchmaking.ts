import { randomInt } from 'node:crypto'
import { type Account, type AccountId, agentOf, splitName } from '../arena/account.ts'
import type { Arena, MatchOrder } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { internalError, type Refusal, stopping } from '../arena/codes.ts'
import { isFailure } from '../arena/failing.ts'
import { agentsLadder, type Ladder, peopleLadder, standard, type Variant } from '../arena/ladder.ts'
import type { MatchStore } from '../arena/match-store.ts'
import type { News, Player } from '../arena/player.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Clock } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { type Meter, unmetered } from '../meter.ts'
import { Appointments } from './appointments.ts'
import { OpeningPairs } from './opening-pairs.ts'
import { PairingPolicy } from './pairing-policy.ts'
import { type MakePlayer, Practice, type PracticeOptions } from './practice.ts'
import { Queue } from './queue.ts'
import { type Waiting, WaitingList } from './waiting.ts'

/** The match that a player asks for. */
export interface SeekRequest {
  readonly game: Game
  /** An unrated match against a house player of this level, at once. */
  readonly practice?: string
  /** An unrated match against this account alone, which has to name this player in return. */
  readonly opponent?: string
  /**
   * The ladder of agents on which it wants to play; the standard one unless given. Players that ask for different ones do not
   * meet. A person asks for the people's ladder, or for no rating.
   */
  readonly ladder?: Variant | 'people' | 'none'
  /** The ladder of the agents that a person meets; the standard one unless given. */
  readonly meets?: Variant
  /** Players that ask so meet in the order in which they came, whatever their ratings and past meetings, and wait without end. */
  readonly inOrder?: boolean
  /** Two players that both ask so get two matches from each opening, with exchanged seats. Only in games that have openings. */
  readonly openings?: boolean
  /**
   * The table at which it sits down, which is one for this game: the id of one of a room, or the code of one that players have
   * set up. It meets those that sit there too. The match is one of the standard ladder, or of people.
   */
  readonly table?: string
}

/**
 * Ends the wait of a player that has left; or, where it has been paired already, says that its connection is lost.
 * `cause`: why the host ended the connection, if it did.
 */
export type Leave = (cause?: string) => void

export interface MatchmakingOptions extends PracticeOptions {
  readonly arena: Arena
  readonly clock: Clock
  readonly matchStore: MatchStore
  /** After this many milliseconds a player's wait for an opponent times out. */
  readonly queueWait: number
  /** How many seats one account may wait for and play in at once; no limit unless given. */
  readonly seatsPerAccount?: number
  /** How many rated matches two accounts may play in a day on one ladder; 0 for no limit. */
  readonly pairCap?: number
  /** The account that a player names as its opponent, or why it cannot play. */
  readonly opponent?: (name: string) => Opponent | Promise<Opponent>
  /** The command by which an owner un-pauses an agent, by their names, for a refusal. */
  readonly unpauseCommand?: (agent: string, owner: string) => string
  /** Called with each internal error. */
  readonly failed?: (error: unknown) => void
  /** A whole number from 0 to n − 1, for the order of seats. */
  readonly roll?: (n: number) => number
  readonly meter?: Meter
}

type Opponent = Pick<Account, 'name'> | { readonly why: string }

/** Holds players back from the queue, for matches that it calls itself. */
export interface Reserve {
  /** Whether it holds this player, until it takes it, gives it back, or hears that it has left. */
  holds(waiting: Waiting): boolean
  left(waiting: Waiting): void
}

/** Tables at which players sit down: those of the rooms, or those that players set up. */
export interface Tables {
  /** Whether it is for these tables to answer to this id, by its form. */
  knows(table: string): boolean
  /** Why this player cannot sit down at the table of this id; null where it can. */
  refusal(asks: Pick<Waiting, 'player' | 'game'>, table: string): Refusal | null
  join(waiting: Waiting, table: string): void
  /** Frees the seat at which this player waits for its match. Returns whether it had one. */
  left(waiting: Waiting): boolean
  /** This player will not sit down after all. */
  unclaim(player: Player): void
  /** Whether the match of this player opens in a moment. */
  isCounting(waiting: Waiting): boolean
}

/**
 * Where players ask for a match. It decides who may, hands each request to the matchmaker that it is for (queue,
 * appointments, practice or tables), and has the arena open a table for those that the matchmaker has brought
 * together.
 */
export class Matchmaking {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #seatsPerAccount: number
  readonly #opponent: NonNullable<MatchmakingOptions['opponent']>
  readonly #unpauseCommand: (agent: string, owner: string) => string
  readonly #failed: (error: unknown) => void
  readonly #meter: Meter
  readonly #policy: PairingPolicy
  readonly #openings: OpeningPairs
  readonly #waiting: WaitingList
  readonly #queue: Queue
  readonly #appointments: Appointments
  readonly #practice: Practice
  #reserve: Reserve | null = null
  readonly #tables: Tables[] = []
  readonly #reserved = new Set<Waiting>()
  #closing = false

  constructor(options: MatchmakingOptions) {
    const { arena, clock, matchStore, queueWait, unpauseCommand } = options
    this.#arena = arena
    this.#clock = clock
    this.#matchStore = matchStore
    this.#seatsPerAccount = options.seatsPerAccount ?? Number.POSITIVE_INFINITY
    this.#opponent = options.opponent ?? (name => ({ name }))
    this.#unpauseCommand = unpauseCommand ?? (() => 'its owner un-pauses it in the hub')
    this.#failed = options.failed ?? (() => {})
    this.#meter = options.meter ?? unmetered
    const roll = options.roll ?? (n => randomInt(n))
    this.#policy = new PairingPolicy(matchStore, options.pairCap ?? 0, roll)
    this.#openings = new OpeningPairs(roll)
    this.#waiting = new WaitingList(clock, queueWait)
    const open = (party: readonly Waiting[]) =>
      void this.#openFor(party, () => this.#orderFor(party))
    this.#queue = new Queue(clock, queueWait, this.#policy, open)
    this.#appointments = new Appointments(open)
    this.#practice = new Practice(arena, options)
    arena.watch(event => this.#queue.note(event))
    arena.watch(event => this.#reviewAfter(event))
  }

  /** All waiting players, longest wait first. */
  get waiting(): readonly Waiting[] {
    return this.#waiting.all()
  }

  /**
   * Looks for a match for this player. The answer is news: `queued`, and `seated` when there is a match; or `dismissed`,
   * `unmatched` or `closing`. None comes before this returns.
   */
  seek(player: Player, request: SeekRequest): Leave {
    const seeker: Seeker = { player, request, waiting: null, hasLeft: false }
    this.#clock.soon.do(() => this.#answer(seeker))
    return cause => this.#leave(seeker, cause)
  }

  /** How many waits this agent has, in whatever versions. */
  countWaits(agent: AccountId): number {
    return this.#waiting.of(agent)
  }

  /** From now on players that would wait in the queue are offered to this one first. */
  useReserve(reserve: Reserve): void {
    this.#reserve = reserve
    this.offer()
  }

  /** Offers all that wait in the queue to the reserve, which may want other players now. */
  offer(): void {
    for (const waiting of this.#waiting.all())
      if (!this.#reserved.has(waiting) && this.#isReserved(waiting)) this.#queue.leave(waiting)
  }

  /** Ends the wait of a player that the reserve holds and has found a match for. */
  take(waiting: Waiting): void {
    this.#reserved.delete(waiting)
    this.#waiting.remove(waiting)
    this.#matchStore.release([waiting.player.account.id])
  }

  /** The reserve wants this player no more: it waits in the queue. */
  giveBack(waiting: Waiting): void {
    if (this.#reserved.delete(waiting)) this.#queue.join(waiting)
  }

  /** From now on players that ask for a table which these know sit down there. Those added last are asked first. */
  useTables(tables: Tables): void {
    this.#tables.unshift(tables)
  }

  /**
   * Takes a player out of the queue that can meet this one at its table, and whose wait goes on there; undefined where there is
   * none. `may`: whether a player can sit down.
   */
  takeFor(sitter: Waiting, may: (player: Player) => boolean): Waiting | undefined {
    return this.#queue.takeFor(sitter, may)
  }

  /** This player, which was taken out of the queue for a table, waits there again. */
  backToQueue(waiting: Waiting): void {
    if (this.#waiting.has(waiting) && !this.#isReserved(waiting)) this.#queue.join(waiting)
  }

  /** Ends the wait of a player. */
  dismiss(waiting: Waiting, refusal: Refusal): void {
    if (this.#remove(waiting)) this.#tell(waiting.player, { kind: 'dismissed', ...refusal })
  }

  /**
   * Opens the match of those that sit at a table, and ends their waits: house players and guests have none. Resolves with
   * whether it has begun.
   */
  open(party: readonly Waiting[], order: TableOrder): Promise<boolean> {
    return this.#openFor(party, () => ({ ...order, ...this.#countsAt(party, order) }))
  }

  /** Why this player may not meet house players now; null where it may. */
  practiceRefusal(player: Player): Refusal | null {
    return this.#practice.refusal(player)
  }

  /** Why an account may play only practice; null where it is not paused. The account is held. */
  paused(account: Account): Refusal | null {
    const pause = this.#matchStore.pause(account.id)
    if (pause === null) return null
    const { agent } = splitName(account.name)
    const way =
      pause.by === 'operator'
        ? 'The operator alone lets it play others again'
        : `To play others again: ${this.#unpauseCommand(agent, pause.owner)}; or ask the operator`
    return {
      code: 'paused',
      detail: `the account ${agent} is paused: ${pause.reason}. Practice against the house stays open to it. ${way}`,
    }
  }

  /** Called when accounts have changed: dismisses waiting players whose account is paused, and looks up owners again. */
  review(): void {
    const refusals = new Map<AccountId, Refusal | null>()
    for (const waiting of this.#waiting.all()) {
      const { account } = waiting.player
      let refusal = refusals.get(account.id)
      if (refusal === undefined) {
        refusal = this.paused(account)
        refusals.set(account.id, refusal)
      }
      if (refusal !== null) this.dismiss(waiting, refusal)
    }
    this.#queue.review()
  }

  /** Refuses new players, and dismisses waiting ones. */
  close(): void {
    this.#closing = true
    for (const waiting of this.#waiting.all()) {
      this.#remove(waiting)
      this.#tell(waiting.player, { kind: 'closing' })
    }
  }

  /** A match that an account has lost by failing may have paused it, which ends its other waits. */
  #reviewAfter(event: ArenaEvent): void {
    if (event.kind !== 'ended') return
    const { players } = event.table.deal
    const failed = players.filter((_, seat) => isFailure(event.outcome.faults[seat] ?? null))
    try {
      if (failed.some(({ account }) => this.#matchStore.pause(account.id) !== null)) this.review()
    } catch (error) {
      // The arena would remove a listener that throws.
      this.#failed(error)
    }
  }

  /** Answers at once where all that the answer needs is known. */
  #answer(seeker: Seeker): void {
    if (seeker.hasLeft) {
      this.#unclaim(seeker.player)
      return
    }
    const { account } = seeker.player
    const request = seeker.request!
    seeker.request = null
    this.#with(
      seeker,
      () => this.#matchStore.hold([account.id], request.game.id),
      () =>
        this.#with(
          seeker,
          () => this.#opponents(request),
          opponents => this.#begin(seeker, request, opponents),
          () => this.#matchStore.release([account.id]),
        ),
    )
  }

  /** Goes on with what is fetched, in a turn of its own where that takes time. An error dismisses the player. */
  #with<T>(
    seeker: Seeker,
    fetch: () => T | Promise<T>,
    go: (fetched: T) => void,
    undo: () => void = () => {},
  ): void {
    const fail = (error: unknown) => {
      undo()
      this.#unclaim(seeker.player)
      this.#failed(error)
      // It may wait for another match by now.
      if (!seeker.hasLeft) this.#tell(seeker.player, { kind: 'dismissed', ...internalError })
    }
    try {
      const fetched = fetch()
      if (fetched instanceof Promise)
        fetched.then(fetched => this.#clock.soon.do(() => go(fetched)), fail)
      else go(fetched)
    } catch (error) {
      fail(error)
    }
  }

  /** The house players or the account that the request names. */
  #opponents({ game, practice, opponent }: SeekRequest): Opponents | Promise<Opponents> {
    if (practice !== undefined) {
      const make = this.#practice.opponents(game, practice)
      return make instanceof Promise ? make.then(make => ({ make })) : { make }
    }
    if (opponent === undefined) return {}
    const named = this.#opponent(opponent)
    return named instanceof Promise ? named.then(named => ({ named })) : { named }
  }

  /** The account of the player is held, which its wait takes over. */
  #begin(seeker: Seeker, request: SeekRequest, opponents: Opponents): void {
    const { player } = seeker
    try {
      const refusal = seeker.hasLeft ? null : this.#join(seeker, request, opponents)
      if (refusal !== null) this.#tell(player, { kind: 'dismissed', ...refusal })
    } catch (error) {
      this.#failed(error)
      if (seeker.waiting !== null) this.#remove(seeker.waiting)
      this.#tell(player, { kind: 'dismissed', ...internalError })
    }
    if (seeker.waiting !== null) return
    this.#matchStore.release([player.account.id])
    this.#unclaim(player)
  }

  #join(seeker: Seeker, request: SeekRequest, { make, named }: Opponents): Refusal | null {
    const { game, practice, ladder: wanted, meets = standard } = request
    const { inOrder = false, openings = false, table } = request
    const { player } = seeker
    const { account } = player
    const variant = typeof wanted === 'object' ? wanted : meets
    const ladder = agentsLadder(game.id, table === undefined ? variant : standard)
    if (this.#closing) return stopping
    const agent = agentOf(account)
    if (this.#waiting.of(agent) + this.#arena.countSeats(agent) >= this.#seatsPerAccount)
      return {
        code: 'too-many-matches',
        detail: `this account waits and plays in ${this.#seatsPerAccount} seats: try again when a match is over`,
        retryAfter: 10,
      }
    if (practice !== undefined) {
      const players = this.#practice.party(player, game, practice, make)
      if ('code' in players) return players
      player.tell({ kind: 'queued', game })
      if (seeker.hasLeft) return null
      const order = this.#policy.shuffled(players)
      void this.#open({ game, players: order, unrated: 'practice against the house', ladder })
      return null
    }
    const paused = this.paused(account)
    if (paused !== null) return paused
    if (named !== undefined && 'why' in named)
      return { code: 'no-such-opponent', detail: named.why }
    if (named?.name.toLowerCase() === account.name.toLowerCase())
      return { code: 'no-such-opponent', detail: 'an account cannot play against itself' }
    if (table !== undefined) {
      const tables = this.#tablesOf(table)
      const refusal = tables === undefined ? noTables : tables.refusal({ player, game }, table)
      if (refusal !== null) return refusal
    }
    const { strength, rating } = this.#matchStore.standing(account.id, ladder)
    const waiting: Waiting = {
      player,
      game,
      strength: strength ?? rating,
      opponent: named?.name.toLowerCase() ?? null,
      ladder,
      rated: typeof wanted === 'string' ? wanted : 'agents',
      inOrder,
      openings,
      table: table ?? null,
      since: this.#clock.elapsed(),
    }
    player.tell({ kind: 'queued', game })
    if (seeker.hasLeft) return null
    seeker.waiting = waiting
    this.#waiting.add(waiting, () => this.#timeOut(waiting))
    if (table !== undefined) this.#tablesOf(table)?.join(waiting, table)
    else if (!this.#isReserved(waiting)) this.#matchmakerOf(waiting).join(waiting)
    return null
  }

  #leave(seeker: Seeker, cause: string | undefined): void {
    if (seeker.hasLeft) return
    seeker.hasLeft = true
    const { waiting, player } = seeker
    if (waiting === null || !this.#remove(waiting)) this.#arena.leave(player, cause)
  }

  #timeOut(waiting: Waiting): void {
    if (this.#isCounting(waiting)) {
      this.#waiting.extend(waiting, () => this.#timeOut(waiting))
      return
    }
    this.#remove(waiting)
    const onlyOwn = this.#queue.waitedWithOwnAgents(waiting)
    this.#tell(waiting.player, { kind: 'unmatched', onlyOwn })
  }

  /** Returns whether it was waiting. */
  #remove(waiting: Waiting): boolean {
    if (!this.#waiting.remove(waiting)) return false
    this.#matchStore.release([waiting.player.account.id])
    if (this.#reserved.delete(waiting)) this.#reserve?.left(waiting)
    else if (!this.#tables.some(tables => tables.left(waiting)))
      this.#matchmakerOf(waiting).leave(waiting)
    return true
  }

  #tablesOf(id: string): Tables | undefined {
    return this.#tables.find(tables => tables.knows(id))
  }

  #isCounting(waiting: Waiting): boolean {
    return this.#tables.some(tables => tables.isCounting(waiting))
  }

  #unclaim(player: Player): void {
    for (const tables of this.#tables) tables.unclaim(player)
  }

  #isReserved(waiting: Waiting): boolean {
    const isElsewhere =
      waiting.opponent !== null || waiting.table !== null || this.#isCounting(waiting)
    if (isElsewhere || this.#reserve?.holds(waiting) !== true) return false
    this.#reserved.add(waiting)
    return true
  }

  #matchmakerOf({ opponent }: Waiting): Queue | Appointments {
    return opponent === null ? this.#queue : this.#appointments
  }

  /** Opens the match of those that a matchmaker has brought together, and ends their waits. */
  async #openFor(party: readonly Waiting[], orderFor: () => MatchOrder): Promise<boolean> {
    for (const waiting of party) this.#waiting.remove(waiting)
    let opened: Promise<boolean> | null = null
    try {
      const now = this.#clock.elapsed()
      for (const { game, since } of party) this.#meter.seated(game.id, now - since)
      opened = this.#open(orderFor())
    } catch (error) {
      this.#failed(error)
      for (const { player } of party) this.#tell(player, { kind: 'dismissed', ...internalError })
    }
    // The match holds them itself.
    this.#matchStore.release(party.map(({ player }) => player.account.id))
    return opened ?? false
  }

  #orderFor(party: readonly Waiting[]): MatchOrder {
    const { game, ladder } = party[0]!
    const inOrder = () =>
      this.#policy.seatOrder(
        ladder,
        party.map(({ player }) => player),
      )
    const opened = this.#openings.next(party, inOrder)
    const players = opened?.players ?? inOrder()
    return { game, players, ...this.#countsOn(party), opening: opened?.opening ?? null }
  }

  /** The ladder on which the match of these counts, or as which it is played, and why it is unrated. */
  #countsOn(party: readonly Waiting[]): Counts {
    const { game, opponent, ladder: waitedFor } = party[0]!
    const players = party.map(({ player }) => player)
    const rated = party.map(({ rated }) => rated)
    const ladder = rated.includes('people') ? peopleLadder(game.id) : waitedFor
    const unrated: Unrated | null =
      opponent !== null
        ? 'a match by appointment'
        : rated.includes('none')
          ? 'a casual match'
          : this.#policy.anyOfOneOwner(players)
            ? 'agents of one owner'
            : this.#policy.anyCapReached(ladder, players)
              ? 'a pair that has met too often today'
              : null
    return { unrated, ladder }
  }

  /** As `#countsOn`, of a table at which others sit besides those that wait. */
  #countsAt(party: readonly Waiting[], { game, players }: TableOrder): Counts {
    const counts = party.length === 0 ? null : this.#countsOn(party)
    const unrated: Unrated | null = players.some(({ account }) => account.kind === 'house')
      ? 'practice against the house'
      : (counts?.unrated ?? null)
    return { unrated, ladder: counts?.ladder ?? agentsLadder(game.id) }
  }

  /** Resolves with whether the match has begun; its players are told where it has not. */
  #open(order: MatchOrder): Promise<boolean> {
    const tellAll = (news: News) => {
      for (const player of order.players) this.#tell(player, news)
    }
    return this.#arena.open(order).then(
      answer => {
        if (typeof answer !== 'number') tellAll({ kind: 'dismissed', ...answer })
        return typeof answer === 'number'
      },
      error => {
        this.#failed(error)
        tellAll({ kind: 'dismissed', ...internalError })
        return false
      },
    )
  }

  /** If telling one player throws, the others are still served. */
  #tell(player: Player, news: News): void {
    try {
      player.tell(news)
    } catch (error) {
      this.#failed(error)
    }
  }
}

const noTables = {
  code: 'no-such-table',
  detail: 'there are no tables to sit down at here',
} as const satisfies Refusal

type Counts = Pick<MatchOrder, 'unrated'> & { readonly ladder: Ladder }

/** What a table says of its match. */
type TableOrder = Pick<MatchOrder, 'game' | 'players' | 'id' | 'seed' | 'setup' | 'pace'>

/** The opponents that a request names. */
interface Opponents {
  readonly make?: MakePlayer | undefined
  readonly named?: Opponent
}

/** A player that has asked for a match. */
interface Seeker {
  readonly player: Player
  /** Null once it is being answered: thousands may wait. */
  request: SeekRequest | null
  /** Its wait, from the answer on. */
  waiting: Waiting | null
  hasLeft: boolean
}
