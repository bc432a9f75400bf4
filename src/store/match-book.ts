import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '../arena/account.ts'
import { dayOf } from '../arena/day.ts'
import type { Outcome } from '../arena/ending.ts'
import { areTooFew, countedSeats, ofSeats } from '../arena/guests.ts'
import { agentsLadder, type Ladder, type LadderId } from '../arena/ladder.ts'
import {
  type Finished,
  type MatchId,
  type MatchStore,
  type NewMatch,
  type OwnedPause,
  type Played,
  type Standing,
  Unkept,
} from '../arena/match-store.ts'
import { type Notes, noNotes, notesText } from '../arena/note.ts'
import { messagesIn } from '../arena/points.ts'
import { quickFalls } from '../arena/quick.ts'
import { type RoomId, roomOf } from '../arena/room-setup.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Escrowed } from '../arena/wagers.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Seat } from '../games/game.ts'
import { seedText } from '../seal.ts'
import type { AbortRecord, LiveRecord, ResultChanges, ResultRecord } from './match-writer.ts'
import { NumberGiver, type Reserved } from './number-giver.ts'
import type { PackedFit } from './packed-fit.ts'
import { type FactSource, PairingMemory, type Seating } from './pairing-memory.ts'

/** Starts and moves of live matches reach the disk within so many milliseconds: many matches end before, and cost one write. */
export const sendWithin = 10

/** What writes the matches, in this thread or in another. */
export interface MatchWriting extends FactSource {
  put(matches: readonly LiveRecord[]): unknown
  finish(match: ResultRecord): Promise<ResultChanges>
  abort(match: AbortRecord): Promise<void>
  escrow(match: LiveRecord, amount: number): Promise<Escrowed>
  /** Resolves once all numbers up to this one are reserved on disk. */
  reserve(upTo: MatchId): Promise<void>
}

interface BookOptions {
  readonly clock: Clock
  readonly writing: MatchWriting
  readonly numbers: Reserved
  /** The ladders of events that are on disk. */
  readonly ladders: readonly Ladder[]
}

/**
 * The matches of the arena: what pairing asks of them is in memory, and their ends are announced once they are on disk.
 * This is the only side of the store that the thread of the arena has.
 */
export class MatchBook implements MatchStore {
  readonly #clock: Clock
  readonly #writing: MatchWriting
  readonly #numbers: NumberGiver
  readonly #memory: PairingMemory
  /** The ladders of events, which count each what they began with. */
  readonly #ladders: Map<LadderId, Ladder>
  readonly #live = new Map<MatchId, LiveMatch>()
  /** Those of them whose result is on its way to the disk. */
  readonly #ending = new Set<MatchId>()
  readonly #unsent = new Map<MatchId, readonly [readonly Played[], Notes]>()
  #timer: Timer | null = null

  constructor({ clock, writing, numbers, ladders }: BookOptions) {
    this.#clock = clock
    this.#writing = writing
    this.#numbers = new NumberGiver(numbers, upTo => writing.reserve(upTo), clock)
    this.#memory = new PairingMemory(writing)
    this.#ladders = new Map(ladders.map(ladder => [ladder.id, ladder]))
  }

  hold(accounts: readonly AccountId[], game: string): Promise<void> | null {
    return this.#memory.hold(accounts, game)
  }

  release(accounts: readonly AccountId[]): void {
    this.#memory.release(accounts)
  }

  standing(account: AccountId, ladder: Ladder): Standing {
    return this.#memory.standing(account, ladder)
  }

  elo(account: AccountId, room: RoomId): number {
    return this.#memory.elo(account, room)
  }

  firsts(ladder: Ladder, account: AccountId, against: AccountId): number {
    return this.#memory.firsts(ladder, account, against)
  }

  ratedToday(ladder: Ladder, a: AccountId, b: AccountId): number {
    return this.#memory.rated(ladder, a, b, dayOf(this.#clock.date()))
  }

  family(account: AccountId): AccountId {
    return this.#memory.owner(account)
  }

  pause(account: AccountId): OwnedPause | null {
    return this.#memory.pause(account)
  }

  /** A ladder has new strengths, which are on disk. */
  fitted(fit: PackedFit): void {
    this.#memory.fitted(fit)
  }

  /** Accounts or ratings have been changed by others: what is in memory of them is read again. */
  refresh(): Promise<void> | null {
    return this.#memory.refresh()
  }

  reserve(): MatchId {
    return this.#numbers.next()
  }

  begin(match: NewMatch): MatchId {
    const ladder = match.ladder ?? agentsLadder(match.game)
    this.#checkEvent(ladder)
    const counted = countedSeats(match.accounts)
    const accounts = ofSeats(match.accounts, counted)
    const practice = match.practice === true || areTooFew(counted)
    const seating: Seating = {
      ...{ ladder, accounts, practice },
      rated: match.unrated === null,
      day: dayOf(match.startedAt),
    }
    this.#memory.seated(seating, 1)
    const id = match.id ?? this.#numbers.next()
    this.#live.set(id, { match, seating, counted })
    this.#send(id, [], noNotes)
    return id
  }

  progress(id: MatchId, moves: readonly Played[], notes: Notes = noNotes): void {
    this.#send(id, moves, notes)
  }

  async finish(
    id: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    unrated: Unrated | null = null,
    notes: Notes = noNotes,
  ): Promise<Finished> {
    const { ending, detail, places, faults } = outcome
    const live = this.#record(id, moves, notes)
    const { match, seating, counted } = this.#live.get(id)!
    this.#unsent.delete(id)
    this.#ending.add(id)
    const kept = await this.#writing.finish({
      ...live,
      unrated: unrated ?? live.unrated,
      ...{ ending, detail, places, endedAt: this.#clock.date() },
      faults: places.map((_, seat) => faults[seat] ?? null),
      scores: places.map((_, seat) => outcome.scores?.[seat] ?? null),
      quick: quickFalls(faults, moves),
      messages: roomOf(match.setup ?? null) === null ? null : messagesIn(moves),
    })
    this.#live.delete(id)
    this.#ending.delete(id)
    this.#memory.finished(
      seating,
      { ...kept, ratings: ofSeats(kept.ratings, counted) },
      roomOf(match.setup ?? null)?.id ?? null,
    )
    return {
      changes: kept.ratings.map(({ before, after }) => ({ rating: after, change: after - before })),
      unrated: kept.unrated,
      points: kept.points,
      elo: kept.elo,
    }
  }

  abort(id: MatchId, why: string, moves: readonly Played[], notes: Notes = noNotes): Promise<void> {
    const live = this.#record(id, moves, notes)
    this.#memory.seated(this.#live.get(id)!.seating, -1)
    this.#live.delete(id)
    this.#ending.delete(id)
    this.#unsent.delete(id)
    return this.#writing.abort({ ...live, detail: why, endedAt: this.#clock.date() })
  }

  /** Stakes so many points of each side of a live match. */
  async escrow(id: MatchId, amount: number): Promise<Escrowed> {
    if (!Number.isSafeInteger(amount) || amount < 1) throw new Error(`no stake: ${amount}`)
    if (!this.#live.has(id) || this.#ending.has(id)) return { refused: 'over' }
    const record = this.#record(id, ...(this.#unsent.get(id) ?? ([[], noNotes] as const)))
    try {
      return await this.#writing.escrow(record, amount)
    } catch (error) {
      if (error instanceof Unkept) return { refused: 'unkept' }
      throw error
    }
  }

  /** To be called once no match will begin any more. Answers with the last number that was given. */
  close(): MatchId {
    this.#sendAll()
    return this.#numbers.last
  }

  /** Throws if the ladder of an event counts something else. */
  #checkEvent(ladder: Ladder): void {
    if (typeof ladder.crowd === 'string') return
    const known = this.#ladders.get(ladder.id)
    if (known === undefined) this.#ladders.set(ladder.id, ladder)
    else if (!isDeepStrictEqual(known.counts, ladder.counts))
      throw new Error(
        `the ladder ${ladder.id} counts ${JSON.stringify(known.counts)}, and not ${JSON.stringify(ladder.counts)}`,
      )
  }

  #send(id: MatchId, moves: readonly Played[], notes: Notes): void {
    this.#unsent.set(id, [moves, notes])
    this.#timer ??= this.#clock.after(sendWithin, () => this.#sendAll())
  }

  #sendAll(): void {
    this.#timer?.cancel()
    this.#timer = null
    if (this.#unsent.size === 0) return
    this.#writing.put(
      Array.from(this.#unsent, ([id, [moves, notes]]) => this.#record(id, moves, notes)),
    )
    this.#unsent.clear()
  }

  #record(id: MatchId, moves: readonly Played[], notes: Notes): LiveRecord {
    const live = this.#live.get(id)
    if (live === undefined) throw new Error(`match ${id} is not live`)
    const { match, seating } = live
    const { ladder } = seating
    return {
      id,
      game: match.game,
      seed: seedText(match.seed),
      setup: match.setup == null ? null : JSON.stringify(match.setup),
      accounts: match.accounts,
      protocols: match.protocols ?? [],
      ladder: typeof ladder.crowd === 'string' ? ladder.id : ladder,
      unrated: match.unrated,
      startedAt: match.startedAt,
      moveCount: moves.length,
      moves: JSON.stringify(moves),
      notes: notesText(notes),
      event: match.event ?? null,
    }
  }
}

interface LiveMatch {
  readonly match: NewMatch
  readonly seating: Seating
  /** The seats of the seating. */
  readonly counted: readonly Seat[]
}
