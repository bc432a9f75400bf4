import { expect, it } from 'vitest'
import { EventLog } from '../../test/support/event-log.ts'
import { EventStates } from './event-states.ts'

it('reads of an event that is known only what is new', () => {
  const log = new EventLog().start(2)
  const asked: (number | undefined)[] = []
  const states = new EventStates({
    read: (event, after = 0) => {
      asked.push(after)
      return event === 'spring-cup' ? log.entries.slice(after) : []
    },
  })
  expect(states.find('spring-cup')).toEqual(log.state)
  log.draw([1, 2]).play(1, [1, 2])
  expect(states.find('spring-cup')).toEqual(log.state)
  expect(states.find('autumn-cup')).toBe(undefined)
  expect(asked).toEqual([0, 4, 0])
})
