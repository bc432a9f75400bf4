import { randomInt } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { Dice } from '../games/dice.ts'
import type { Game, Seed, Setup } from '../games/game.ts'
import { quoted } from '../games/words.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Account, AccountId } from './account.ts'
import type { ArenaEvent, ArenaListener } from './arena-event.ts'
import type { Refusal } from './codes.ts'
import { dayOf } from './day.ts'
import { DuplicateMatches } from './duplicate-matches.ts'
import { isFailure } from './failing.ts'
import { agentsLadder, type Ladder, peopleLadder } from './ladder.ts'
import type { MatchId, MatchStore } from './match-store.ts'
import type { Player } from './player.ts'
import { Queue, type Waiting } from './queue.ts'
import { Table } from './table.ts'
import { isPractice, type Unrated } from './unrated.ts'

/** The match that a player asks for. */
export interface SeekRequest {
  readonly game: Game
  /** An unrated match against a house player of this level, at once. */
  readonly practice?: string
  /** An unrated match against this account alone, which has to name this player in return. */
  readonly opponent?: string
  /** The ladder to be rated on: no ladder, or the people's ladder. Left out, it is the ladder of the game. */
  readonly ladder?: 'none' | 'people'
}

/** Makes a house player of the level of this name; undefined when the game has no such level. */
export type House = (game: Game, strength: string) => Player | undefined

export interface ArenaOptions {
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly house: House
  /** After this many milliseconds a player's wait for an opponent times out. */
  readonly queueWait: number
  /** How many seats one account may wait for and play in at once; no limit unless given. */
  readonly seatsPerAccount?: number
  /** How many practice matches one account may play at once; no limit unless given. */
  readonly practicePerAccount?: number
  /** The names of the levels of a game, for a refusal that lists them. */
  readonly levels?: (game: Game) => readonly string[]
  /** How many rated matches two accounts may play in a day on one ladder; 0 for no limit. */
  readonly pairCap?: number
  /** How many of them may have the same moves and the same end; 0 for no limit. */
  readonly copyCap?: number
  /** The account that a player names as its opponent, or why it cannot play. */
  readonly opponent?: (name: string) => Pick<Account, 'name'> | { readonly why: string }
  /** The command by which the owner of an account un-pauses it, for a refusal. */
  readonly unpauseCommand?: (account: Account) => string
  /** Called with each internal error and the match in which it happened. */
  readonly failed?: (error: unknown, match: MatchId) => void
  /** A whole number from 0 to n − 1, for seeds and seats. */
  readonly roll?: (n: number) => number
  readonly meter?: Meter
}

/** Brings the players of all protocols together: matchmaking, live matches, and the events of both. */
export class Arena {
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #house: House
  readonly #pairCap: number
  readonly #duplicateMatches: DuplicateMatches
  readonly #opponent: NonNullable<ArenaOptions['opponent']>
  readonly #unpauseCommand: (account: Account) => string
  readonly #failed: (error: unknown, match: MatchId) => void
  readonly #roll: (n: number) => number
  readonly #meter: Meter
  readonly #queue: Queue
  readonly #seatsPerAccount: number
  readonly #practicePerAccount: number
  readonly #practiceMatches: ConcurrencyLimit<AccountId>
  readonly #levels: (game: Game) => readonly string[]
  readonly #tables = new Map<MatchId, Table>()
  readonly #listeners = new Set<ArenaListener>()
  #closing = false

  constructor(options: ArenaOptions) {
    const { clock, matchStore, house, queueWait, seatsPerAccount, failed, roll, meter } = options
    const { pairCap, copyCap, unpauseCommand } = options
    this.#clock = clock
    this.#matchStore = matchStore
    this.#house = house
    this.#pairCap = pairCap ?? 0
    this.#duplicateMatches = new DuplicateMatches(matchStore, copyCap ?? 0)
    this.#opponent = options.opponent ?? (name => ({ name }))
    this.#unpauseCommand = unpauseCommand ?? (() => 'its owner un-pauses it in the hub')
    this.#failed = failed ?? (() => {})
    this.#seatsPerAccount = seatsPerAccount ?? Number.POSITIVE_INFINITY
    this.#practicePerAccount = options.practicePerAccount ?? Number.POSITIVE_INFINITY
    this.#practiceMatches = new ConcurrencyLimit({ perKey: this.#practicePerAccount })
    this.#levels = options.levels ?? (() => [])
    this.#roll = roll ?? (n => randomInt(n))
    this.#meter = meter ?? unmetered
    this.#queue = new Queue(
      clock,
      queueWait,
      {
        penalty: (a, b, game) => this.#seatImbalance(game, a, b),
        owner: account => matchStore.family(account),
        capReached: (game, a, b) => this.#pairCapReached(agentsLadder(game.id), a, b),
      },
      party => this.#openMatched(party),
      (waiting, onlyOwn) => waiting.player.tell({ kind: 'unmatched', onlyOwn }),
    )
  }

  /** The live matches. */
  get tables(): ReadonlyMap<MatchId, Table> {
    return this.#tables
  }

  get waiting(): readonly Waiting[] {
    return this.#queue.all()
  }

  /** Calls the listener with every event of every match, until the returned function is called. */
  watch(listener: ArenaListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Looks for a match for this player. Returns a function that ends the wait, or a refusal. The player may be seated
   * before this returns, so `accepted` is called first.
   */
  seek(player: Player, request: SeekRequest, accepted: () => void): (() => void) | Refusal {
    const { game, practice, opponent, ladder } = request
    if (this.#closing)
      return { code: 'shutting-down', detail: 'the host is stopping; try again later' }
    if (this.#queue.seatsOf(player.account.id) >= this.#seatsPerAccount)
      return {
        code: 'too-many-matches',
        detail: `this account waits and plays in ${this.#seatsPerAccount} seats: try again when a match is over`,
        retryAfter: 10,
      }
    if (practice !== undefined) return this.#practise(player, game, practice, accepted)
    const paused = this.#paused(player.account)
    if (paused !== null) return paused
    const against = opponent === undefined ? null : this.#opponent(opponent)
    if (against !== null && 'why' in against)
      return { code: 'bad-join', detail: `opponent: ${against.why}` }
    if (against?.name.toLowerCase() === player.account.name.toLowerCase())
      return { code: 'bad-join', detail: 'opponent: an account cannot play against itself' }
    const waiting: Waiting = {
      player,
      game,
      rating: this.#matchStore.standing(player.account.id, agentsLadder(game.id)).rating,
      opponent: against?.name.toLowerCase() ?? null,
      ladder: ladder ?? 'game',
      since: this.#clock.elapsed(),
    }
    accepted()
    this.#queue.join(waiting)
    return () => this.#queue.leave(waiting)
  }

  /** Called when accounts have changed: dismisses waiting players whose account is paused, and looks up owners again. */
  review(): void {
    const refusals = new Map<AccountId, Refusal | null>()
    for (const waiting of this.#queue.all()) {
      const { account } = waiting.player
      let refusal = refusals.get(account.id)
      if (refusal === undefined) {
        refusal = this.#paused(account)
        refusals.set(account.id, refusal)
      }
      if (refusal === null) continue
      this.#queue.leave(waiting)
      waiting.player.tell({ kind: 'dismissed', ...refusal })
    }
    this.#queue.review()
  }

  /**
   * Drains the arena: refuses new players, dismisses waiting ones, and aborts live matches after `grace` milliseconds, or
   * once `hurried` is resolved. Resolves when every match is over and its players have been told.
   */
  async close(grace: number, hurried?: Promise<void>): Promise<void> {
    this.#closing = true
    for (const waiting of this.#queue.all()) {
      this.#queue.leave(waiting)
      waiting.player.tell({ kind: 'closing' })
    }
    const allClosed = new Promise<void>(resolve => {
      if (this.#tables.size === 0) resolve()
      else this.#onLastTableClosed = resolve
    })
    await new Promise<void>(resolve => {
      const timer = this.#clock.after(grace, resolve)
      for (const reason of [allClosed, hurried])
        void reason?.then(() => {
          timer.cancel()
          resolve()
        })
    })
    for (const table of this.#tables.values()) void table.abort('the host is stopping')
    await allClosed
  }

  #onLastTableClosed: (() => void) | null = null

  #practise(player: Player, game: Game, level: string, accepted: () => void) {
    const { id } = player.account
    if (this.#practiceMatches.isFullFor(id))
      return {
        code: 'too-many-matches',
        detail: `this account plays ${this.#practicePerAccount} practice matches: try again when one is over`,
        retryAfter: 10,
      } as const
    const players = [player]
    while (players.length < game.seats) {
      const house = this.#house(game, level)
      if (house === undefined)
        return {
          code: 'bad-join',
          detail: `practice: no house player ${quoted(level)} plays ${game.id}; there are ${this.#levels(game).join(', ')}`,
        } as const
      players.push(house)
    }
    accepted()
    const order = this.#shuffled(players)
    this.#open(game, order, 'practice against the house')
    return () => {}
  }

  #openMatched(party: readonly Waiting[]): void {
    const { game } = party[0]!
    const now = this.#clock.elapsed()
    for (const { since } of party) this.#meter.seated(game.id, now - since)
    const players = this.#seatOrder(
      game,
      party.map(waiting => waiting.player),
    )
    const ladders = party.map(({ ladder }) => ladder)
    const ladder = ladders.includes('people') ? peopleLadder(game.id) : agentsLadder(game.id)
    const unrated: Unrated | null =
      party[0]!.opponent !== null
        ? 'a match by appointment'
        : ladders.includes('none')
          ? 'a casual match'
          : this.#anyPairCapReached(ladder, players)
            ? 'a pair that has met too often today'
            : null
    this.#open(game, players, unrated, ladder)
  }

  /** Whether two players of this match have reached the daily cap on rated matches. */
  #anyPairCapReached(ladder: Ladder, players: readonly Player[]): boolean {
    return players.some(({ account }, i) =>
      players
        .slice(i + 1)
        .some(other => this.#pairCapReached(ladder, account.id, other.account.id)),
    )
  }

  #pairCapReached(ladder: Ladder, a: AccountId, b: AccountId): boolean {
    return this.#pairCap > 0 && this.#matchStore.ratedToday(ladder, a, b) >= this.#pairCap
  }

  #paused(account: Account): Refusal | null {
    const pause = this.#matchStore.pause(account.id)
    if (pause === null) return null
    const way =
      pause.by === 'operator'
        ? 'The operator alone lets it play others again'
        : `To play others again: ${this.#unpauseCommand(account)}; or ask the operator`
    return {
      code: 'paused',
      detail: `the account ${account.name} is paused: ${pause.reason}. Practice against the house stays open to it. ${way}`,
    }
  }

  /** Seat 0 goes to the player that has had it less often: against this opponent, then against all. */
  #seatOrder(game: Game, players: readonly Player[]): readonly Player[] {
    const shuffled = this.#shuffled(players)
    if (players.length > 2) {
      const lead = (player: Player) =>
        this.#matchStore.standing(player.account.id, agentsLadder(game.id)).lead
      return shuffled.sort((a, b) => lead(a) - lead(b))
    }
    const [a, b] = shuffled as [Player, Player]
    return this.#seatPriority(game, a, b) <= 0 ? [a, b] : [b, a]
  }

  /** Below zero where seat 0 is due to the first player, above zero where it is due to the second. */
  #seatPriority(game: Game, { account: a }: Player, { account: b }: Player): number {
    const matchStore = this.#matchStore
    const ladder = agentsLadder(game.id)
    return (
      matchStore.firsts(ladder, a.id, b.id) - matchStore.firsts(ladder, b.id, a.id) ||
      matchStore.standing(a.id, ladder).lead - matchStore.standing(b.id, ladder).lead
    )
  }

  /** The penalty, in rating points, for a pairing in which both players have had seat 0 too often, or too rarely. */
  #seatImbalance(game: Game, a: Player, b: Player): number {
    const [first, second] = this.#seatPriority(game, a, b) <= 0 ? [a, b] : [b, a]
    const ladder = agentsLadder(game.id)
    const lead = ({ account }: Player) => this.#matchStore.standing(account.id, ladder).lead
    // How much the sum of the squares of both leads grows beyond the least that one match adds.
    return 200 * Math.max(0, lead(first) - lead(second))
  }

  #open(
    game: Game,
    players: readonly Player[],
    unrated: Unrated | null,
    ladder: Ladder = agentsLadder(game.id),
  ): void {
    const accounts = players.map(player => player.account.id)
    const practising = isPractice(unrated) ? accounts : []
    const seed = this.#seedFor(game)
    const setup = setupFor(game, players)
    const deal = { game, seed, setup, players, unrated, ladder }
    const table: Table = new Table(this.#clock, this.#matchStore, deal, {
      closed: () => {
        this.#tables.delete(table.id)
        for (const account of practising) this.#practiceMatches.leave(account)
        this.#queue.matchEnded(game, accounts)
        if (this.#tables.size === 0) this.#onLastTableClosed?.()
      },
      unratedReason: ({ id, deal, moves }, outcome) =>
        this.#duplicateMatches.isOneTooMany(id, deal, { outcome, moves }, dayOf(this.#clock.date()))
          ? 'a copy of earlier matches'
          : null,
      emit: event => this.#emit(event),
      dice: () => Dice.fromSeed(this.#longSeed()),
      failed: this.#failed,
      meter: this.#meter,
    })
    this.#tables.set(table.id, table)
    for (const account of practising) this.#practiceMatches.enter(account)
    this.#queue.matchBegan(game, accounts)
    table.open()
  }

  #seedFor(game: Game): Seed {
    return game.seedBits === 128 ? this.#longSeed() : this.#roll(2 ** 32)
  }

  #longSeed(): Seed {
    const word = () =>
      this.#roll(2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return word() + word() + word() + word()
  }

  /** A listener that throws is removed, and the match goes on. */
  #emit(event: ArenaEvent): void {
    if (event.kind === 'ended' || event.kind === 'aborted')
      this.#duplicateMatches.settled(
        event.table.id,
        event.kind === 'ended' && event.unrated === null,
      )
    if (event.kind === 'ended') {
      const { players } = event.table.deal
      const failed = players.filter((_, seat) => isFailure(event.outcome.faults[seat] ?? null))
      if (failed.some(({ account }) => this.#matchStore.pause(account.id) !== null)) this.review()
    }
    for (const listener of this.#listeners)
      try {
        listener(event)
      } catch (error) {
        this.#listeners.delete(listener)
        this.#failed(error, event.table.id)
      }
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.#roll(i + 1)
      ;[result[i], result[j]] = [result[j]!, result[i]!]
    }
    return result
  }
}

const setupFor = (game: Game, players: readonly Player[]): Setup | null => {
  const arePeople = players.every(
    ({ account, isPerson }) => account.kind === 'house' || isPerson === true,
  )
  return (arePeople ? game.setupForPeople : undefined) ?? game.setup ?? null
}
