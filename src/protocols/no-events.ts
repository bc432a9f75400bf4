import type { Director } from '../events/director.ts'

/** What a protocol asks of the events of a host. */
export type Events = Pick<Director, 'find' | 'attend' | 'waitingOf'>

/** A place without events, such as a contest between programs on one machine. */
export const noEvents: Events = {
  find: () => ({ code: 'no-such-event', detail: 'there are no events here' }),
  attend: () => () => {},
  waitingOf: () => [],
}
