import type { AccountId } from '../arena/account.ts'
import type { Fault } from '../arena/ending.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Entry, Numbered } from './entry.ts'
import type { EventId } from './plan.ts'
import type { Recurring } from './recurring.ts'

/** Where the logs of events are kept: src/store implements it, in the thread that writes. */
export interface EventStore {
  /**
   * Appends entries after the entry of this number, which is 0 for a new event. Answers with all that follows that entry, and
   * whether the given ones are among it: they are refused when the log has moved on.
   */
  append(
    event: EventId,
    after: number,
    entries: readonly Entry[],
    /** The time of the entries; now unless given. */
    at?: number,
  ): Promise<Appended>
  /** The logs of the events that are not over, the ids of those that are, and from where `since` goes on. */
  open(): Promise<{
    readonly seq: number
    readonly logs: readonly (readonly Numbered[])[]
    readonly over: readonly EventId[]
  }>
  /** The entries of all events that were written after `seq`, by whatever process, and the `seq` of the last one. */
  since(seq: number): Promise<EventNews>
  /** All matches of an event, live and aborted ones, too. */
  boardMatches(event: EventId): Promise<readonly BoardMatch[]>
  /** The recurring events that were made by command. */
  recurring(): Promise<readonly Recurring[]>
}

export interface Appended {
  readonly appended: boolean
  readonly entries: readonly Numbered[]
}

export interface EventNews {
  readonly seq: number
  readonly entries: readonly { readonly event: EventId; readonly entry: Numbered }[]
}

export interface BoardMatch {
  readonly match: MatchId
  /** `ROUND.BOARD.LEG`. */
  readonly board: string
  readonly status: 'live' | 'aborted' | 'done'
  readonly isVoided: boolean
  /** By seat. The agent where a version has played: agents enter, in whatever versions they play. */
  readonly accounts: readonly AccountId[]
  /** By seat; empty for a match without a result. */
  readonly places: readonly number[]
  readonly scores: readonly (number | null)[]
  /** By seat, of those that lost otherwise than by the rules of the game. */
  readonly faults: readonly (Fault | null)[]
}
