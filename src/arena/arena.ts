import { randomInt } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { Dice } from '../games/dice.ts'
import type { Game, Seed, Setup } from '../games/game.ts'
import { quoted } from '../games/words.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Account, AccountId } from './account.ts'
import type { Happened, Watcher } from './audience.ts'
import type { Refusal } from './codes.ts'
import { dayOf } from './day.ts'
import { DuplicateMatches } from './duplicate-matches.ts'
import { isFailure } from './failing.ts'
import { peopleLadder } from './ladder.ts'
import type { MatchId, MatchStore } from './match-store.ts'
import type { Player } from './player.ts'
import { Queue, type Waiting } from './queue.ts'
import { Table } from './table.ts'
import { isPractice, type Unrated } from './unrated.ts'

/** What a player wants to play. */
export interface Wish {
  readonly game: Game
  /** An unrated match against a house player of this strength, at once. */
  readonly practice?: string
  /** An unrated match against this account alone, which must name us too. */
  readonly opponent?: string
  /** Where the result shall count: nowhere, or on the people's ladder; otherwise on that of the game. */
  readonly ladder?: 'none' | 'people'
}

/** Seats a house player of some strength; undefined when there is none of that name. */
export type House = (game: Game, strength: string) => Player | undefined

/** The one place where players of every wire and dialect are brought together. */
export interface ArenaOptions {
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly house: House
  /** Milliseconds that anybody waits. */
  readonly queueWait: number
  /** Seats that one account may wait for and play in at once; as many as it likes unless given. */
  readonly seatsPerAccount?: number
  /** Matches against the house that one account may play at once. */
  readonly practicePerAccount?: number
  /** The names that `house` knows in a game, for a refusal. */
  readonly levels?: (game: Game) => readonly string[]
  /** How many rated matches two accounts may have a day in one game, and how many of them the very same; 0 for no limit. */
  readonly pairCap?: number
  readonly copyCap?: number
  /** Why an account of this name can play nobody; null where it can. */
  readonly unavailable?: (name: string) => string | null
  /** How the owner of an account that the host has paused lets it play again. */
  readonly wayBack?: (account: Account) => string
  /** Told of each fault of ours, with the match that it ended. */
  readonly failed?: (error: unknown, match: MatchId) => void
  /** A whole number from 0 to n − 1, for seeds and seats. */
  readonly roll?: (n: number) => number
  readonly meter?: Meter
}

export class Arena {
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #house: House
  readonly #pairCap: number
  readonly #duplicateMatches: DuplicateMatches
  readonly #unavailable: (name: string) => string | null
  readonly #wayBack: (account: Account) => string
  readonly #failed: (error: unknown, match: MatchId) => void
  readonly #roll: (n: number) => number
  readonly #meter: Meter
  readonly #queue: Queue
  readonly #seatsPerAccount: number
  readonly #practicePerAccount: number
  readonly #practising: ConcurrencyLimit<AccountId>
  readonly #levels: (game: Game) => readonly string[]
  readonly #tables = new Map<MatchId, Table>()
  readonly #watchers = new Set<Watcher>()
  #closing = false

  constructor(options: ArenaOptions) {
    const { clock, matchStore, house, queueWait, seatsPerAccount, failed, roll, meter } = options
    const { pairCap, copyCap, wayBack } = options
    this.#clock = clock
    this.#matchStore = matchStore
    this.#house = house
    this.#pairCap = pairCap ?? 0
    this.#duplicateMatches = new DuplicateMatches(matchStore, copyCap ?? 0)
    this.#unavailable = options.unavailable ?? (() => null)
    this.#wayBack = wayBack ?? (() => 'its owner un-pauses it in the hub')
    this.#failed = failed ?? (() => {})
    this.#seatsPerAccount = seatsPerAccount ?? Number.POSITIVE_INFINITY
    this.#practicePerAccount = options.practicePerAccount ?? Number.POSITIVE_INFINITY
    this.#practising = new ConcurrencyLimit({ perKey: this.#practicePerAccount })
    this.#levels = options.levels ?? (() => [])
    this.#roll = roll ?? (n => randomInt(n))
    this.#meter = meter ?? unmetered
    this.#queue = new Queue(
      clock,
      queueWait,
      {
        misfit: (a, b, game) => this.#unevenness(game, a, b),
        family: account => matchStore.family(account),
        spent: (game, a, b) => this.#isSpent(game.id, a, b),
      },
      party => this.#deal(party),
      (waiting, onlyOwn) => waiting.player.tell({ kind: 'unmatched', onlyOwn }),
    )
  }

  /** Matches under way. */
  get tables(): ReadonlyMap<MatchId, Table> {
    return this.#tables
  }

  get waiting(): readonly Waiting[] {
    return this.#queue.all()
  }

  /** Tells of everything that happens at the tables, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /**
   * Looks for a match for this player. Answers with a way to give up waiting, or a refusal. The player may be
   * seated before this returns, so `accepted` is called first.
   */
  seek(player: Player, wish: Wish, accepted: () => void): (() => void) | Refusal {
    const { game, practice, opponent, ladder } = wish
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
    if (opponent?.toLowerCase() === player.account.name.toLowerCase())
      return { code: 'bad-join', detail: 'opponent: nobody can play against their own account' }
    const why = opponent === undefined ? null : this.#unavailable(opponent)
    if (why !== null) return { code: 'bad-join', detail: `opponent: ${why}` }
    const waiting: Waiting = {
      player,
      game,
      rating: this.#matchStore.standing(player.account.id, game.id).rating,
      opponent: opponent?.toLowerCase() ?? null,
      ladder: ladder ?? 'game',
      since: this.#clock.elapsed(),
    }
    accepted()
    this.#queue.join(waiting)
    return () => this.#queue.leave(waiting)
  }

  /** Accounts were changed: who waits and has been paused, waits no longer; who has another owner, waits for others. */
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
   * Takes nobody in any more, sends home who waits, and aborts what is still being played after `grace`, or once
   * `hurried` says so. Done when every match is over and all who played have been told.
   */
  async close(grace: number, hurried?: Promise<void>): Promise<void> {
    this.#closing = true
    for (const waiting of this.#queue.all()) {
      this.#queue.leave(waiting)
      waiting.player.tell({ kind: 'closing' })
    }
    const emptied = new Promise<void>(resolve => {
      if (this.#tables.size === 0) resolve()
      else this.#emptied = resolve
    })
    await new Promise<void>(resolve => {
      const timer = this.#clock.after(grace, resolve)
      for (const reason of [emptied, hurried])
        void reason?.then(() => {
          timer.cancel()
          resolve()
        })
    })
    for (const table of this.#tables.values()) void table.abort('the host is stopping')
    await emptied
  }

  #emptied: (() => void) | null = null

  #practise(player: Player, game: Game, level: string, accepted: () => void) {
    const { id } = player.account
    if (this.#practising.isFullFor(id))
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

  #deal(party: readonly Waiting[]): void {
    const { game } = party[0]!
    const now = this.#clock.elapsed()
    for (const { since } of party) this.#meter.seated(game.id, now - since)
    const players = this.#inOrder(
      game,
      party.map(waiting => waiting.player),
    )
    const ladders = party.map(({ ladder }) => ladder)
    const ladder = ladders.includes('people') ? peopleLadder(game.id) : game.id
    const unrated: Unrated | null =
      party[0]!.opponent !== null
        ? 'a match by appointment'
        : ladders.includes('none')
          ? 'a casual match'
          : this.#haveSpent(ladder, players)
            ? 'a pair that has met too often today'
            : null
    this.#open(game, players, unrated, ladder)
  }

  /** Whether any two at the table have had their rated matches of the day. */
  #haveSpent(ladder: string, players: readonly Player[]): boolean {
    return players.some(({ account }, i) =>
      players.slice(i + 1).some(other => this.#isSpent(ladder, account.id, other.account.id)),
    )
  }

  #isSpent(ladder: string, a: AccountId, b: AccountId): boolean {
    return this.#pairCap > 0 && this.#matchStore.ratedToday(ladder, a, b) >= this.#pairCap
  }

  #paused(account: Account): Refusal | null {
    const pause = this.#matchStore.pause(account.id)
    if (pause === null) return null
    const way =
      pause.by === 'operator'
        ? 'The operator alone lets it play others again'
        : `To play others again: ${this.#wayBack(account)}; or ask the operator`
    return {
      code: 'paused',
      detail: `the account ${account.name} is paused: ${pause.reason}. Practice against the house stays open to it. ${way}`,
    }
  }

  /** Whoever has been first less often against this opponent, then overall, is first now. */
  #inOrder(game: Game, players: readonly Player[]): readonly Player[] {
    const shuffled = this.#shuffled(players)
    if (players.length > 2) {
      const lead = (player: Player) => this.#matchStore.standing(player.account.id, game.id).lead
      return shuffled.sort((a, b) => lead(a) - lead(b))
    }
    const [a, b] = shuffled as [Player, Player]
    return this.#claim(game, a, b) <= 0 ? [a, b] : [b, a]
  }

  /** Below zero where seat 0 is the first one's by right, above where it is the other's. */
  #claim(game: Game, { account: a }: Player, { account: b }: Player): number {
    const matchStore = this.#matchStore
    return (
      matchStore.firsts(game.id, a.id, b.id) - matchStore.firsts(game.id, b.id, a.id) ||
      matchStore.standing(a.id, game.id).lead - matchStore.standing(b.id, game.id).lead
    )
  }

  /** Costs a pairing something if it makes seat 0 less evenly spread than it is. */
  #unevenness(game: Game, a: Player, b: Player): number {
    const [first, second] = this.#claim(game, a, b) <= 0 ? [a, b] : [b, a]
    const lead = ({ account }: Player) => this.#matchStore.standing(account.id, game.id).lead
    // By how much the sum of the squares of both leads grows, beyond what it must.
    return 200 * Math.max(0, lead(first) - lead(second))
  }

  #open(
    game: Game,
    players: readonly Player[],
    unrated: Unrated | null,
    ladder: string = game.id,
  ): void {
    const accounts = players.map(player => player.account.id)
    const practising = isPractice(unrated) ? accounts : []
    const seed = this.#seedFor(game)
    const setup = setupFor(game, players)
    const deal = { game, seed, setup, players, unrated, ladder }
    const table: Table = new Table(this.#clock, this.#matchStore, deal, {
      closed: () => {
        this.#tables.delete(table.id)
        for (const account of practising) this.#practising.leave(account)
        this.#queue.ended(game, accounts)
        if (this.#tables.size === 0) this.#emptied?.()
      },
      objection: ({ id, deal, moves }, outcome) =>
        this.#duplicateMatches.isOneTooMany(id, deal, { outcome, moves }, dayOf(this.#clock.date()))
          ? 'a copy of earlier matches'
          : null,
      happened: event => this.#happened(event),
      dice: () => Dice.fromSeed(this.#longSeed()),
      failed: this.#failed,
      meter: this.#meter,
    })
    this.#tables.set(table.id, table)
    for (const account of practising) this.#practising.enter(account)
    this.#queue.began(game, accounts)
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

  /** A watcher that fails is let go; the match does not feel it. */
  #happened(event: Happened): void {
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
    for (const watcher of this.#watchers)
      try {
        watcher(event)
      } catch (error) {
        this.#watchers.delete(watcher)
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
