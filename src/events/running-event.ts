import { type AccountId, agentOf } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Outcome } from '../arena/ending.ts'
import { agentsLadder, type Ladder, peopleLadder } from '../arena/ladder.ts'
import type { MatchId, MatchStore } from '../arena/match-store.ts'
import { hubProtocol, type News, type Player } from '../arena/player.ts'
import type { Unrated } from '../arena/unrated.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import { openingsOf } from '../games/openings.ts'
import type { Matchmaking } from '../matchmaking/matchmaking.ts'
import type { PairingPolicy } from '../matchmaking/pairing-policy.ts'
import type { House, MakePlayer } from '../matchmaking/practice.ts'
import type { Waiting } from '../matchmaking/waiting.ts'
import { BoardCalls, type Present } from './board-calls.ts'
import type { Caller } from './caller.ts'
import type { Numbered } from './entry.ts'
import { add, fold } from './fold.ts'
import { readLeg } from './leg-name.ts'
import type { EventStore } from './log.ts'
import { next } from './next.ts'
import type { Entrant, EventState } from './state.ts'
import { type Row, table } from './table.ts'
import {
  checkIn,
  checkInFrom,
  conclude,
  type Decision,
  entrantOf,
  isOver,
  over,
  type Settlement,
  settle,
  start,
} from './taking-part.ts'

/** A player that takes part by the name of the event, and waits for its next board. */
export interface Attending {
  readonly player: Player
  hasLeft: boolean
}

/** What all events of a host share. */
export interface EventHost {
  readonly arena: Arena
  readonly matchmaking: Pick<Matchmaking, 'take' | 'giveBack' | 'offer' | 'waiting'>
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly log: EventStore
  readonly house: House
  readonly policy: PairingPolicy
  readonly peopleRated: boolean
  readonly callers: ReadonlySet<Caller>
  /** An entry is on disk, and has led to this state. */
  told(state: EventState, entry: Numbered): void
  /** A player that has waited for its board does so no more, seated or not. */
  left(attending: Attending): void
  failed(error: unknown): void
}

/** An event that is not over: its state, who is there for it, and what has to happen next. */
export class RunningEvent {
  readonly game: Game
  readonly ladder: Ladder
  readonly #host: EventHost
  readonly #calls: BoardCalls
  /** Those that wait for their next board, in the order in which they came. */
  readonly #attending = new Map<AccountId, Set<Attending>>()
  /** Those that wait in the queue of the ladder, and are held back from it. */
  readonly #reserved = new Map<AccountId, Waiting>()
  readonly #houseMakers = new Map<AccountId, MakePlayer | null>()
  /** It does not start before, by the wall clock, because entrants could not check in while the host was down. */
  readonly #startsFrom: number
  #state: EventState
  #last: Promise<unknown> = Promise.resolve()
  #timer: Timer | null = null
  #isDue = false
  #isDrawing = false
  #drawsAgain = false
  #isStarting = false
  #isClosed = false
  /** The last one: all that take part are told at once, and to make it takes long. */
  #table: readonly Row[] | null = null

  /** Throws where the log is none, or its game is not there. */
  constructor(host: EventHost, log: readonly Numbered[]) {
    this.#host = host
    this.#state = fold(log)
    const { plan } = this.#state
    const game = gameOf(plan.game)
    if (game === undefined) throw new Error(`there is no game ${plan.game} for ${plan.id}`)
    this.game = game
    this.ladder = agentsLadder(game.id, plan.variant)
    const now = host.clock.date()
    const from = checkInFrom(this.#state)
    this.#startsFrom = from !== null && from < now ? now + Math.min(plan.checkIn, lateCheckIn) : 0
    const event = this
    this.#calls = new BoardCalls({
      ...{ arena: host.arena, clock: host.clock, matchStore: host.matchStore, game },
      get state() {
        return event.#state
      },
      present: (account, round, board) => this.#present(account, round, board),
      isElsewhere: (round, board) => this.#isElsewhere(round, board),
      order: (players, { opening }) => ({
        ...this.#rating(players),
        opening: opening === null ? null : openingOf(game, opening),
      }),
      settle: settlement => this.settle(settlement),
      failed: error => host.failed(error),
    })
  }

  get state(): EventState {
    return this.#state
  }

  /**
   * Writes what is decided by the present state. Where the log has moved on meanwhile, it is decided anew. Resolves once
   * it is on disk.
   */
  change(decide: (state: EventState) => Decision, at?: number): Promise<Refusal | null> {
    const decided = this.#last.then(async () => {
      for (;;) {
        const decision = decide(this.#state)
        if ('code' in decision) return decision
        if (decision.length === 0) return null
        const { plan, entries } = this.#state
        const answer = await this.#host.log.append(plan.id, entries, decision, at)
        this.apply(answer.entries)
        if (answer.appended) return null
      }
    })
    this.#last = decided.catch(() => {})
    return decided
  }

  /** Resolves once all that was decided is on disk, or has failed. */
  get settled(): Promise<unknown> {
    return this.#last
  }

  /** Entries that are on disk, those that are known among them. */
  apply(entries: readonly Numbered[]): void {
    for (const entry of entries) {
      if (entry.number !== this.#state.entries + 1) continue
      this.#state = add(this.#state, entry)
      this.#host.told(this.#state, entry)
    }
    this.#dismissThoseOut()
    if (isOver(this.#state)) this.#calls.close()
    this.review()
  }

  /** Does what is due, once the code that asks has returned. */
  review(): void {
    if (this.#isDue || this.#isClosed) return
    this.#isDue = true
    this.#host.clock.soon.do(() => {
      this.#isDue = false
      if (this.#isClosed) return
      try {
        this.#advance()
      } catch (error) {
        this.#host.failed(error)
      }
    })
  }

  attend(attending: Attending): void {
    const agent = agentOf(attending.player.account)
    const others = this.#attending.get(agent)
    if (others === undefined) this.#attending.set(agent, new Set([attending]))
    else others.add(attending)
    const reserved = this.#reserved.get(agent)
    if (reserved !== undefined) this.#giveBack(agent, reserved)
    this.review()
  }

  /** Returns whether it was waiting. */
  leave(attending: Attending): boolean {
    const agent = agentOf(attending.player.account)
    const own = this.#attending.get(agent)
    if (own?.delete(attending) !== true) return false
    if (own.size === 0) this.#attending.delete(agent)
    this.#host.left(attending)
    return true
  }

  waitingOf(agent: AccountId): readonly Player[] {
    return [...(this.#attending.get(agent) ?? [])].map(({ player }) => player)
  }

  /** Whether it holds a player back from the queue: an entrant of a protocol without a word for events. */
  holds(waiting: Waiting): boolean {
    const agent = agentOf(waiting.player.account)
    if (this.#state.status !== 'running' || waiting.rated !== 'agents') return false
    if (waiting.ladder.id !== this.ladder.id || !this.#isIn(agent)) return false
    if (this.#attending.has(agent) || this.#reserved.has(agent)) return false
    if (this.#isPlaying(agent)) return false
    this.#reserved.set(agent, waiting)
    this.review()
    return true
  }

  /** Returns whether it was held here. */
  released(waiting: Waiting): boolean {
    const agent = agentOf(waiting.player.account)
    return this.#reserved.get(agent) === waiting && this.#reserved.delete(agent)
  }

  /** A match of this event has its result. */
  ended(text: string, match: MatchId, accounts: readonly AccountId[], outcome: Outcome): void {
    const name = readLeg(text)
    const absent = this.#calls.ended(name)
    const { places, faults } = outcome
    const scores = places.map((_, seat) => outcome.scores?.[seat] ?? null)
    const result = { ...name, match, accounts, places, scores }
    this.#persist(state => conclude(state, result, { faults, absent }))
  }

  aborted(text: string): void {
    this.#calls.aborted(readLeg(text))
    this.review()
  }

  settle(settlement: Settlement): void {
    this.#persist(state => settle(state, settlement))
  }

  /** Starts it by command. */
  start(isDue = false): Promise<Refusal | null> {
    return this.#start(isDue)
  }

  /** The host is stopping, or the event is over: ends all waits for it. */
  close(news: News | null = null): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#calls.close()
    for (const own of this.#attending.values())
      for (const attending of [...own]) this.#dismiss(attending, news ?? this.#overFor(attending))
    for (const [agent, waiting] of this.#reserved) this.#giveBack(agent, waiting)
  }

  /** Dismisses those of these accounts that wait. */
  dismissWhere(why: (player: Player) => Refusal | null): void {
    for (const own of [...this.#attending.values()])
      for (const attending of [...own]) {
        const refusal = why(attending.player)
        if (refusal !== null) this.#dismiss(attending, { kind: 'dismissed', ...refusal })
      }
  }

  #advance(): void {
    this.#timer?.cancel()
    this.#timer = null
    switch (this.#state.status) {
      case 'open':
        this.#prepare()
        break
      case 'running':
        this.#host.matchmaking.offer()
        this.#draw()
        this.#calls.review()
        if (this.#state.plan.format.kind === 'arena') this.#reviewIn(drawEvery)
        break
      case 'paused':
        for (const [agent, waiting] of this.#reserved) this.#giveBack(agent, waiting)
        this.#calls.review()
        break
    }
  }

  /** Before the start. */
  #prepare(): void {
    const { plan, entrants } = this.#state
    const now = this.#host.clock.date()
    const from = checkInFrom(this.#state)
    if (from !== null && now >= from) this.#checkInThoseHere()
    const { startsAt, startsWith } = plan
    const due = startsAt === null ? Number.POSITIVE_INFINITY : Math.max(startsAt, this.#startsFrom)
    if (startsWith !== null && entrants.length >= startsWith) void this.#startOrFail(false)
    else if (now >= due) void this.#startOrFail(true)
    // In steps, since the wall clock may be set.
    else if (startsAt !== null)
      this.#reviewIn(Math.min(lookEvery, (from !== null && now < from ? from : due) - now))
  }

  #checkInThoseHere(): void {
    const inQueue = new Set(
      this.#host.matchmaking.waiting
        .filter(({ ladder, table }) => ladder.id === this.ladder.id && table === null)
        .map(({ player }) => agentOf(player.account)),
    )
    for (const entrant of this.#state.entrants) {
      const { account, checkedIn, name } = entrant
      const isHere =
        this.#attending.has(account) ||
        inQueue.has(account) ||
        isHouse(name) ||
        this.#calledPlayer(account, 0, 0) !== undefined
      if (!checkedIn && isHere)
        this.#persist(state => checkIn(state, account, this.#host.clock.date()))
    }
  }

  async #startOrFail(isDue: boolean): Promise<void> {
    try {
      await this.#start(isDue)
    } catch (error) {
      this.#host.failed(error)
      this.#reviewIn(tryAgainIn)
    }
  }

  async #start(isDue: boolean): Promise<Refusal | null> {
    if (this.#isStarting) return null
    this.#isStarting = true
    try {
      const ratings = await this.#ratings()
      const ratingOf = ({ account, rating }: Entrant) => ratings.get(account) ?? rating
      return await this.change(state => start(state, ratingOf, isDue))
    } finally {
      this.#isStarting = false
    }
  }

  /** Of an agent that is here in a version, the rating of that version. */
  async #ratings(): Promise<ReadonlyMap<AccountId, number>> {
    const { matchStore } = this.#host
    const here = this.#state.entrants.map(({ account }) => {
      const [attending] = this.#attending.get(account) ?? []
      return { account, as: attending?.player.account.id ?? account }
    })
    const accounts = here.map(({ as }) => as)
    await matchStore.hold(accounts, this.game.id)
    const ratings = here.map(
      ({ account, as }) => [account, matchStore.standing(as, this.ladder).rating] as const,
    )
    matchStore.release(accounts)
    return new Map(ratings)
  }

  #draw(): void {
    if (this.#isDrawing) {
      this.#drawsAgain = true
      return
    }
    this.#isDrawing = true
    const at = this.#host.clock.date()
    const drawn = this.change(state => {
      const step = next(state, at, this.#free())
      if (step.kind === 'wait') return []
      if (step.kind === 'finish') return [{ kind: 'finished' }]
      const { round, boards, byes } = step
      return [{ kind: 'drawn', round, boards, byes }]
    }, at)
    drawn.then(
      () => {
        this.#isDrawing = false
        if (!this.#drawsAgain) return
        this.#drawsAgain = false
        this.review()
      },
      error => {
        this.#host.failed(error)
        this.#isDrawing = false
        this.#reviewIn(tryAgainIn)
      },
    )
  }

  /** Those who are here and have no board. Only an arena asks. */
  #free(): ReadonlySet<AccountId> {
    if (this.#state.plan.format.kind !== 'arena') return noAccounts
    return new Set(
      this.#state.entrants
        .filter(({ account, withdrawn }) => !withdrawn && !this.#calls.isCalled(account))
        .map(({ account }) => account)
        .filter(account => this.#present(account, 0, 0) !== undefined),
    )
  }

  #present(account: AccountId, round: number, board: number): Present | undefined {
    const entrant = entrantOf(this.#state, account)
    if (entrant === undefined || entrant.withdrawn) return undefined
    const [attending] = this.#attending.get(account) ?? []
    if (attending !== undefined)
      return {
        player: attending.player,
        isHere: () => this.#attending.get(account)?.has(attending) === true,
        take: () => this.leave(attending),
      }
    const waiting = this.#reserved.get(account)
    if (waiting !== undefined)
      return {
        player: waiting.player,
        isHere: () => this.#reserved.get(account) === waiting,
        take: () => {
          this.#reserved.delete(account)
          this.#host.matchmaking.take(waiting)
        },
      }
    const player = isHouse(entrant.name)
      ? this.#housePlayer(entrant)
      : this.#calledPlayer(account, round, board)
    return player && { player, isHere: () => true, take: () => {} }
  }

  #calledPlayer(account: AccountId, round: number, board: number): Player | undefined {
    for (const caller of this.#host.callers) {
      const player = caller.playerFor(this.#state, round, board, account)
      if (player !== undefined) return player
    }
    return undefined
  }

  #isElsewhere(round: number, board: number): boolean {
    return [...this.#host.callers].some(caller => caller.takes(this.#state, round, board))
  }

  /** Undefined while its account is fetched. */
  #housePlayer({ account, name }: Entrant): Player | undefined {
    const known = this.#houseMakers.get(account)
    if (known !== undefined) return known?.()
    this.#houseMakers.set(account, null)
    const made = this.#host.house(this.game, name.slice(housePrefix.length))
    if (made === undefined)
      this.#host.failed(new Error(`no house player ${name} plays ${this.game.id}`))
    else if (made instanceof Promise)
      made.then(
        make => {
          this.#houseMakers.set(account, make)
          this.review()
        },
        error => {
          this.#host.failed(error)
          this.#houseMakers.delete(account)
        },
      )
    else {
      this.#houseMakers.set(account, made)
      return made()
    }
    return undefined
  }

  /** Where a match counts, or why it does not. Its players are held. */
  #rating(players: readonly Player[]): {
    readonly unrated: Unrated | null
    readonly ladder: Ladder
  } {
    const { policy, peopleRated } = this.#host
    const hasPeople = players.some(({ protocol }) => protocol === hubProtocol)
    const ladder = hasPeople && peopleRated ? peopleLadder(this.game.id) : this.ladder
    const owners = players.map(({ account }) =>
      account.kind === 'house' ? account.id : policy.owner(account.id),
    )
    const unrated: Unrated | null = !this.#state.plan.rated
      ? 'an unrated event'
      : players.some(({ account }) => account.kind === 'house')
        ? 'an event match against the house'
        : new Set(owners).size < owners.length
          ? 'agents of one owner'
          : hasPeople && !peopleRated
            ? 'a casual match'
            : policy.anyCapReached(ladder, players)
              ? 'a pair that has met too often today'
              : null
    return { unrated, ladder }
  }

  /** Tries until it is on disk: the event cannot go on without. */
  #persist(decide: (state: EventState) => Decision): void {
    this.change(decide).catch(error => {
      this.#host.failed(error)
      if (!this.#isClosed) this.#host.clock.after(tryAgainIn, () => this.#persist(decide))
    })
  }

  #dismissThoseOut(): void {
    this.dismissWhere(({ account }) => {
      const agent = agentOf(account)
      if (isOver(this.#state)) return this.#overText(agent)
      return this.#isIn(agent)
        ? null
        : {
            code: 'event-closed',
            detail: `this account takes part in ${this.#state.plan.id} no more`,
          }
    })
    for (const [agent, waiting] of this.#reserved)
      if (!this.#isIn(agent) || isOver(this.#state)) this.#giveBack(agent, waiting)
  }

  #overFor({ player }: Attending): News {
    return { kind: 'dismissed', ...this.#overText(agentOf(player.account)) }
  }

  /** With its place in the table. */
  #overText(agent: AccountId): Refusal {
    const refusal = over(this.#state)
    if (this.#state.status === 'finished') this.#table ??= table(this.#state)
    const rows = this.#table ?? []
    const own = rows.find(({ account }) => account === agent)
    if (own === undefined) return refusal
    return { ...refusal, detail: `${refusal.detail}: you are ${own.rank} of ${rows.length}` }
  }

  #dismiss(attending: Attending, news: News): void {
    if (!this.leave(attending)) return
    try {
      attending.player.tell(news)
    } catch (error) {
      this.#host.failed(error)
    }
  }

  #giveBack(agent: AccountId, waiting: Waiting): void {
    this.#reserved.delete(agent)
    this.#host.matchmaking.giveBack(waiting)
  }

  #isIn(account: AccountId): boolean {
    return entrantOf(this.#state, account)?.withdrawn === false
  }

  /** Whether it plays a match of this event at present. */
  #isPlaying(agent: AccountId): boolean {
    return this.#host.arena
      .seatsOf(agent)
      .some(
        ({ match }) => this.#host.arena.tables.get(match)?.deal.event?.id === this.#state.plan.id,
      )
  }

  #reviewIn(ms: number): void {
    this.#timer?.cancel()
    this.#timer = this.#host.clock.after(ms, () => {
      this.#timer = null
      this.review()
    })
  }
}

const housePrefix = 'house-'
/** No other account has a name like that. */
const isHouse = (name: string) => name.startsWith(housePrefix)

/** The suite goes round. */
const openingOf = ({ id }: Game, number: number) => {
  const suite = openingsOf(id)
  return suite[number % suite.length] ?? null
}

const noAccounts: ReadonlySet<AccountId> = new Set()

/** Those who could not check in because the host was down have at least this long. */
const lateCheckIn = 120_000
/** In an arena those who are free are looked for this often. */
const drawEvery = 1_000
const lookEvery = 60_000
const tryAgainIn = 1_000
