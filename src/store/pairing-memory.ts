import type { AccountId } from '../arena/account.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { OwnedPause, Pause, Standing } from '../arena/match-store.ts'
import { initialElo } from '../arena/room-elo.ts'
import type { RoomId } from '../arena/room-setup.ts'
import type { ResultChanges } from './match-writer.ts'
import { type PackedFit, unpacked } from './packed-fit.ts'
import { meetings, newcomerOn, type Result } from './rating-recalculation.ts'

/** What pairing asks of an account in one game, as it is on disk. */
export interface PairingFacts extends AccountFacts {
  readonly standings: readonly (Standing & { readonly ladder: LadderId })[]
  readonly meetings: readonly (Meetings & {
    readonly ladder: LadderId
    readonly against: AccountId
  })[]
}

/** What pairing asks of an account, whatever the game. */
export interface AccountFacts {
  /** The account itself, unless it is a version. */
  readonly agent: AccountId
  /** The agent where it has no owner. */
  readonly owner: AccountId
  readonly ownerName: string
  readonly pause: Pause | null
  /** The ratings of the account itself in rooms. */
  readonly elos: readonly { readonly room: RoomId; readonly rating: number }[]
}

/** How often an account had seat 0 against another, and the rated matches they began in these seats on that day. */
export interface Meetings {
  readonly firsts: number
  readonly day: number
  readonly rated: number
}

/** Where the facts come from. Answers come in the order of the results: none is older than a result that was told before. */
export interface FactSource {
  facts(account: AccountId, game: string): PairingFacts | Promise<PairingFacts>
  /** The present facts of accounts; with their ratings on all ladders where voids or seasons have changed ratings since this was last asked. */
  current(
    accounts: readonly AccountId[],
  ): readonly CurrentFacts[] | Promise<readonly CurrentFacts[]>
}

export interface CurrentFacts extends AccountFacts {
  readonly account: AccountId
  readonly ratings: readonly { readonly ladder: LadderId; readonly rating: number }[] | null
}

/**
 * What pairing asks all the time, in memory: the facts of accounts that wait or play, with the matches under way. They are
 * fetched before an account waits, and kept current by results. Those of others stay until they need the room.
 */
export class PairingMemory {
  readonly #source: FactSource
  readonly #known = new Map<AccountId, Known>()
  /** Those that are being fetched, by account and game. */
  readonly #fetched = new Map<string, Promise<void>>()

  constructor(source: FactSource) {
    this.#source = source
  }

  hold(accounts: readonly AccountId[], game: string): Promise<void> | null {
    let fetches: Promise<void>[] | null = null
    for (const account of accounts) {
      const fetch = this.#fetch(account, game)
      if (fetch !== null) fetches = [...(fetches ?? []), fetch]
    }
    if (fetches === null) {
      this.#count(accounts)
      return null
    }
    // Meanwhile an account that was known already may be forgotten again.
    return Promise.all(fetches).then(() => this.hold(accounts, game) ?? undefined)
  }

  release(accounts: readonly AccountId[]): void {
    for (const account of this.#withAgents(accounts)) {
      const known = this.#known.get(account)!
      known.holds--
      if (known.holds === 0 && this.#known.size > remembered) this.#known.delete(account)
    }
  }

  /** How many accounts are held. */
  get held(): number {
    return [...this.#known.values()].filter(({ holds }) => holds > 0).length
  }

  standing(account: AccountId, ladder: Ladder): Standing {
    return this.#onLadder(account, ladder).standing
  }

  elo(account: AccountId, room: RoomId): number {
    return this.#of(account).elos.find(elo => elo.room === room)?.rating ?? initialElo
  }

  firsts(ladder: Ladder, account: AccountId, against: AccountId): number {
    return this.#onLadder(account, ladder).met?.get(against)?.firsts ?? 0
  }

  /** How many rated matches of two agents began on this day, in whatever versions, including those under way. */
  rated(ladder: Ladder, a: AccountId, b: AccountId, day: number): number {
    const of = (account: AccountId, against: AccountId) => {
      const met = this.#onLadder(account, ladder).met?.get(against)
      return met?.day === day ? met.rated : 0
    }
    const [one, two] = [this.#agent(a), this.#agent(b)]
    return of(one, two) + of(two, one)
  }

  owner(account: AccountId): AccountId {
    return this.#of(account).owner
  }

  pause(account: AccountId): OwnedPause | null {
    const { pause, ownerName } = this.#of(account)
    return pause && { ...pause, owner: ownerName }
  }

  /** Counts the seats of a match that starts, or uncounts those of one without a result. */
  seated(seating: Seating, by: 1 | -1): void {
    const { ladder, accounts, practice } = seating
    if (practice) return
    for (const [seat, account] of accounts.entries())
      this.#onLadder(account, ladder).standing.lead += seat === 0 ? by : -by
    for (const { account, against, first } of meetings(seating))
      this.#met(account, ladder, against).firsts += first * by
    if (seating.rated) this.#countRated(seating, by)
  }

  /** The result of a match is on disk. `room`: of the table at which it was. */
  finished(seating: Seating, changes: ResultChanges, room: RoomId | null): void {
    const { ratings, unrated, paused, elo } = changes
    const { ladder, accounts, practice } = seating
    if (room !== null && elo !== null)
      for (const [seat, account] of accounts.entries()) {
        const known = this.#of(account)
        const others = known.elos.filter(elo => elo.room !== room)
        known.elos = [...others, { room, rating: elo[seat]!.rating }]
      }
    if (!practice)
      for (const [seat, account] of accounts.entries())
        this.#onLadder(account, ladder).standing.rating = ratings[seat]!.after
    if (seating.rated && unrated !== null) this.#countRated(seating, -1)
    for (const { account, ...pause } of paused)
      for (const known of this.#known.values()) if (known.agent === account) known.pause = pause
  }

  /** The strengths of a ladder are on disk. */
  fitted({ ladder, rows }: PackedFit): void {
    for (const { account, strength } of unpacked(rows)) {
      const onLadder = this.#known.get(account)?.ladders.get(ladder)
      if (onLadder !== undefined) onLadder.standing.strength = strength
    }
  }

  /** Another process, or an account's owner, has changed accounts or ratings: what is kept in memory is read again. */
  refresh(): Promise<void> | null {
    for (const [account, { holds }] of this.#known) if (holds === 0) this.#known.delete(account)
    if (this.#known.size === 0) return null
    const current = this.#source.current([...this.#known.keys()])
    if (current instanceof Promise) return current.then(current => this.#take(current))
    this.#take(current)
    return null
  }

  #take(current: readonly CurrentFacts[]): void {
    for (const { account, ratings, ...facts } of current) {
      const known = this.#known.get(account)
      if (known === undefined) continue
      Object.assign(known, facts)
      // Matches under way are part of the lead and of the meetings in memory, and not of those on disk.
      for (const { ladder, rating } of ratings ?? []) {
        const onLadder = known.ladders.get(ladder)
        if (onLadder !== undefined) onLadder.standing.rating = rating
      }
    }
  }

  #count(accounts: readonly AccountId[]): void {
    for (const account of this.#withAgents(accounts)) this.#known.get(account)!.holds++
  }

  /** Where a version is held, its agent is held, too: the matches of a day are counted there. */
  #withAgents(accounts: readonly AccountId[]): readonly AccountId[] {
    return accounts.flatMap(account => {
      const agent = this.#agent(account)
      return agent === account ? account : [account, agent]
    })
  }

  #agent(account: AccountId): AccountId {
    return this.#of(account).agent
  }

  /** Null where the facts are known, and those of its agent. */
  #fetch(account: AccountId, game: string): Promise<void> | null {
    const known = this.#known.get(account)
    if (known?.games.includes(game))
      return known.agent === account ? null : this.#fetch(known.agent, game)
    const key = `${account} ${game}`
    const underWay = this.#fetched.get(key)
    if (underWay !== undefined) return underWay
    const facts = this.#source.facts(account, game)
    if (!(facts instanceof Promise)) {
      this.#add(account, game, facts)
      return this.#fetch(account, game)
    }
    const fetched = facts
      .then(facts => this.#add(account, game, facts))
      .finally(() => this.#fetched.delete(key))
    this.#fetched.set(key, fetched)
    return fetched
  }

  #add(account: AccountId, game: string, { standings, meetings, ...facts }: PairingFacts): void {
    let known = this.#known.get(account)
    if (known === undefined) {
      known = { holds: 0, games: [], ladders: new Map(), ...facts }
      this.#known.set(account, known)
    } else Object.assign(known, facts)
    known.games.push(game)
    for (const { ladder, ...standing } of standings)
      known.ladders.set(ladder, { standing, met: null })
    for (const { ladder, against, firsts, day, rated } of meetings) {
      // Who had a seat has a standing, but for what a void has left.
      const onLadder = known.ladders.get(ladder)
      if (onLadder === undefined) continue
      onLadder.met ??= new Map()
      onLadder.met.set(against, { firsts, day, rated })
    }
  }

  #of(account: AccountId): Known {
    const known = this.#known.get(account)
    if (known === undefined) throw new Error(`account ${account} is not held`)
    return known
  }

  #onLadder(account: AccountId, ladder: Ladder): OnLadder {
    const { games, ladders } = this.#of(account)
    if (!games.includes(ladder.game))
      throw new Error(`account ${account} is not held for ${ladder.game}`)
    let onLadder = ladders.get(ladder.id)
    if (onLadder === undefined) {
      onLadder = {
        standing: { rating: newcomerOn(ladder).rating, strength: null, lead: 0 },
        met: null,
      }
      ladders.set(ladder.id, onLadder)
    }
    return onLadder
  }

  #met(account: AccountId, ladder: Ladder, against: AccountId): Writable<Meetings> {
    const onLadder = this.#onLadder(account, ladder)
    onLadder.met ??= new Map()
    let met = onLadder.met.get(against)
    if (met === undefined) {
      met = { firsts: 0, day: 0, rated: 0 }
      onLadder.met.set(against, met)
    }
    return met
  }

  /** As `begunAnew` has it on disk. */
  #countRated(seating: Seating, by: 1 | -1): void {
    const { ladder, day } = seating
    for (const { account, against } of meetings(seating)) {
      const met = this.#met(this.#agent(account), ladder, this.#agent(against))
      if (by > 0 && (day > met.day || day < met.day - 1)) {
        met.day = day
        met.rated = 0
      }
      if (met.day === day) met.rated += by
    }
  }
}

/** The seats of a match, and the day on which it began. */
export type Seating = Pick<Result, 'ladder' | 'accounts' | 'practice' | 'rated'> & {
  readonly day: number
}

interface Known extends Writable<AccountFacts> {
  /** How many waits and matches hold it. */
  holds: number
  /** The games whose facts are here. */
  readonly games: string[]
  readonly ladders: Map<LadderId, OnLadder>
}

interface OnLadder {
  readonly standing: Writable<Standing>
  met: Map<AccountId, Writable<Meetings>> | null
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Beyond so many accounts in memory, those that are not held are forgotten. */
const remembered = 100_000
