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

/**
 * The changes of all live matches, for the front page: at most twice a second, and only of the few matches that are shown.
 * Its cost does not grow with the number of matches.
 */
export class LiveFeed<Data> {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #describe: Describe<Data>
  readonly #failed: (error: unknown) => void
  /** Begins the ids of events. Events from before the feed last started had other numbers. */
  #epoch = ''
  readonly #stream: Stream
  readonly #changed = new Set<MatchId>()
  readonly #ended: Table[] = []
  #timer: Timer | null = null
  #idleTimer: Timer | null = null
  #stopWatching: (() => void) | null = null

  constructor(
    arena: Arena,
    clock: Clock,
    describe: Describe<Data>,
    failed: (error: unknown) => void,
  ) {
    this.#arena = arena
    this.#clock = clock
    this.#describe = describe
    this.#failed = failed
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
      const data = await this.#describe(shownTables(this.#arena), [])
      if (response.destroyed) return
      this.#keep()
      this.#stream.open(response, from, [encodeEvent('live', id, data)])
    } finally {
      if (this.clientCount === 0) this.#idle()
    }
  }

  #note(event: ArenaEvent): void {
    if (event.kind === 'ended' || event.kind === 'aborted') {
      this.#ended.push(event.table)
      if (this.#ended.length > maxShown) this.#ended.shift()
    } else this.#changed.add(event.table.id)
    this.#timer ??= this.#clock.after(sendInterval, () => this.#send())
  }

  #send(): void {
    this.#timer = null
    const changed = shownTables(this.#arena).filter(({ id }) => this.#changed.has(id))
    this.#describe(changed, this.#ended.splice(0))
      .then(data => {
        this.#stream.add('live', `${this.#epoch}-${this.#stream.next}`, data)
        this.#stream.keepNewest(eventsKept)
      })
      .catch(this.#failed)
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
    this.#keep()
    this.#timer?.cancel()
    this.#timer = null
    this.#changed.clear()
    this.#ended.length = 0
  }
}

/** What is sent of these matches. */
type Describe<Data> = (changed: readonly Table[], ended: readonly Table[]) => Promise<Data>

/** The tables that opened first, so that the list changes little. */
export const shownTables = (arena: Arena): readonly Table[] => {
  const tables: Table[] = []
  for (const table of arena.tables.values()) {
    tables.push(table)
    if (tables.length === maxShown) break
  }
  return tables
}
