import { randomInt } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { Dice } from '../games/dice.ts'
import { type Game, type Seat, type Seed, type Setup, seatRange } from '../games/game.ts'
import { type Meter, unmetered } from '../meter.ts'
import { type Account, type AccountId, agentOf } from './account.ts'
import type { ArenaEvent, ArenaListener } from './arena-event.ts'
import { type Refusal, stopping, type VoteRefusal } from './codes.ts'
import { areTooFew, guests, isGuest } from './guests.ts'
import { agentsLadder, type Ladder } from './ladder.ts'
import type { MatchId, MatchStore, NewMatch } from './match-store.ts'
import { type Opening, withOpening } from './opening.ts'
import type { Pace } from './pace.ts'
import { hubProtocol, type Player, rankedAccounts } from './player.ts'
import type { Reaction } from './reactions.ts'
import { type HeldSeat, type LastNews, type LiveSeat, Seats } from './seats.ts'
import { type Deal, Table } from './table.ts'
import type { Terms } from './terms.ts'
import type { Unrated } from './unrated.ts'
import { type VotingTimes, votingTimes } from './voting.ts'

/** The match that a matchmaker asks for. */
export interface MatchOrder {
  /** The number that was reserved for it (`MatchStore.reserve`); the next one unless given. */
  readonly id?: MatchId
  readonly game: Game
  /** By seat. Their number is one that the game allows. */
  readonly players: readonly Player[]
  /** Why the match is unrated; null for a rated match. */
  readonly unrated: Unrated | null
  /**
   * The ladder on which a rated match counts; the standard one of agents unless given. An unrated match is played as those of
   * this ladder are.
   */
  readonly ladder?: Ladder
  /** A new one unless given. */
  readonly seed?: Seed
  /** The options of the rules; those that the game has for these players unless given. */
  readonly setup?: Setup | null
  /** The moves with which it begins. */
  readonly opening?: Opening | null
  /** The event that it is a match of, and which one there. */
  readonly event?: NewMatch['event']
  /** The time that each seat has for its moves, in place of that of its terms. */
  readonly time?: Pick<Terms, 'move' | 'bank'>
  /** How long each move is shown before the next board; boards are shown at once unless given. */
  readonly pace?: Pace
}

export interface ArenaOptions {
  readonly clock: Clock
  readonly matchStore: MatchStore
  /** Called with each internal error and the match in which it happened. */
  readonly failed?: (error: unknown, match: MatchId) => void
  /** A whole number from 0 to n − 1, for seeds. */
  readonly roll?: (n: number) => number
  readonly meter?: Meter
  /** How long audiences vote: a minute unless given. */
  readonly voting?: VotingTimes
  /** Whether a text that a player has written has words in it that the operator does not allow. */
  readonly blocks?: (text: string) => boolean
}

/**
 * The live matches, their seats and their events. Matchmakers (src/matchmaking) decide who meets whom, and have the arena
 * open a table for them: there is no other way to one.
 */
export class Arena {
  readonly #clock: Clock
  readonly #matchStore: MatchStore
  readonly #failed: (error: unknown, match: MatchId) => void
  readonly #roll: (n: number) => number
  readonly #meter: Meter
  readonly #voting: VotingTimes
  readonly #blocks: (text: string) => boolean
  readonly #tables = new Map<MatchId, Table>()
  readonly #seats = new Seats()
  readonly #listeners = new Set<ArenaListener>()
  #closing = false

  constructor({ clock, matchStore, failed, roll, meter, voting, blocks }: ArenaOptions) {
    this.#clock = clock
    this.#matchStore = matchStore
    this.#failed = failed ?? (() => {})
    this.#roll = roll ?? (n => randomInt(n))
    this.#meter = meter ?? unmetered
    this.#voting = voting ?? votingTimes
    this.#blocks = blocks ?? (() => false)
  }

  /** The live matches. */
  get tables(): ReadonlyMap<MatchId, Table> {
    return this.#tables
  }

  /** Calls the listener with every event of every match, until the returned function is called. */
  watch(listener: ArenaListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Opens a table. Resolves with the number of the match once its players have been told that they are seated, or with a
   * refusal while the host is stopping; rejects if the match cannot begin. Then no player has been told anything.
   */
  open(order: MatchOrder): Promise<MatchId | Refusal> {
    const accounts = rankedAccounts(order.players)
    const unrated = order.unrated ?? tooFewRanked(order.players, accounts)
    const seats = this.#seats.hold(order.players, unrated)
    const facts = this.#matchStore.hold(accounts, order.game.id)
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => {
        this.#seats.release(seats)
        reject(error)
      }
      const begin = () =>
        this.#clock.soon.do(() => {
          try {
            resolve(this.#begin({ ...order, unrated }, seats, accounts))
          } catch (error) {
            this.#matchStore.release(accounts)
            failed(error)
          }
        })
      if (facts === null) begin()
      else facts.then(begin, failed)
    })
  }

  /** The seats that an agent holds in live matches, in whatever versions; or those of one version. */
  seatsOf(account: AccountId): readonly LiveSeat[] {
    return this.#seats.of(account).flatMap(({ live }) => live ?? [])
  }

  /** The seat that an account holds in a match that is live; undefined where it has none. For guests, who share accounts. */
  seatIn(match: MatchId, account: AccountId): LiveSeat | undefined {
    return this.#seats.of(account).find(({ table }) => table?.id === match)?.live ?? undefined
  }

  /** Whether an account holds a seat of these terms, or is about to get one. */
  isSeated(account: AccountId, terms: Terms): boolean {
    return this.#seats.of(account).some(({ player }) => player.terms === terms)
  }

  /** How many seats an agent, in all its versions, holds or is about to get; of practice matches alone, or of all. */
  countSeats(account: AccountId, counts: (unrated: Unrated | null) => boolean = () => true) {
    return this.#seats.of(account).filter(({ unrated }) => counts(unrated)).length
  }

  /**
   * How a match ended for an account, within 10 minutes of its end. Matches in which every lost connection loses at once
   * are not kept.
   */
  lastNews(match: MatchId, account: AccountId): LastNews | undefined {
    return this.#seats.ended(match, account, this.#clock.elapsed())
  }

  /**
   * An agent or a person that does not play in this match votes for a seat, in place of any vote that it has given before.
   * Resolves with null once the vote counts.
   */
  async vote(match: MatchId, voter: Account, seat: Seat): Promise<VoteRefusal | null> {
    const table = this.#tables.get(match)
    if (table === undefined || !isVoteOpen(table)) return noVote
    const { game, players } = table.deal
    const agent = agentOf(voter)
    if (players.some(({ account }) => agentOf(account) === agent)) return playsHere
    if (!table.vote!.between.includes(seat)) return noSuchSeat(seat)
    // Those who play are held while they do.
    await this.#matchStore.hold([agent], game.id)
    const family = this.#matchStore.family(agent)
    const isOwn =
      !table.isOver &&
      rankedAccounts(players).some(account => this.#matchStore.family(account) === family)
    this.#matchStore.release([agent])
    if (isOwn) return ofOneOwner
    if (!isVoteOpen(table)) return noVote
    table.castVote(agent, seat)
    return null
  }

  /** A spectator reacts to a live match; false if it is not live. */
  react(match: MatchId, reaction: Reaction): boolean {
    const table = this.#tables.get(match)
    if (table === undefined || table.isOver) return false
    this.#emit({ kind: 'reacted', table, reaction })
    return true
  }

  /** This player has left: the connection of the seat that it holds, or is about to get, is lost. */
  leave(player: Player, cause?: string): void {
    for (const seat of this.#seats.of(player.account.id)) seat.leave(player, cause)
  }

  /**
   * Drains the arena: opens no more tables, and aborts live matches after `grace` milliseconds, or once `hurried` is
   * resolved. Resolves when every match is over and its players have been told.
   */
  async close(grace: number, hurried?: Promise<void>): Promise<void> {
    this.#closing = true
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

  #begin(
    order: MatchOrder,
    seats: readonly HeldSeat[],
    accounts: readonly AccountId[],
  ): MatchId | Refusal {
    if (this.#closing) {
      this.#seats.release(seats)
      this.#matchStore.release(accounts)
      return stopping
    }
    const { game, players, unrated, seed, ladder, opening, event, time } = order
    const { min, max } = seatRange(game)
    if (players.length < min || players.length > max)
      throw new Error(`${players.length} players cannot play ${game.id}`)
    for (const [seat, { account }] of players.entries())
      if (isGuest(account) && account.id !== guests[seat]?.id)
        throw new Error(`${account.name} cannot have seat ${seat}`)
    const setup = order.setup === undefined ? setupFor(game, players) : order.setup
    const deal: Deal = {
      ...(order.id !== undefined && { id: order.id }),
      game,
      seed: seed ?? this.#seedFor(game),
      setup: opening == null ? setup : withOpening(setup, opening),
      players,
      terms: players.map(({ terms }) => (time === undefined ? terms : withTime(terms, time))),
      unrated,
      ladder: ladder ?? agentsLadder(game.id),
      event: event ?? null,
      voting: this.#voting,
      pace: order.pace ?? null,
    }
    const table: Table = new Table(this.#clock, this.#matchStore, deal, {
      closed: (table, news) => {
        this.#tables.delete(table.id)
        this.#seats.release(seats)
        this.#matchStore.release(accounts)
        this.#seats.keep(table.id, players, news, this.#clock.elapsed())
        if (this.#tables.size === 0) this.#onLastTableClosed?.()
      },
      emit: event => this.#emit(event),
      dice: () => Dice.fromSeed(this.#longSeed()),
      failed: this.#failed,
      meter: this.#meter,
      blocks: this.#blocks,
    })
    this.#tables.set(table.id, table)
    table.open()
    for (const seat of seats) seat.opened(table)
    return table.id
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
    for (const listener of this.#listeners)
      try {
        listener(event)
      } catch (error) {
        this.#listeners.delete(listener)
        this.#failed(error, event.table.id)
      }
  }
}

/** Of guests no rating is known, so that a match needs two others to be rated. */
const tooFewRanked = (players: readonly Player[], ranked: readonly AccountId[]): Unrated | null =>
  areTooFew(ranked) && players.some(({ account }) => isGuest(account))
    ? 'fewer than two players with an account'
    : null

const isVoteOpen = ({ vote }: Table) => vote !== null && vote.opensIn === 0 && vote.closesIn > 0

const noVote: VoteRefusal = { code: 'no-vote', detail: 'no vote is open in this match' }
const playsHere: VoteRefusal = { code: 'plays-here', detail: 'you play in this match' }
const ofOneOwner: VoteRefusal = {
  code: 'of-one-owner',
  detail: 'you have one owner with a player of this match',
}
const noSuchSeat = (seat: Seat): VoteRefusal => ({
  code: 'no-such-seat',
  detail: `the vote is not about seat ${seat}`,
})

const withTime = (
  { first: _, bank: __, ...terms }: Terms,
  time: NonNullable<MatchOrder['time']>,
): Terms => ({
  ...terms,
  ...time,
})

/** The setup of a match for which none is asked. */
export const setupFor = (game: Game, players: readonly Player[]): Setup | null => {
  const arePeople = players.every(
    ({ account, protocol }) => account.kind === 'house' || protocol === hubProtocol,
  )
  return (arePeople ? game.setupForPeople : undefined) ?? game.setup ?? null
}
