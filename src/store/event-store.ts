import type { Entry } from '../events/entry.ts'
import type { EventId } from '../events/plan.ts'
import type { Tables } from './tables.ts'
import type { Writer } from './writer.ts'

/** The logs of events, as the director asks for them from another thread. */
export const eventStoreOf = (tables: Tables, write: Writer['write']) => ({
  append: (event: EventId, after: number, entries: readonly Entry[], at?: number) =>
    write(() => tables.events.append(event, after, entries, at)),
  since: (seq: number) => tables.events.since(seq),
  boardMatches: (event: EventId) => tables.events.boardMatches(event),
  /** The recurring events that were made by command; those of the settings come beside them. */
  recurring: () => tables.recurring.all(),
  /** What a host begins with: the logs of the events that are not over, the oldest first. */
  open: () => {
    const events = tables.events.list().toReversed()
    return {
      seq: tables.events.seq,
      logs: events.flatMap(({ plan, endedAt }) =>
        endedAt === null ? [tables.events.read(plan.id)] : [],
      ),
      over: events.flatMap(({ plan, endedAt }) => (endedAt === null ? [] : plan.id)),
    }
  },
})
