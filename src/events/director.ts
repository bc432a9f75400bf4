import { randomBytes, randomInt } from 'node:crypto'
import { type Account, type AccountId, agentOf, splitName } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import { internalError, type Refusal, stopping } from '../arena/codes.ts'
import type { MatchStore } from '../arena/match-store.ts'
import type { News, Player } from '../arena/player.ts'
import type { Clock, Timer } from '../clock.ts'
import { quoted } from '../games/words.ts'
import { Counter } from '../limits/counter.ts'
import type { Leave, Matchmaking } from '../matchmaking/matchmaking.ts'
import { PairingPolicy } from '../matchmaking/pairing-policy.ts'
import type { House } from '../matchmaking/practice.ts'
import type { Waiting } from '../matchmaking/waiting.ts'
import { agentsOf } from './board-calls.ts'
import type { Caller } from './caller.ts'
import type { Numbered } from './entry.ts'
import { readLeg } from './leg-name.ts'
import type { EventStore } from './log.ts'
import type { EventId, EventPlan } from './plan.ts'
import { nextOf, type Recurring } from './recurring.ts'
import { type Attending, type EventHost, RunningEvent } from './running-event.ts'
import type { EventState } from './state.ts'
import {
  type Candidate,
  cancel,
  checkIn,
  checkInFrom,
  conclude,
  type Decision,
  enter,
  isOver,
  pause,
  play,
  type Result,
  resume,
  type Settlement,
  settle,
  withdraw,
} from './taking-part.ts'

export interface DirectorOptions {
  readonly arena: Arena
  readonly matchmaking: Matchmaking
  readonly clock: Clock
  readonly matchStore: MatchStore
  readonly log: EventStore
  readonly house: House
  /** How many rated matches two accounts may play in a day on one ladder; 0 for no limit. */
  readonly pairCap?: number
  /** How many seats one account may wait for and play in at once; no limit unless given. */
  readonly seatsPerAccount?: number
  /** Whether a match with a person counts, on the people's ladder. */
  readonly peopleRated?: boolean
  /** The recurring events of the settings. */
  readonly recurring?: readonly Recurring[]
  /** Called with each internal error. */
  readonly failed?: (error: unknown) => void
}

/**
 * Runs the events of a host. It keeps those that are not over in memory, starts them, calls their boards, has the arena open
 * their matches, and writes their logs. What another process writes into a log is read by `refresh`.
 */
export class Director {
  readonly #options: DirectorOptions
  readonly #clock: Clock
  readonly #log: EventStore
  readonly #matchStore: MatchStore
  readonly #matchmaking: Matchmaking
  readonly #host: EventHost
  readonly #events = new Map<EventId, RunningEvent>()
  /** Those that are over. */
  readonly #ended = new Set<EventId>()
  readonly #callers = new Set<Caller>()
  readonly #listeners = new Set<(state: EventState, entry: Numbered) => void>()
  /** Players that wait for a board, by agent. */
  readonly #waits = new Counter<AccountId>()
  /** Up to where the logs are read; null before `open`. */
  #seq: number | null = null
  #refreshing: Promise<void> = Promise.resolve()
  #timer: Timer | null = null
  #closing = false

  constructor(options: DirectorOptions) {
    const { arena, matchmaking, clock, matchStore, log, house } = options
    this.#options = options
    this.#clock = clock
    this.#log = log
    this.#matchStore = matchStore
    this.#matchmaking = matchmaking
    this.#host = {
      ...{ arena, matchmaking, clock, matchStore, log, house },
      policy: new PairingPolicy(matchStore, options.pairCap ?? 0, n => randomInt(n)),
      peopleRated: options.peopleRated ?? false,
      callers: this.#callers,
      told: (state, entry) => this.#told(state, entry),
      left: ({ player: { account } }) => {
        this.#waits.remove(agentOf(account))
        matchStore.release([account.id])
      },
      failed: error => this.#failed(error),
    }
    arena.watch(event => this.#follow(event))
  }

  /** Reads the events that are not over, and goes on with them: matches that ended without an entry get theirs. */
  async open(): Promise<void> {
    const { seq, logs, over } = await this.#log.open()
    this.#seq = seq
    for (const event of over) this.#ended.add(event)
    await Promise.all(logs.map(log => this.#add(log)))
    this.#matchmaking.useReserve({
      holds: waiting => [...this.#events.values()].some(event => event.holds(waiting)),
      left: waiting => this.#released(waiting),
    })
    await this.#makeRecurring()
  }

  /** The events that are open, running or paused, in the order in which they were made. */
  list(): readonly EventState[] {
    return [...this.#events.values()].map(({ state }) => state)
  }

  /** Undefined for an event that is over, or that there is none of. */
  get(event: EventId): EventState | undefined {
    return this.#events.get(event)?.state
  }

  /** The event that a player asks for, or why it cannot take part in it. */
  find(event: EventId): EventState | Refusal {
    return this.get(event) ?? this.#missing(event)
  }

  /** The players of an agent that wait for a board of any event. */
  waitingOf(agent: AccountId): readonly Player[] {
    return [...this.#events.values()].flatMap(event => event.waitingOf(agent))
  }

  /**
   * Takes part with this player: it enters where sign-up is open, counts as checked in, and waits for its next board. The
   * answer is news, as of `Matchmaking.seek`: `queued`, and `seated` with a match; or `dismissed` or `closing`. After
   * a match it waits for the next one when it attends again.
   */
  attend(player: Player, event: EventId): Leave {
    const attending: Attending = { player, hasLeft: false }
    this.#clock.soon.do(() => {
      if (!attending.hasLeft) void this.#attend(attending, event)
    })
    return cause => {
      if (attending.hasLeft) return
      attending.hasLeft = true
      if (this.#events.get(event)?.leave(attending) !== true)
        this.#options.arena.leave(player, cause)
    }
  }

  /**
   * Resolves once it is on disk. The agent of a version enters. `granted`: the number in the id that its protocol has
   * granted it.
   */
  async enter(account: Account, event: EventId, granted?: number): Promise<Refusal | null> {
    const running = this.#events.get(event)
    if (running === undefined) return this.#missing(event)
    await this.#matchStore.hold([account.id], running.game.id)
    try {
      return await running.change(state =>
        enter(state, { ...this.#candidate(account, running), granted }),
      )
    } finally {
      this.#matchStore.release([account.id])
    }
  }

  withdraw(account: AccountId, event: EventId): Promise<Refusal | null> {
    return this.#change(event, state => withdraw(state, account, 'by itself'))
  }

  checkIn(account: AccountId, event: EventId): Promise<Refusal | null> {
    return this.#change(event, state => checkIn(state, account, this.#clock.date()))
  }

  async create(plan: EventPlan): Promise<Refusal | null> {
    const created = { kind: 'created', plan } as const
    const { appended, entries } = await this.#log.append(plan.id, 0, [created])
    if (appended) {
      await this.#add(entries)
      return null
    }
    return { code: 'event-state', detail: `there is an event ${quoted(plan.id)} already` }
  }

  async start(event: EventId): Promise<Refusal | null> {
    const running = this.#events.get(event)
    return running === undefined ? this.#missing(event) : running.start()
  }

  pause(event: EventId): Promise<Refusal | null> {
    return this.#change(event, pause)
  }

  resume(event: EventId): Promise<Refusal | null> {
    return this.#change(event, resume)
  }

  cancel(event: EventId, reason: string): Promise<Refusal | null> {
    return this.#change(event, state => cancel(state, reason))
  }

  /** Decides a board in place of its matches. */
  settle(event: EventId, settlement: Settlement): Promise<Refusal | null> {
    return this.#change(event, state => settle(state, settlement))
  }

  /** The result of a match that a referee from elsewhere has held. */
  report(event: EventId, result: Omit<Result, 'match'>): Promise<Refusal | null> {
    return this.#change(event, state => play(state, { ...result, match: null }))
  }

  /** Calls the listener with each entry once it is on disk, and the state that it has led to, until the returned function is called. */
  watch(listener: (state: EventState, entry: Numbered) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Has boards filled by a protocol that calls its players. */
  use(caller: Caller): void {
    this.#callers.add(caller)
    this.review()
  }

  /** Accounts or what a caller knows of its players may have changed: boards are called again. */
  review(): void {
    for (const event of this.#events.values()) {
      event.dismissWhere(({ account }) => this.#matchmaking.paused(account))
      event.review()
    }
  }

  /** Reads what another process has written. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(async () => {
      if (this.#seq === null) return
      try {
        const { seq, entries } = await this.#log.since(this.#seq)
        this.#seq = seq
        for (const { event, entry } of entries)
          if (entry.kind === 'created') await this.#add([entry])
          else this.#events.get(event)?.apply([entry])
        await this.#makeRecurring()
      } catch (error) {
        this.#failed(error)
      }
    })
    return this.#refreshing
  }

  /** Refuses players, and dismisses those that wait. Matches that are live may still end. */
  close(): void {
    this.#closing = true
    this.#timer?.cancel()
    for (const event of this.#events.values()) event.close({ kind: 'closing' })
  }

  /** Resolves once the results of all matches that have ended are on disk. */
  async closed(): Promise<void> {
    await Promise.all([...this.#events.values()].map(({ settled }) => settled))
  }

  async #attend(attending: Attending, event: EventId): Promise<void> {
    const { player } = attending
    let isHeld = false
    try {
      const running = this.#events.get(event)
      if (running !== undefined) {
        await this.#matchStore.hold([player.account.id], running.game.id)
        isHeld = true
      }
      const refusal =
        running === undefined
          ? this.#missing(event)
          : (this.#objection(player) ??
            (await running.change(state => this.#join(state, player, running))))
      // It may be over by now.
      const problem = refusal ?? (this.#events.has(event) ? null : this.#missing(event))
      if (attending.hasLeft) return
      if (problem !== null || running === undefined) {
        if (problem !== null) this.#tell(player, { kind: 'dismissed', ...problem })
        return
      }
      player.tell({ kind: 'queued', game: running.game })
      if (attending.hasLeft) return
      this.#waits.add(agentOf(player.account))
      isHeld = false
      running.attend(attending)
    } catch (error) {
      this.#failed(error)
      if (!attending.hasLeft) this.#tell(player, { kind: 'dismissed', ...internalError })
    } finally {
      if (isHeld) this.#matchStore.release([player.account.id])
    }
  }

  /** Enters and checks in, as far as either is still to be done. The account is held. */
  #join(state: EventState, { account }: Player, running: RunningEvent): Decision {
    const entered = enter(state, this.#candidate(account, running))
    if ('code' in entered || entered.length > 0) return entered
    const from = checkInFrom(state)
    const now = this.#clock.date()
    return from === null || now < from ? [] : checkIn(state, agentOf(account), now)
  }

  #objection({ account }: Player): Refusal | null {
    if (this.#closing) return stopping
    const { seatsPerAccount = Number.POSITIVE_INFINITY, arena } = this.#options
    const agent = agentOf(account)
    const seats =
      this.#waits.of(agent) + this.#matchmaking.countWaits(agent) + arena.countSeats(agent)
    if (seats >= seatsPerAccount)
      return {
        code: 'too-many-matches',
        detail: `this account waits and plays in ${seatsPerAccount} seats: try again when a match is over`,
        retryAfter: 10,
      }
    return this.#matchmaking.paused(account)
  }

  #candidate(account: Account, { ladder }: RunningEvent): Candidate {
    return {
      account: agentOf(account),
      name: splitName(account.name).agent,
      rating: this.#matchStore.standing(account.id, ladder).rating,
    }
  }

  async #change(event: EventId, decide: (state: EventState) => Decision): Promise<Refusal | null> {
    return this.#events.get(event)?.change(decide) ?? this.#missing(event)
  }

  /** Why an event is not among those that go on. */
  #missing(event: EventId): Refusal {
    if (this.#ended.has(event)) return { code: 'event-over', detail: `${event} is over` }
    const ids = [...this.#events.keys()]
    return {
      code: 'no-such-event',
      detail: `there is no event ${quoted(event)}${ids.length === 0 ? '' : `; there are ${ids.join(', ')}`}`,
    }
  }

  /** An event that this host does not know yet, with what its matches have led to. */
  async #add(log: readonly Numbered[]): Promise<void> {
    const [first] = log
    if (first?.kind !== 'created') return
    const { id } = first.plan
    if (this.#events.has(id) || this.#ended.has(id)) return
    try {
      const event = new RunningEvent(this.#host, log)
      this.#events.set(id, event)
      if (event.state.rounds.length > 0) await this.#recover(event)
      event.review()
      if (log.length === 1) this.#tellListeners(event.state, first)
    } catch (error) {
      this.#failed(error)
    }
  }

  async #recover(event: RunningEvent): Promise<void> {
    const matches = await this.#log.boardMatches(event.state.plan.id)
    for (const { match, board, status, isVoided, faults, ...result } of matches)
      if (status === 'done' && !isVoided)
        await event.change(state =>
          conclude(state, { ...readLeg(board), match, ...result }, { faults, absent: [] }),
        )
  }

  #follow(event: ArenaEvent): void {
    const name = event.table.deal.event
    const running = name === null ? undefined : this.#events.get(name.id)
    if (name === null || running === undefined) return
    try {
      if (event.kind === 'ended')
        running.ended(name.board, event.table.id, agentsOf(event.table.deal.players), event.outcome)
      else if (event.kind === 'aborted') running.aborted(name.board)
    } catch (error) {
      // The arena would remove a listener that throws.
      this.#failed(error)
    }
  }

  #told(state: EventState, entry: Numbered): void {
    this.#tellListeners(state, entry)
    if (!isOver(state)) return
    const { id } = state.plan
    const event = this.#events.get(id)
    this.#events.delete(id)
    this.#ended.add(id)
    this.#clock.soon.do(() => event?.close())
  }

  #tellListeners(state: EventState, entry: Numbered): void {
    for (const listener of this.#listeners)
      try {
        listener(state, entry)
      } catch (error) {
        this.#failed(error)
      }
  }

  #released(waiting: Waiting): void {
    for (const event of this.#events.values()) if (event.released(waiting)) return
  }

  /** Makes the next event of each recurring one. */
  async #makeRecurring(): Promise<void> {
    this.#timer?.cancel()
    if (this.#closing) return
    this.#timer = this.#clock.after(recurringEvery, () => void this.#makeRecurring())
    const { recurring = [] } = this.#options
    try {
      for (const each of [...recurring, ...(await this.#log.recurring())]) {
        const plan = nextOf(each, this.#clock.date(), newSeed)
        if (!this.#events.has(plan.id) && !this.#ended.has(plan.id)) await this.create(plan)
      }
    } catch (error) {
      this.#failed(error)
    }
  }

  #tell(player: Player, news: News): void {
    try {
      player.tell(news)
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.#options.failed?.(error)
  }
}

const recurringEvery = 60_000

const newSeed = () => randomBytes(16).toString('hex')
