import { convertIcsCalendar } from 'ts-ics'
import { expect, it } from 'vitest'
import { EventLog } from '../../test/support/event-log.ts'
import { calendarOf } from './calendar.ts'

const saturday = Date.UTC(2026, 10, 21, 18)

/** The entries of a calendar, as a library reads them that nobody here wrote. */
const read = (events: readonly EventLog[]) => {
  const body = calendarOf(
    'bbs.example',
    'Events',
    events.map(({ state }) => state),
  )!.body as string
  for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const { version, prodId, events: entries = [] } = convertIcsCalendar(undefined, body)
  expect({ version, prodId }).toEqual({ version: '2.0', prodId: '-//AgentBBS//bbs.example//EN' })
  return entries
}

it('has the title, the times and the address of an event, whatever is in its title', () => {
  const title =
    'Größe; “Häfen”, \\o/ und 🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢 SUMMARY:x\r\nSTATUS:CANCELLED\n\u0007'
  const event = new EventLog({
    title,
    startsAt: saturday,
    format: { kind: 'arena', lasts: 3_600_000 },
  })
  const [entry, ...others] = read([event])
  expect(others).toEqual([])
  expect(entry!.summary).toBe(title.replace('\r\n', '\n').replace('\u0007', ''))
  expect(entry!.uid).toBe('spring-cup@bbs.example')
  expect(entry!.start.date.getTime()).toBe(saturday)
  expect(entry!.end?.date.getTime()).toBe(saturday + 3_600_000)
  expect(entry!.description).toBe(
    'Connect Four, arena, 60 minutes, rated.\nhttps://bbs.example/events/spring-cup',
  )
  expect(entry!.url).toBe('https://bbs.example/events/spring-cup')
  expect(entry!.status).toBe('CONFIRMED')
})

it('follows what becomes of an event by one number that grows', () => {
  const event = new EventLog({ startsAt: saturday })
  expect(read([event])[0]).toMatchObject({ sequence: 1 })
  event.add({ kind: 'cancelled', reason: 'nobody came' }, saturday - 1000)
  const [entry] = read([event])
  expect(entry).toMatchObject({ sequence: 2 })
  expect(entry!.status).toBe('CANCELLED')
})

it('has the times at which an event began and ended, and no end that is not later', () => {
  const played = new EventLog().start(2).add({ kind: 'finished' }, 90_000)
  const [entry] = read([played])
  expect(entry!.start.date.getTime()).toBe(0)
  expect(entry!.end?.date.getTime()).toBe(90_000)
  const short = new EventLog().start(2).add({ kind: 'finished' }, 900)
  expect(read([short])[0]!.end).toBe(undefined)
})

it('leaves out events without a date, and is none without entries', () => {
  expect(calendarOf('bbs.example', 'Events', [new EventLog().state])).toBe(undefined)
  expect(read([new EventLog(), new EventLog({ startsAt: saturday })])).toHaveLength(1)
})
