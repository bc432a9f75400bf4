import type { AccountId } from '../../src/arena/account.ts'
import type { Outcome } from '../../src/arena/ending.ts'
import { agentsLadder, type Ladder } from '../../src/arena/ladder.ts'
import type {
  Finished,
  MatchId,
  MatchStore,
  NewMatch,
  OwnedPause,
  Pause,
  Played,
  Standing,
} from '../../src/arena/match-store.ts'
import { type Notes, noNotes } from '../../src/arena/note.ts'
import { quickFalls } from '../../src/arena/quick.ts'
import { initialRating, ratingChanges } from '../../src/arena/rating.ts'
import { eloChanges, RoomElo } from '../../src/arena/room-elo.ts'
import { type RoomId, roomIds, roomOf } from '../../src/arena/room-setup.ts'
import type { Unrated } from '../../src/arena/unrated.ts'
import { Counter } from '../../src/limits/counter.ts'
import { MemoryPoints } from './memory-points.ts'

/** A match store in memory. */
export class MemoryMatchStore implements MatchStore {
  /** In the order in which they began. */
  readonly matches: Kept[] = []
  readonly #ratings = new Map<string, number>()
  readonly #rooms = new Map<RoomId, RoomElo>(roomIds.map(room => [room, new RoomElo()]))
  readonly #leads = new Map<string, number>()
  readonly #firsts = new Map<string, number>()
  /** The last number that was given. */
  #last = 0
  /** Where in `matches` a match is. */
  readonly #places = new Map<MatchId, number>()
  readonly #held = new Counter<AccountId>()
  /** If set, results are refused, as on a full disk. */
  broken: Error | null = null
  /** Owners and pauses, by account. */
  readonly owners = new Map<AccountId, AccountId>()
  readonly pauses = new Map<AccountId, Pause>()

  readonly points = new MemoryPoints(
    id => {
      const match = this.matches[this.#places.get(id)!]!
      return { ...match, isOver: match.outcome !== null || match.aborted !== null }
    },
    account => this.owners.get(account) ?? account,
  )

  hold(accounts: readonly AccountId[]): Promise<void> | null {
    for (const account of accounts) this.#held.add(account)
    return null
  }

  release(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#held.remove(account)
  }

  /** How many accounts are held: none when no one waits and plays. */
  get held(): number {
    return this.#held.size
  }

  standing(account: AccountId, ladder: Ladder): Standing {
    const key = `${ladder.id} ${account}`
    return {
      rating: this.#ratings.get(key) ?? initialRating,
      strength: null,
      lead: this.#leads.get(key) ?? 0,
    }
  }

  elo(account: AccountId, room: RoomId): number {
    return this.#rooms.get(room)!.rating(account)
  }

  firsts(ladder: Ladder, account: AccountId, against: AccountId): number {
    this.#check(account, against)
    return this.#firsts.get(`${ladder.id} ${account} ${against}`) ?? 0
  }

  /** All matches count as played today. */
  ratedToday(ladder: Ladder, a: AccountId, b: AccountId): number {
    this.#check(a, b)
    return this.#rated(ladder, a, b).length
  }

  family(account: AccountId): AccountId {
    this.#check(account)
    return this.owners.get(account) ?? account
  }

  pause(account: AccountId): OwnedPause | null {
    const pause = this.pauses.get(account)
    return pause === undefined
      ? null
      : { ...pause, owner: `agent-${this.owners.get(account) ?? account}` }
  }

  reserve(): MatchId {
    return ++this.#last
  }

  begin(match: NewMatch): MatchId {
    const number = match.id ?? ++this.#last
    this.#places.set(number, this.matches.length)
    this.matches.push({ ...match, outcome: null, aborted: null, moves: [], notes: noNotes })
    const [first, ...others] = match.accounts
    const { id } = ladderOf(match)
    add(this.#leads, `${id} ${first}`, 1)
    for (const other of others) {
      add(this.#leads, `${id} ${other}`, -1)
      add(this.#firsts, `${id} ${first} ${other}`, 1)
    }
    return number
  }

  progress(match: MatchId, moves: readonly Played[], notes: Notes = noNotes): void {
    this.#change(match, { moves: [...moves], notes: { ...notes } })
  }

  finish(
    match: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    why: Unrated | null = null,
    notes: Notes = noNotes,
  ): Promise<Finished> {
    if (this.broken !== null) return Promise.reject(this.broken)
    const unrated = why ?? this.matches[this.#places.get(match)!]!.unrated
    const kept = this.#change(match, {
      ...{ outcome, unrated },
      moves: [...moves],
      notes: { ...notes },
    })
    const { accounts } = kept
    const ladder = ladderOf(kept)
    const ratings = accounts.map(account => this.standing(account, ladder).rating)
    const quick = quickFalls(outcome.faults, moves)
    const changes =
      unrated === null ? ratingChanges(outcome.places, ratings, quick) : ratings.map(() => 0)
    return Promise.resolve({
      changes: accounts.map((account, seat) => {
        const rating = ratings[seat]! + changes[seat]!
        if (unrated === null) this.#ratings.set(`${ladder.id} ${account}`, rating)
        return { rating, change: changes[seat]! }
      }),
      unrated,
      points: this.points.finish(match, outcome.places, moves),
      elo: this.#countInRoom(kept, outcome.places),
    })
  }

  abort(
    match: MatchId,
    why: string,
    moves: readonly Played[],
    notes: Notes = noNotes,
  ): Promise<void> {
    this.#change(match, { aborted: why, moves: [...moves], notes: { ...notes } })
    this.points.abort(match)
    return Promise.resolve()
  }

  #countInRoom({ accounts, setup, unrated }: Kept, places: readonly number[]): Finished['elo'] {
    const room = roomOf(setup ?? null)
    if (room === null || unrated !== null) return null
    const [one, two] = room.participants
    const { before, delta } = this.#rooms.get(room.id)!.take({
      accounts: [accounts[one]!, accounts[two]!],
      places: [places[one]!, places[two]!],
    })
    const changes = eloChanges(before, delta)
    return accounts.map((_, seat) => changes[seat === one ? 0 : 1])
  }

  /** Pairing may ask only of accounts that it holds. */
  #check(...accounts: AccountId[]): void {
    for (const account of accounts)
      if (!this.#held.has(account)) throw new Error(`account ${account} is not held`)
  }

  #rated(ladder: Ladder, a: AccountId, b: AccountId): readonly Kept[] {
    return this.matches.filter(
      match =>
        ladderOf(match).id === ladder.id &&
        match.unrated === null &&
        match.aborted === null &&
        match.accounts.includes(a) &&
        match.accounts.includes(b),
    )
  }

  #change(match: MatchId, change: Partial<Kept>): Kept {
    const place = this.#places.get(match)!
    const kept = { ...this.matches[place]!, ...change }
    this.matches[place] = kept
    return kept
  }
}

const ladderOf = ({ game, ladder }: NewMatch): Ladder => ladder ?? agentsLadder(game)

const add = (counts: Map<string, number>, key: string, n: number) =>
  counts.set(key, (counts.get(key) ?? 0) + n)

export interface Kept extends NewMatch {
  readonly outcome: Outcome | null
  readonly aborted: string | null
  readonly moves: readonly Played[]
  readonly notes: Notes
}
