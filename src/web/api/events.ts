import type { Answer } from '../answer.ts'
import { eventStreamHeaders, eventStreamType } from '../feeds/stream.ts'

/** An event stream without events, as HEAD has it. */
export const eventStream: Answer = {
  type: eventStreamType,
  body: '',
  headers: eventStreamHeaders,
}

/** To a client that has had the last event. */
export const noMore: Answer = { status: 204, type: 'text/event-stream', body: '' }

/** The number of the last event that a client has; `end` if there are no more. */
export const afterEvent = (
  lastEventId: string | undefined,
  from: string | undefined,
): number | 'end' => {
  const last = lastEventId ?? from ?? '0'
  if (last === 'end') return last
  return /^\d{1,15}$/.test(last) ? Number(last) : 0
}

/** The header `Last-Event-ID`. */
export const lastEventIdOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined
