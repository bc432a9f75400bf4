// What is otherwise in an event.

import { AgentError } from './agent-error.ts'

interface Wanted {
  readonly event?: string | undefined
  readonly matches?: number | undefined
}

/** How many matches to play: in an event all, unless the author says how many. */
export const matchesOf = ({ event, matches }: Wanted): number =>
  matches ?? (event === undefined ? 1 : Number.POSITIVE_INFINITY)

/** Whether the event is over, which ends it well for those who have taken part. */
export const isOver = ({ event }: Wanted, error: unknown): boolean =>
  event !== undefined && error instanceof AgentError && error.code === 'event-over'

/** Whether to join again: the event has a match that was aborted played again, and a host that was started again knows no seats. */
export const isAgain = ({ event }: Wanted, error: unknown): boolean =>
  event !== undefined && error instanceof AgentError && again.has(error.code)

const again = new Set(['match-aborted', 'no-seat'])
