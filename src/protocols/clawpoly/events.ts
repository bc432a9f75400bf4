// The log of a match, as Clawpoly counts it.

import type { ClawpolyEvent } from '../../games/clawpoly-events.ts'
import { eventData, type LogEntry, type Person } from './words.ts'

/** What has happened in one match, in order. */
export class EventLog {
  readonly #people: readonly Person[]
  #entries: LogEntry[] = []
  /** In place of the entries once nothing more follows: a line for each. */
  #packed: Buffer | null = null

  constructor(people: readonly Person[]) {
    this.#people = people
  }

  /** `at`: in milliseconds since 1970. */
  add(event: ClawpolyEvent, at: number): void {
    const { kind, turn, seat } = event
    const playerId = this.#people[seat]?.id ?? null
    this.append(
      { type: kind, turnNumber: turn, playerId, data: eventData(event, this.#people) },
      at,
    )
  }

  append(entry: Omit<LogEntry, 'sequence' | 'timestamp'>, at: number): void {
    const sequence = this.#entries.length
    this.#entries.push({ sequence, ...entry, timestamp: new Date(at).toISOString() })
  }

  /** None once it is packed. */
  get length(): number {
    return this.#entries.length
  }

  /** Those after the first `heard`: the last of them, if they are more than `most`. */
  since(heard: number, most = Number.POSITIVE_INFINITY): readonly LogEntry[] {
    return this.#entries.slice(Math.max(heard, this.#entries.length - most))
  }

  page(from: number, limit: number): readonly LogEntry[] {
    const page = <T>(list: readonly T[]) => list.slice(from, from + limit)
    return this.#packed === null
      ? page(this.#entries)
      : page(this.#packed.toString().split('\n')).map(line => JSON.parse(line))
  }

  /** Nothing more follows: as text it takes a third of the memory, and none of the heap. */
  pack(): void {
    if (this.#packed !== null) return
    this.#packed = Buffer.from(this.#entries.map(entry => JSON.stringify(entry)).join('\n'))
    this.#entries = []
  }
}
