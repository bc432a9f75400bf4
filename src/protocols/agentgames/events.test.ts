import { expect, it } from 'vitest'
import { planOf } from '../../../test/support/event-log.ts'
import { eventPlan } from '../../../test/support/event-plan.ts'
import { fold } from '../../events/fold.ts'
import { readJoin } from './join.ts'
import type { JoinWords } from './messages.ts'

const blind = planOf({ id: 'blind-cup', variant: { speed: 'thinking', listing: 'blind' } })
const stateOf = (plan: ReturnType<typeof eventPlan>) =>
  fold([{ kind: 'created', plan, number: 1, at: 0 }])
const events = new Map([eventPlan(), blind].map(plan => [plan.id, stateOf(plan)]))
const find = (id: string) =>
  events.get(id) ?? ({ code: 'no-such-event', detail: `there is no event "${id}"` } as const)

it('a join with an event has its game and ladder, and all its matches', () => {
  expect(readJoin({ event: 'spring-cup' }, find)).toMatchObject({
    ...{ event: 'spring-cup', matches: 1000 },
    ...{ game: { id: 'ttt' }, ladder: { id: 'ttt' } },
  })
  expect(readJoin({ event: 'blind-cup', game: 'c4', matches: 2 }, find)).toMatchObject({
    ...{ event: 'blind-cup', matches: 2 },
    ladder: { id: 'c4+thinking+blind' },
  })
})

it.each<readonly [JoinWords, string, string]>([
  [{ event: 5 }, 'bad-join', 'event: the name of an event, got 5'],
  [{ event: 'nowhere' }, 'no-such-event', 'there is no event "nowhere"'],
  [
    { event: 'spring-cup', game: 'c4' },
    'bad-join',
    'game: spring-cup is an event of ttt, got "c4"; leave it out',
  ],
  ...(['practice', 'opponent', 'speed', 'ladder', 'openings'] as const).map(
    option =>
      [
        { event: 'spring-cup', [option]: 'x' },
        'bad-join',
        `event and ${option} exclude each other: the event says it`,
      ] as const,
  ),
])('the join %j is refused', (words, code, detail) => {
  expect(readJoin(words, find)).toEqual({ code, detail })
})
