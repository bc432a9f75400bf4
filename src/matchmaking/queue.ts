import type { AccountId } from '../arena/account.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { agentsLadder, type Ladder, type LadderId } from '../arena/ladder.ts'
import { type Player, rankedAccounts } from '../arena/player.ts'
import type { Clock, Timer } from '../clock.ts'
import { type Game, type SeatRange, seatRange } from '../games/game.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { Counter } from '../limits/counter.ts'
import type { PairingPolicy } from './pairing-policy.ts'
import type { Waiting } from './waiting.ts'

/** What the queue asks of the policy. */
export type QueuePolicy = Pick<PairingPolicy, 'penalty' | 'owner' | 'capReached'>

/** Pairs players that wait for the same ladder, nearest strength first. The window widens with the wait. */
export class Queue {
  readonly #clock: Clock
  readonly #maxWait: number
  readonly #policy: QueuePolicy
  readonly #matched: (party: readonly Waiting[]) => void
  readonly #pools = new Map<LadderId, Pool>()
  #sweeper: Timer | null = null

  constructor(
    clock: Clock,
    /** After this many milliseconds a wait times out. */
    maxWait: number,
    policy: QueuePolicy,
    matched: (party: readonly Waiting[]) => void,
  ) {
    this.#clock = clock
    this.#maxWait = maxWait
    this.#policy = policy
    this.#matched = matched
  }

  join(waiting: Waiting): void {
    const pool = this.#pool(waiting)
    pool.add(waiting)
    // Only the newest player can complete a table: all others have been tried with each other.
    if (!this.#match(pool, waiting) && pool.mayMatchLater()) this.#sweepLater()
  }

  leave(waiting: Waiting): void {
    this.#pool(waiting).remove(waiting)
  }

  /**
   * Takes out the player that this one, which waits elsewhere, meets best on the standard ladder; undefined where there is
   * none. The queue's own pairings go first: of two that can meet each other none is taken, unless another one remains.
   */
  takeFor(waiting: Waiting, may: (player: Player) => boolean): Waiting | undefined {
    const pool = this.#pool({ game: waiting.game, ladder: agentsLadder(waiting.game.id) })
    const taken = pool.partnerFor(waiting, may, this.#clock.elapsed())
    if (taken !== undefined) pool.remove(taken)
    return taken
  }

  /** Called with every event of every match, so that two accounts are not paired again and again while there are others. */
  note({ kind, table }: ArenaEvent): void {
    if (kind !== 'began' && kind !== 'ended' && kind !== 'aborted') return
    const { game, players, ladder } = table.deal
    const accounts = rankedAccounts(players)
    // Most agents that meet people wait for the standard ladder. The match does not say.
    const pool = this.#pool({ game, ladder: agentsLadder(game.id, ladder.variant) })
    if (kind === 'began') pool.matchBegan(accounts)
    else pool.matchEnded(accounts)
  }

  matchBegan(game: Game, accounts: readonly AccountId[]): void {
    this.#pool({ game, ladder: agentsLadder(game.id) }).matchBegan(accounts)
  }

  /** Called when owners of accounts may have changed. */
  review(): void {
    for (const pool of this.#pools.values()) {
      if (!pool.review()) continue
      this.#matchAll(pool)
    }
  }

  /** Whether this player was not paired because only agents of its own owner were waiting. */
  waitedWithOwnAgents(waiting: Waiting): boolean {
    return this.#pool(waiting).waitedWithOwnAgents(waiting)
  }

  #pool({ game, ladder }: Pick<Waiting, 'game' | 'ladder'>): Pool {
    let pool = this.#pools.get(ladder.id)
    if (pool === undefined) {
      pool = new Pool(game, ladder, Math.min(longWait, this.#maxWait / 4), this.#policy)
      this.#pools.set(ladder.id, pool)
    }
    return pool
  }

  #match(pool: Pool, anchor: Waiting): boolean {
    const party = pool.partyFor(anchor, this.#clock.elapsed())
    if (party === undefined) return false
    for (const waiting of party) pool.remove(waiting)
    this.#matched(party)
    return true
  }

  /** After each match the table opens before the others are tried, because it matters to them who is playing. */
  #matchAll(pool: Pool, waiting = pool.open(), next = 0): void {
    for (let i = next; i < waiting.length; i++)
      if (this.#match(pool, waiting[i]!)) {
        this.#clock.soon.do(() => this.#matchAll(pool, waiting, i + 1))
        return
      }
    if (pool.mayMatchLater()) this.#sweepLater()
  }

  /** Windows widen with time alone, so waiting players are tried again every 100 ms. */
  #sweepLater(): void {
    this.#sweeper ??= this.#clock.after(100, () => {
      this.#sweeper = null
      for (const pool of this.#pools.values()) if (pool.mayMatchLater()) this.#matchAll(pool)
    })
  }
}

/** How far apart in rating two players may be who have just joined, and by how much that grows in a second. */
const initialWindow = 200
const windowPerSecond = 300
/** Each recent meeting counts like this many points of difference. */
const meetingPenalty = 300
const rememberedMeetings = 12
/** A pair that has reached the daily cap counts as if it had met this many times more. */
const capMeetings = 6
/** At most this many meetings are counted, so that the wait for another opponent stays short. */
const maxExtraMeetings = 3
/**
 * After this wait, in milliseconds, any opponent is accepted, and a table that is not full where a game leaves the number of
 * seats open. A busy host brings enough players within seconds; on a quiet one, waiting longer brings no better match.
 */
const longWait = 10_000

/** The players that wait for one ladder. */
class Pool {
  readonly #ladder: Ladder
  readonly #seats: SeatRange
  /** After this wait any opponent is accepted, and a table that is not full. */
  readonly #longWait: number
  readonly #policy: QueuePolicy
  /** The waiting players, with their owners. */
  readonly #open = new Map<Waiting, AccountId>()
  /** Players that were not paired with a waiting agent because it has the same owner. */
  readonly #waitedWithOwnAgents = new WeakSet<Waiting>()
  readonly #accounts = new Counter<AccountId>()
  readonly #owners = new Counter<AccountId>()
  /** How many of `#open` want an unrated match. */
  #unratedCount = 0
  readonly #playing = new Counter<AccountId>()
  readonly #recent = new BoundedMap<AccountId, AccountId[]>(10_000)

  constructor(game: Game, ladder: Ladder, longWait: number, policy: QueuePolicy) {
    this.#ladder = ladder
    this.#seats = seatRange(game)
    this.#policy = policy
    this.#longWait = longWait
  }

  add(waiting: Waiting): void {
    const { id } = waiting.player.account
    const owner = this.#policy.owner(id)
    this.#open.set(waiting, owner)
    this.#accounts.add(id)
    this.#owners.add(owner)
    if (!wantsRated(waiting)) this.#unratedCount++
  }

  remove(waiting: Waiting): void {
    const owner = this.#open.get(waiting)
    if (owner === undefined) return
    this.#open.delete(waiting)
    this.#accounts.remove(waiting.player.account.id)
    this.#owners.remove(owner)
    if (!wantsRated(waiting)) this.#unratedCount--
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

  waitedWithOwnAgents(waiting: Waiting): boolean {
    return this.#waitedWithOwnAgents.has(waiting)
  }

  hasEnoughAccounts(): boolean {
    return this.#accounts.size >= this.#seats.min
  }

  /**
   * Whether waiting longer can lead to a match. It cannot while all waiting accounts have one owner and want a rated
   * match.
   */
  mayMatchLater(): boolean {
    return (
      this.hasEnoughAccounts() && (this.#owners.size >= this.#seats.min || this.#unratedCount > 0)
    )
  }

  matchBegan(accounts: readonly AccountId[]): void {
    for (const account of accounts) {
      this.#playing.add(account)
      const others = accounts.filter(other => other !== account)
      if (others.length === 0) continue
      const recent = [...others, ...(this.#recent.get(account) ?? [])]
      this.#recent.set(account, recent.slice(0, rememberedMeetings * others.length))
    }
  }

  matchEnded(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#playing.remove(account)
  }

  /** The anchor and the best opponents for it, by strength and wait; undefined while there are too few. */
  partyFor(anchor: Waiting, now: number): readonly Waiting[] | undefined {
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
    const { min, max } = this.#seats
    if (max === 2) {
      const best = near.reduce<(typeof near)[0] | undefined>(
        (best, one) => (best === undefined || one.priority > best.priority ? one : best),
        undefined,
      )
      return best && [anchor, best.waiting]
    }
    const party = [anchor]
    for (const { waiting } of near.sort((a, b) => b.priority - a.priority))
      if (party.length < max && party.every(member => this.#mayMeet(member, waiting)))
        party.push(waiting)
    const isEnough =
      party.length === max ||
      (party.length >= min && party.some(({ since }) => now - since >= this.#longWait))
    return isEnough ? party : undefined
  }

  /** The one that this player, which waits elsewhere, meets best: a rated match first, then by strength and wait. */
  partnerFor(guest: Waiting, may: (player: Player) => boolean, now: number): Waiting | undefined {
    const fewest = this.#fewestMeetings(guest.player.account.id)
    const { id } = guest.player.account
    const candidates = [...this.#open.keys()]
      .filter(waiting => {
        const { account } = waiting.player
        if (waiting.openings || account.id === id || this.#sameOwner(id, account.id)) return false
        return may(waiting.player) && this.#canSpare(waiting)
      })
      .map(waiting => ({
        waiting,
        isRated:
          wantsRated(waiting) &&
          wantsRated(guest) &&
          !this.#policy.capReached(this.#ladder, id, waiting.player.account.id),
        priority: waitBonus(waiting, now) - this.#distance(guest, waiting, fewest),
      }))
    const rank = (a: (typeof candidates)[0], b: (typeof candidates)[0]) =>
      Number(b.isRated) - Number(a.isRated) || b.priority - a.priority
    return candidates.sort(rank)[0]?.waiting
  }

  /** Whether those that remain can still meet if this one leaves, or could not meet before. */
  #canSpare(waiting: Waiting): boolean {
    if (!this.mayMatchLater()) return true
    const { id } = waiting.player.account
    const accounts = this.#accounts.size - (this.#accounts.of(id) === 1 ? 1 : 0)
    const owners = this.#owners.size - (this.#owners.of(this.#policy.owner(id)) === 1 ? 1 : 0)
    return accounts >= this.#seats.min && owners >= this.#seats.min
  }

  #reach(waiting: Waiting, now: number): number {
    return now - waiting.since >= this.#longWait
      ? Number.POSITIVE_INFINITY
      : initialWindow + waitBonus(waiting, now)
  }

  #distance(a: Waiting, b: Waiting, fewest: number): number {
    if (a.inOrder && b.inOrder) return 0
    const extra = this.#meetings(a.player.account.id, b.player.account.id) - fewest
    return (
      Math.abs(a.strength - b.strength) +
      Math.min(maxExtraMeetings, Math.max(0, extra)) * meetingPenalty +
      this.#policy.penalty(a.player, b.player, this.#ladder)
    )
  }

  /** How often two accounts have met recently; more if they have reached the daily cap. */
  #meetings(a: AccountId, b: AccountId): number {
    const recent = this.#recent.get(a) ?? []
    const met = recent.filter(account => account === b).length
    return this.#policy.capReached(this.#ladder, a, b) ? met + capMeetings : met
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
    if (this.#accounts.size > this.#seats.max) return false
    for (const account of this.#playing.keys()) if (!this.#accounts.has(account)) return false
    return true
  }
}

const waitBonus = (waiting: Waiting, now: number) =>
  ((now - waiting.since) / 1000) * windowPerSecond

const wantsRated = ({ rated }: Waiting) => rated !== 'none'
