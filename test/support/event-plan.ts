import type { EventPlan } from '../../src/events/plan.ts'

/** A round robin of ttt that starts by command, but for what is given. */
export const eventPlan = (given: Partial<EventPlan> = {}): EventPlan => ({
  id: 'spring-cup',
  title: 'Spring Cup',
  game: 'ttt',
  seats: { least: 2, most: 2 },
  format: { kind: 'round-robin', cycles: 1 },
  points: { by: 'result', win: 3, draw: 1, loss: 0 },
  rated: true,
  variant: { speed: 'fast', listing: 'open' },
  time: null,
  seed: '000102030405060708090a0b0c0d0e0f',
  startsAt: null,
  startsWith: null,
  invited: null,
  checkIn: 0,
  showUp: 60_000,
  lateEntry: false,
  entrants: { least: 2, most: 64 },
  openings: false,
  protocol: null,
  options: {},
  ...given,
})
