import type { Clock, Timer } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { Counter } from '../limits/counter.ts'
import type { AccountId } from './account.ts'
import type { Player } from './player.ts'

/** One player waiting for one game. */
export interface Waiting {
  readonly player: Player
  readonly game: Game
  /** The rating when the wait began. */
  readonly rating: number
  /** The only account that this player will meet: its name in lower case. */
  readonly opponent: string | null
  /** The ladder on which this player wants the match to be rated. */
  readonly ladder: 'game' | 'people' | 'none'
  readonly since: number
}

/** Rules about who meets whom, beyond rating and waiting time. */
export interface PairingPolicy {
  /** A penalty for this pairing, in rating points, besides the difference of ratings and the recent meetings. */
  penalty(a: Player, b: Player, game: Game): number
  /** The owner of an account. Accounts of one owner never meet in a rated match. */
  owner(account: AccountId): AccountId
  /** Whether two accounts have played all the rated matches that they may play in a day. */
  capReached(game: Game, a: AccountId, b: AccountId): boolean
}

/** Matchmaking: pairs players that wait for the same game, nearest rating first. The rating window widens with the wait. */
export class Queue {
  readonly #clock: Clock
  readonly #maxWait: number
  readonly #policy: PairingPolicy
  readonly #matched: (party: readonly Waiting[]) => void
  readonly #timedOut: (waiting: Waiting, onlyOwn: boolean) => void
  readonly #pools = new Map<string, Pool>()
  readonly #expiry = new Map<Waiting, Timer>()
  #sweeper: Timer | null = null

  constructor(
    clock: Clock,
    /** After this many milliseconds a wait times out. */
    maxWait: number,
    policy: PairingPolicy,
    matched: (party: readonly Waiting[]) => void,
    /** `onlyOwn`: only agents of the same owner were waiting. */
    timedOut: (waiting: Waiting, onlyOwn: boolean) => void,
  ) {
    this.#clock = clock
    this.#maxWait = maxWait
    this.#policy = policy
    this.#matched = matched
    this.#timedOut = timedOut
  }

  join(waiting: Waiting): void {
    const pool = this.#pool(waiting.game)
    pool.add(waiting)
    this.#expiry.set(
      waiting,
      this.#clock.after(this.#maxWait, () => {
        this.leave(waiting)
        this.#timedOut(waiting, pool.waitedWithOwnAgents(waiting))
      }),
    )
    // Only the newest player can complete a table: all others have been tried with each other.
    if (!this.#match(pool, waiting) && pool.mayMatchLater()) this.#sweepLater()
  }

  leave(waiting: Waiting): void {
    if (!this.#expiry.has(waiting)) return
    this.#expiry.get(waiting)?.cancel()
    this.#expiry.delete(waiting)
    this.#pool(waiting.game).remove(waiting)
  }

  /** Called for every match, so that two accounts are not paired again and again while there are others. */
  matchBegan(game: Game, accounts: readonly AccountId[]): void {
    this.#pool(game).matchBegan(accounts)
  }

  matchEnded(game: Game, accounts: readonly AccountId[]): void {
    this.#pool(game).matchEnded(accounts)
  }

  /** Called when owners of accounts may have changed. */
  review(): void {
    for (const pool of this.#pools.values()) {
      if (!pool.review()) continue
      this.#matchAll(pool)
      if (pool.mayMatchLater()) this.#sweepLater()
    }
  }

  /** How many seats this account waits for or plays in. */
  seatsOf(account: AccountId): number {
    let seats = 0
    for (const pool of this.#pools.values()) seats += pool.seatsOf(account)
    return seats
  }

  /** All waiting players, longest wait first. */
  all(): readonly Waiting[] {
    return [...this.#expiry.keys()]
  }

  #pool(game: Game): Pool {
    let pool = this.#pools.get(game.id)
    if (pool === undefined) {
      pool = new Pool(game, Math.min(10_000, this.#maxWait / 4), this.#policy)
      this.#pools.set(game.id, pool)
    }
    return pool
  }

  #match(pool: Pool, anchor: Waiting): boolean {
    const party = pool.partyFor(anchor, this.#clock.elapsed())
    if (party === undefined) return false
    for (const waiting of party) this.leave(waiting)
    this.#matched(party)
    return true
  }

  #matchAll(pool: Pool): void {
    for (const waiting of pool.open()) this.#match(pool, waiting)
  }

  /** Windows widen with time alone, so waiting players are tried again every 100 ms. */
  #sweepLater(): void {
    this.#sweeper ??= this.#clock.after(100, () => {
      this.#sweeper = null
      for (const pool of this.#pools.values()) if (pool.mayMatchLater()) this.#matchAll(pool)
      for (const pool of this.#pools.values()) if (pool.mayMatchLater()) this.#sweepLater()
    })
  }
}

/** How far apart in rating two players may be who have just joined, and by how much that grows in a second. */
const initialWindow = 200
const windowPerSecond = 300
/** Each recent meeting counts like this many points of rating difference. */
const meetingPenalty = 300
const rememberedMeetings = 12
/** A pair that has reached the daily cap counts as if it had met this many times more. */
const capMeetings = 6
/** At most this many meetings are counted, so that the wait for another opponent stays short. */
const maxExtraMeetings = 3

/** The players that wait for one game. */
class Pool {
  readonly #game: Game
  /** After this wait any opponent is accepted. */
  readonly #anyOpponentAfter: number
  readonly #policy: PairingPolicy
  /** Players that accept any opponent, with their owners. */
  readonly #open = new Map<Waiting, AccountId>()
  /** Players that have named their opponent, by both names. This map is never scanned: it may hold thousands. */
  readonly #named = new Map<string, Set<Waiting>>()
  /** How many seats each account waits for, with or without a named opponent. */
  readonly #seats = new Counter<AccountId>()
  /** Players that were not paired with a waiting agent because it has the same owner. */
  readonly #waitedWithOwnAgents = new WeakSet<Waiting>()
  readonly #accounts = new Counter<AccountId>()
  readonly #owners = new Counter<AccountId>()
  /** How many of `#open` want an unrated match. */
  #unratedCount = 0
  readonly #playing = new Counter<AccountId>()
  readonly #recent = new BoundedMap<AccountId, AccountId[]>(10_000)

  constructor(game: Game, anyOpponentAfter: number, policy: PairingPolicy) {
    this.#game = game
    this.#policy = policy
    this.#anyOpponentAfter = anyOpponentAfter
  }

  add(waiting: Waiting): void {
    this.#seats.add(waiting.player.account.id)
    if (waiting.opponent === null) {
      const owner = this.#policy.owner(waiting.player.account.id)
      this.#open.set(waiting, owner)
      this.#accounts.add(waiting.player.account.id)
      this.#owners.add(owner)
      if (!wantsRated(waiting)) this.#unratedCount++
      return
    }
    const names = namesOf(waiting)
    const same = this.#named.get(names)
    if (same === undefined) this.#named.set(names, new Set([waiting]))
    else same.add(waiting)
  }

  remove(waiting: Waiting): void {
    this.#seats.remove(waiting.player.account.id)
    if (waiting.opponent === null) {
      this.#owners.remove(this.#open.get(waiting)!)
      this.#open.delete(waiting)
      this.#accounts.remove(waiting.player.account.id)
      if (!wantsRated(waiting)) this.#unratedCount--
      return
    }
    const names = namesOf(waiting)
    const same = this.#named.get(names)
    same?.delete(waiting)
    if (same?.size === 0) this.#named.delete(names)
  }

  /** Returns whether the owner of any waiting account has changed. */
  review(): boolean {
    let changed = false
    for (const [waiting, before] of this.#open) {
      const now = this.#policy.owner(waiting.player.account.id)
      if (now === before) continue
      changed = true
      this.#owners.remove(before)
      this.#owners.add(now)
      this.#open.set(waiting, now)
    }
    return changed
  }

  open(): readonly Waiting[] {
    return [...this.#open.keys()]
  }

  seatsOf(account: AccountId): number {
    return this.#seats.of(account) + this.#playing.of(account)
  }

  waitedWithOwnAgents(waiting: Waiting): boolean {
    return this.#waitedWithOwnAgents.has(waiting)
  }

  hasEnoughAccounts(): boolean {
    return this.#accounts.size >= this.#game.seats
  }

  /**
   * Whether waiting longer can lead to a match. It cannot while all waiting accounts have one owner and want a rated
   * match.
   */
  mayMatchLater(): boolean {
    return (
      this.hasEnoughAccounts() && (this.#owners.size >= this.#game.seats || this.#unratedCount > 0)
    )
  }

  matchBegan(accounts: readonly AccountId[]): void {
    for (const account of accounts) {
      this.#playing.add(account)
      const others = accounts.filter(other => other !== account)
      const recent = [...others, ...(this.#recent.get(account) ?? [])]
      this.#recent.set(account, recent.slice(0, rememberedMeetings * others.length))
    }
  }

  matchEnded(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#playing.remove(account)
  }

  /** The anchor and the best opponents for it, by rating and wait; undefined while there are too few. */
  partyFor(anchor: Waiting, now: number): readonly Waiting[] | undefined {
    if (anchor.opponent !== null) return this.#pairFor(anchor)
    if (!this.#open.has(anchor) || !this.hasEnoughAccounts()) return undefined
    const anyOpponent = this.#noOthers()
    const fewest = anyOpponent ? 0 : this.#fewestMeetings(anchor.player.account.id)
    const near: { waiting: Waiting; priority: number }[] = []
    for (const waiting of this.#open.keys()) {
      if (!this.#mayMeet(anchor, waiting)) continue
      const distance = this.#distance(anchor, waiting, fewest)
      const reach = Math.max(this.#reach(anchor, now), this.#reach(waiting, now))
      if (anyOpponent || distance <= reach)
        near.push({ waiting, priority: waitBonus(waiting, now) - distance })
    }
    const others = this.#game.seats - 1
    if (others === 1) {
      const best = near.reduce<(typeof near)[0] | undefined>(
        (best, one) => (best === undefined || one.priority > best.priority ? one : best),
        undefined,
      )
      return best && [anchor, best.waiting]
    }
    const party = [anchor]
    for (const { waiting } of near.sort((a, b) => b.priority - a.priority))
      if (party.length <= others && party.every(member => this.#mayMeet(member, waiting)))
        party.push(waiting)
    return party.length === this.#game.seats ? party : undefined
  }

  /** A player that has named an opponent meets only an account that has named it in return. */
  #pairFor(anchor: Waiting): readonly Waiting[] | undefined {
    if (this.#game.seats > 2) return undefined
    const { opponent, player } = anchor
    const [other] = this.#named.get(`${opponent}/${player.account.name.toLowerCase()}`) ?? []
    return other && [anchor, other]
  }

  #reach(waiting: Waiting, now: number): number {
    return now - waiting.since >= this.#anyOpponentAfter
      ? Number.POSITIVE_INFINITY
      : initialWindow + waitBonus(waiting, now)
  }

  #distance(a: Waiting, b: Waiting, fewest: number): number {
    const extra = this.#meetings(a.player.account.id, b.player.account.id) - fewest
    return (
      Math.abs(a.rating - b.rating) +
      Math.min(maxExtraMeetings, Math.max(0, extra)) * meetingPenalty +
      this.#policy.penalty(a.player, b.player, this.#game)
    )
  }

  /** How often two accounts have met recently; more if they have reached the daily cap. */
  #meetings(a: AccountId, b: AccountId): number {
    const recent = this.#recent.get(a) ?? []
    const met = recent.filter(account => account === b).length
    return this.#policy.capReached(this.#game, a, b) ? met + capMeetings : met
  }

  /**
   * How often this account has met the opponent that it has met least. Only meetings beyond this number count against a
   * pairing: where a few accounts keep playing, all of them have met often.
   */
  #fewestMeetings(a: AccountId): number {
    let least = Number.POSITIVE_INFINITY
    for (const around of [this.#accounts.keys(), this.#playing.keys()])
      for (const b of around) {
        if (b === a || this.#sameOwner(a, b)) continue
        least = Math.min(least, this.#meetings(a, b))
        if (least === 0) return 0
      }
    return least === Number.POSITIVE_INFINITY ? 0 : least
  }

  #mayMeet(a: Waiting, b: Waiting): boolean {
    const [one, other] = [a.player.account.id, b.player.account.id]
    if (one === other) return false
    if (!wantsRated(a) || !wantsRated(b) || !this.#sameOwner(one, other)) return true
    this.#waitedWithOwnAgents.add(a)
    this.#waitedWithOwnAgents.add(b)
    return false
  }

  #sameOwner(a: AccountId, b: AccountId): boolean {
    return this.#policy.owner(a) === this.#policy.owner(b)
  }

  /** Whether no further account waits for or plays this game, so that a better opponent cannot come. */
  #noOthers(): boolean {
    if (this.#accounts.size > this.#game.seats) return false
    for (const account of this.#playing.keys()) if (!this.#accounts.has(account)) return false
    return true
  }
}

const waitBonus = (waiting: Waiting, now: number) =>
  ((now - waiting.since) / 1000) * windowPerSecond

const wantsRated = ({ ladder }: Waiting) => ladder !== 'none'

/** No name has a slash in it. */
const namesOf = ({ player, opponent }: Waiting) =>
  `${player.account.name.toLowerCase()}/${opponent}`
