import type { ServerResponse } from 'node:http'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock, Timer } from '../../clock.ts'
import { encodeEvent, Stream } from './stream.ts'

/** The most live matches that a list shows. */
const maxShown = 12
/** How often changes are sent, in milliseconds. */
const sendInterval = 500
/** A client that reconnects can have missed this many events. The feed stops after as long without clients. */
const eventsKept = 120
const idleTimeout = eventsKept * sendInterval

/** Which matches a feed is of, and what it sends. */
interface Feed<Data> {
  /** The matches that are shown. */
  readonly shown: () => readonly Table[]
  /** Whether the feed is of this match, too. */
  readonly concerns: (table: Table) => boolean
  readonly describe: Describe<Data>
  readonly failed: (error: unknown) => void
  /** The feed has stopped, after some time without clients. */
  readonly stopped?: () => void
}

/**
 * The changes of all live matches, for the front page, or of those of an event: at most twice a second, and only of the few
 * matches that are shown. Its cost does not grow with the number of matches.
 */
export class LiveFeed<Data> {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #feed: Feed<Data>
  /** Begins the ids of events. Events from before the feed last started had other numbers. */
  #epoch = ''
  readonly #stream: Stream
  readonly #changed = new Set<MatchId>()
  readonly #ended: Table[] = []
  #timer: Timer | null = null
  #idleTimer: Timer | null = null
  #stopWatching: (() => void) | null = null

  constructor(arena: Arena, clock: Clock, feed: Feed<Data>) {
    this.#arena = arena
    this.#clock = clock
    this.#feed = feed
    this.#stream = new Stream(clock, () => this.#idle())
  }

  /** Continues after the event of this id, or starts with all shown matches. */
  async watch(lastId: string | undefined, response: ServerResponse): Promise<void> {
    this.#keep()
    if (this.#stopWatching === null) {
      this.#epoch = this.#clock.date().toString(36)
      this.#stopWatching = this.#arena.watch(event => this.#note(event))
    }
    const [epoch, number] = lastId?.split('-') ?? []
    const canContinue = epoch === this.#epoch && Number(number) < this.#stream.next
    if (canContinue) this.#stream.open(response, Number(number) + 1)
    else await this.#openWithAll(response)
  }

  get clientCount(): number {
    return this.#stream.clientCount
  }

  close(): void {
    this.#stream.cut()
    this.#stop()
  }

  /** Starts with all shown matches. Events that are added meanwhile follow after them. */
  async #openWithAll(response: ServerResponse): Promise<void> {
    const from = this.#stream.next
    const id = `${this.#epoch}-${from - 1}`
    try {
      const data = await this.#feed.describe(this.#feed.shown(), [], 'one')
      if (response.destroyed) return
      this.#keep()
      this.#stream.open(response, from, [encodeEvent('live', id, data)])
    } finally {
      if (this.clientCount === 0) this.#idle()
    }
  }

  /** Something else that is sent has changed. */
  touch(): void {
    if (this.#stopWatching !== null) this.#schedule()
  }

  #note(event: ArenaEvent): void {
    // What an audience does changes nothing that the lists show.
    if (event.kind === 'voted' || event.kind === 'reacted') return
    if (!this.#feed.concerns(event.table)) return
    if (event.kind === 'ended' || event.kind === 'aborted') {
      this.#ended.push(event.table)
      if (this.#ended.length > maxShown) this.#ended.shift()
    } else this.#changed.add(event.table.id)
    this.#schedule()
  }

  #schedule(): void {
    this.#timer ??= this.#clock.after(sendInterval, () => this.#send())
  }

  #send(): void {
    this.#timer = null
    const changed = this.#feed.shown().filter(({ id }) => this.#changed.has(id))
    this.#feed
      .describe(changed, this.#ended.splice(0), 'all')
      .then(data => {
        this.#stream.add('live', `${this.#epoch}-${this.#stream.next}`, data)
        this.#stream.keepNewest(eventsKept)
      })
      .catch(this.#feed.failed)
    this.#changed.clear()
  }

  /** Stops after some time without clients. */
  #idle(): void {
    this.#idleTimer ??= this.#clock.after(idleTimeout, () => this.#stop())
  }

  #keep(): void {
    this.#idleTimer?.cancel()
    this.#idleTimer = null
  }

  #stop(): void {
    this.#stopWatching?.()
    this.#stopWatching = null
    this.#feed.stopped?.()
    this.#keep()
    this.#timer?.cancel()
    this.#timer = null
    this.#changed.clear()
    this.#ended.length = 0
  }
}

/** What is sent of these matches, to all clients or to one that begins. */
type Describe<Data> = (
  changed: readonly Table[],
  ended: readonly Table[],
  to: 'all' | 'one',
) => Promise<Data>

/** The tables that opened first, so that the list changes little. */
export const shownTables = (
  arena: Arena,
  concerns: Feed<unknown>['concerns'] = () => true,
): readonly Table[] => {
  const tables: Table[] = []
  for (const table of arena.tables.values()) {
    if (concerns(table)) tables.push(table)
    if (tables.length === maxShown) break
  }
  return tables
}
