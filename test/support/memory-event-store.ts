import type { Entry, Numbered } from '../../src/events/entry.ts'
import type { BoardMatch, EventStore } from '../../src/events/log.ts'
import type { EventId } from '../../src/events/plan.ts'
import type { Recurring } from '../../src/events/recurring.ts'
import type { FakeClock } from './fake-clock.ts'

/** The logs of events in memory, with the matches and recurring events that a test puts there. */
export class MemoryEventStore implements EventStore {
  readonly #clock: FakeClock
  readonly #entries: { readonly event: EventId; readonly entry: Numbered }[] = []
  readonly matches: BoardMatch[] = []
  readonly lines: Recurring[] = []
  /** Refuses so many appends, as a full disk does. */
  failures = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  read(event: EventId, after = 0): readonly Numbered[] {
    return this.#entries
      .filter(row => row.event === event && row.entry.number > after)
      .map(({ entry }) => entry)
  }

  kinds(event: EventId): readonly string[] {
    return this.read(event).map(({ kind }) => kind)
  }

  async append(
    event: EventId,
    after: number,
    entries: readonly Entry[],
    at = this.#clock.date(),
  ): ReturnType<EventStore['append']> {
    if (this.failures > 0) {
      this.failures--
      throw new Error('the disk is full')
    }
    const appended = this.read(event).length === after
    if (appended)
      for (const [i, entry] of entries.entries())
        this.#entries.push({ event, entry: { ...entry, number: after + i + 1, at } })
    return { appended, entries: this.read(event, after) }
  }

  async open(): ReturnType<EventStore['open']> {
    const ids = [...new Set(this.#entries.map(({ event }) => event))]
    const over = ids.filter(id => /finished|cancelled/.test(this.kinds(id).at(-1)!))
    const logs = ids.filter(id => !over.includes(id)).map(id => this.read(id))
    return { seq: this.#entries.length, logs, over }
  }

  async since(seq: number): ReturnType<EventStore['since']> {
    return { seq: this.#entries.length, entries: this.#entries.slice(seq) }
  }

  async boardMatches(): Promise<readonly BoardMatch[]> {
    return this.matches
  }

  async recurring(): Promise<readonly Recurring[]> {
    return this.lines
  }
}
