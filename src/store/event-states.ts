import { add, fold } from '../events/fold.ts'
import type { EventId } from '../events/plan.ts'
import type { EventState } from '../events/state.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { EventLog } from './events.ts'

/** How many events are kept in memory. One of 64 agents in 7 rounds takes some 300 KB. */
const mostKept = 50

/** What the logs of events amount to. Of an event that was asked for before only newer entries are read. */
export class EventStates {
  readonly #log: Pick<EventLog, 'read'>
  readonly #kept = new BoundedMap<EventId, EventState>(mostKept)

  constructor(log: Pick<EventLog, 'read'>) {
    this.#log = log
  }

  find(event: EventId): EventState | undefined {
    const known = this.#kept.get(event)
    const entries = this.#log.read(event, known?.entries)
    if (known === undefined && entries.length === 0) return undefined
    const state = known === undefined ? fold(entries) : entries.reduce(add, known)
    this.#kept.set(event, state)
    return state
  }
}
