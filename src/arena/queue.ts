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
  /** As it stood when the wait began. */
  readonly rating: number
  /** The only account this player will meet, by its name in lower case. */
  readonly opponent: string | null
  /** Where this player would have the result count. */
  readonly ladder: 'game' | 'people' | 'none'
  readonly since: number
}

/** What the house knows of any two. */
export interface Manners {
  /** How far apart two players are beside their ratings and their last meetings, in points of rating. */
  misfit(a: Player, b: Player, game: Game): number
  /** To whom an account belongs: those of one owner never meet rated. */
  family(account: AccountId): AccountId
  /** Whether two accounts have had their rated matches of the day. */
  spent(game: Game, a: AccountId, b: AccountId): boolean
}

/** Fills tables from those who wait for the same game: nearest rating first, the window widening with the wait. */
export class Queue {
  readonly #clock: Clock
  readonly #patience: number
  readonly #manners: Manners
  readonly #full: (party: readonly Waiting[]) => void
  readonly #tired: (waiting: Waiting, onlyOwn: boolean) => void
  readonly #pools = new Map<string, Pool>()
  readonly #expiry = new Map<Waiting, Timer>()
  #sweeper: Timer | null = null

  constructor(
    clock: Clock,
    /** How long anybody waits. */
    patience: number,
    manners: Manners,
    full: (party: readonly Waiting[]) => void,
    /** `onlyOwn` where nobody else came than agents of the same owner. */
    tired: (waiting: Waiting, onlyOwn: boolean) => void,
  ) {
    this.#clock = clock
    this.#patience = patience
    this.#manners = manners
    this.#full = full
    this.#tired = tired
  }

  join(waiting: Waiting): void {
    const pool = this.#pool(waiting.game)
    pool.add(waiting)
    this.#expiry.set(
      waiting,
      this.#clock.after(this.#patience, () => {
        this.leave(waiting)
        this.#tired(waiting, pool.sawItsOwn(waiting))
      }),
    )
    // Whoever came last completes a table or nobody does: all others have been tried with each other.
    if (!this.#seat(pool, waiting) && pool.maySeatLater()) this.#sweepLater()
  }

  leave(waiting: Waiting): void {
    if (!this.#expiry.has(waiting)) return
    this.#expiry.get(waiting)?.cancel()
    this.#expiry.delete(waiting)
    this.#pool(waiting.game).remove(waiting)
  }

  /** To be told of matches, so that two accounts are not paired over and over while there are others. */
  began(game: Game, accounts: readonly AccountId[]): void {
    this.#pool(game).began(accounts)
  }

  ended(game: Game, accounts: readonly AccountId[]): void {
    this.#pool(game).ended(accounts)
  }

  /** Accounts may belong to others by now than when they came. */
  review(): void {
    for (const pool of this.#pools.values()) {
      if (!pool.review()) continue
      this.#seatAll(pool)
      if (pool.maySeatLater()) this.#sweepLater()
    }
  }

  /** The seats that this account waits for or plays in. */
  seatsOf(account: AccountId): number {
    let seats = 0
    for (const pool of this.#pools.values()) seats += pool.seatsOf(account)
    return seats
  }

  /** Everybody who waits, longest first. */
  all(): readonly Waiting[] {
    return [...this.#expiry.keys()]
  }

  #pool(game: Game): Pool {
    let pool = this.#pools.get(game.id)
    if (pool === undefined) {
      pool = new Pool(game, Math.min(10_000, this.#patience / 4), this.#manners)
      this.#pools.set(game.id, pool)
    }
    return pool
  }

  #seat(pool: Pool, anchor: Waiting): boolean {
    const party = pool.partyFor(anchor, this.#clock.elapsed())
    if (party === undefined) return false
    for (const waiting of party) this.leave(waiting)
    this.#full(party)
    return true
  }

  #seatAll(pool: Pool): void {
    for (const waiting of pool.open()) this.#seat(pool, waiting)
  }

  /** Windows widen with time alone, so those who wait are looked at again and again. */
  #sweepLater(): void {
    this.#sweeper ??= this.#clock.after(100, () => {
      this.#sweeper = null
      for (const pool of this.#pools.values()) if (pool.maySeatLater()) this.#seatAll(pool)
      for (const pool of this.#pools.values()) if (pool.maySeatLater()) this.#sweepLater()
    })
  }
}

/** Points of rating at which two who have just come are near enough, and how fast that grows. */
const window = 200
const windowPerSecond = 300
/** Each recent meeting makes two players this much less near, */
const repeat = 300
const remembered = 12
/** and having had their rated matches of the day makes them as if they had met this much oftener. */
const worn = 6
/** But no more than so many are counted: nobody shall wait long for somebody who may not come. */
const mostRepeats = 3

/** Those who wait for one game. */
class Pool {
  readonly #game: Game
  /** From this wait on any opponent will do. */
  readonly #anyAfter: number
  readonly #manners: Manners
  /** Those who take any opponent, with whom they belong to, */
  readonly #open = new Map<Waiting, AccountId>()
  /** and those who have named one, by both names. They are never looked through: there may be thousands. */
  readonly #named = new Map<string, Set<Waiting>>()
  /** The seats that accounts wait for, one way or the other. */
  readonly #seats = new Counter<AccountId>()
  /** Of those who take any opponent, those that were kept apart from an agent of the same owner. */
  readonly #sawTheirOwn = new WeakSet<Waiting>()
  readonly #accounts = new Counter<AccountId>()
  readonly #families = new Counter<AccountId>()
  /** Those of the open whose match would not count. */
  #casual = 0
  readonly #playing = new Counter<AccountId>()
  readonly #recent = new BoundedMap<AccountId, AccountId[]>(10_000)

  constructor(game: Game, anyAfter: number, manners: Manners) {
    this.#game = game
    this.#manners = manners
    this.#anyAfter = anyAfter
  }

  add(waiting: Waiting): void {
    this.#seats.add(waiting.player.account.id)
    if (waiting.opponent === null) {
      const family = this.#manners.family(waiting.player.account.id)
      this.#open.set(waiting, family)
      this.#accounts.add(waiting.player.account.id)
      this.#families.add(family)
      if (!wouldCount(waiting)) this.#casual++
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
      this.#families.remove(this.#open.get(waiting)!)
      this.#open.delete(waiting)
      this.#accounts.remove(waiting.player.account.id)
      if (!wouldCount(waiting)) this.#casual--
      return
    }
    const names = namesOf(waiting)
    const same = this.#named.get(names)
    same?.delete(waiting)
    if (same?.size === 0) this.#named.delete(names)
  }

  /** Answers whether anybody belongs to somebody else than before. */
  review(): boolean {
    let changed = false
    for (const [waiting, before] of this.#open) {
      const now = this.#manners.family(waiting.player.account.id)
      if (now === before) continue
      changed = true
      this.#families.remove(before)
      this.#families.add(now)
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

  sawItsOwn(waiting: Waiting): boolean {
    return this.#sawTheirOwn.has(waiting)
  }

  couldSeat(): boolean {
    return this.#accounts.size >= this.#game.seats
  }

  /** Whether time alone may seat anybody: where all belong to one owner, somebody else has to come. */
  maySeatLater(): boolean {
    return this.couldSeat() && (this.#families.size >= this.#game.seats || this.#casual > 0)
  }

  began(accounts: readonly AccountId[]): void {
    for (const account of accounts) {
      this.#playing.add(account)
      const others = accounts.filter(other => other !== account)
      const recent = [...others, ...(this.#recent.get(account) ?? [])]
      this.#recent.set(account, recent.slice(0, remembered * others.length))
    }
  }

  ended(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#playing.remove(account)
  }

  /** The nearest who will meet the anchor, by seniority where several are near enough; undefined when too few. */
  partyFor(anchor: Waiting, now: number): readonly Waiting[] | undefined {
    if (anchor.opponent !== null) return this.#pairFor(anchor)
    if (!this.#open.has(anchor) || !this.couldSeat()) return undefined
    const anybody = this.#nobodyElse()
    const usual = anybody ? 0 : this.#leastFamiliar(anchor.player.account.id)
    const near: { waiting: Waiting; claim: number }[] = []
    for (const waiting of this.#open.keys()) {
      if (!this.#mayMeet(anchor, waiting)) continue
      const distance = this.#distance(anchor, waiting, usual)
      const reach = Math.max(this.#reach(anchor, now), this.#reach(waiting, now))
      if (anybody || distance <= reach)
        near.push({ waiting, claim: seniority(waiting, now) - distance })
    }
    const others = this.#game.seats - 1
    if (others === 1) {
      const best = near.reduce<(typeof near)[0] | undefined>(
        (best, one) => (best === undefined || one.claim > best.claim ? one : best),
        undefined,
      )
      return best && [anchor, best.waiting]
    }
    const party = [anchor]
    for (const { waiting } of near.sort((a, b) => b.claim - a.claim))
      if (party.length <= others && party.every(member => this.#mayMeet(member, waiting)))
        party.push(waiting)
    return party.length === this.#game.seats ? party : undefined
  }

  /** Naming an opponent goes both ways: who named one meets only somebody who has named it too. */
  #pairFor(anchor: Waiting): readonly Waiting[] | undefined {
    if (this.#game.seats > 2) return undefined
    const { opponent, player } = anchor
    const [other] = this.#named.get(`${opponent} ${player.account.name.toLowerCase()}`) ?? []
    return other && [anchor, other]
  }

  #reach(waiting: Waiting, now: number): number {
    return now - waiting.since >= this.#anyAfter
      ? Number.POSITIVE_INFINITY
      : window + seniority(waiting, now)
  }

  #distance(a: Waiting, b: Waiting, usual: number): number {
    const familiar = this.#familiarity(a.player.account.id, b.player.account.id) - usual
    return (
      Math.abs(a.rating - b.rating) +
      Math.min(mostRepeats, Math.max(0, familiar)) * repeat +
      this.#manners.misfit(a.player, b.player, this.#game)
    )
  }

  /** How well two know each other by now, in meetings. */
  #familiarity(a: AccountId, b: AccountId): number {
    const recent = this.#recent.get(a) ?? []
    const met = recent.filter(account => account === b).length
    return this.#manners.spent(this.#game, a, b) ? met + worn : met
  }

  /**
   * How well an account knows whom it knows least of all who are around. That much tells against nobody: where few
   * play on and on, all of them have met often.
   */
  #leastFamiliar(a: AccountId): number {
    let least = Number.POSITIVE_INFINITY
    for (const around of [this.#accounts.keys(), this.#playing.keys()])
      for (const b of around) {
        if (b === a || this.#areRelated(a, b)) continue
        least = Math.min(least, this.#familiarity(a, b))
        if (least === 0) return 0
      }
    return least === Number.POSITIVE_INFINITY ? 0 : least
  }

  #mayMeet(a: Waiting, b: Waiting): boolean {
    const [one, other] = [a.player.account.id, b.player.account.id]
    if (one === other) return false
    if (!wouldCount(a) || !wouldCount(b) || !this.#areRelated(one, other)) return true
    this.#sawTheirOwn.add(a)
    this.#sawTheirOwn.add(b)
    return false
  }

  #areRelated(a: AccountId, b: AccountId): boolean {
    return this.#manners.family(a) === this.#manners.family(b)
  }

  /** No third account is anywhere near this game, so there is nobody to hold out for. */
  #nobodyElse(): boolean {
    if (this.#accounts.size > this.#game.seats) return false
    for (const account of this.#playing.keys()) if (!this.#accounts.has(account)) return false
    return true
  }
}

const seniority = (waiting: Waiting, now: number) =>
  ((now - waiting.since) / 1000) * windowPerSecond

const wouldCount = ({ ladder }: Waiting) => ladder !== 'none'

const namesOf = ({ player, opponent }: Waiting) =>
  `${player.account.name.toLowerCase()} ${opponent}`
